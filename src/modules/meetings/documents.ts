import { document } from '../../operations/documents.ts'
import { meeting } from './access.ts'
import { textOfMeeting } from './document-text.ts'

export const meetingDocument = document({
  name: 'meetings',
  title: 'Meeting',
  about:
    'One meeting by its id: when and with whom, agenda, notes, decisions and action items; its transcript is read with get_transcript',
  resource: meeting,
  read: { operation: 'get_meeting', argument: 'meeting_id' },
  searchedColumns: ['meetings.title'],
  text: textOfMeeting,
})
