import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { actionItem, decision, meeting, meetingNote } from './access.ts'
import { pulse } from './pulses/access.ts'
import { showPulses } from './pulses/shapes.ts'
import { showActionItems } from './action-items/presenter.ts'
import { showDecisions, showNotes } from './meetings/presenter.ts'
import { showMeetings } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const meetingsPresenters = [
  presenter(meeting, {
    operation: 'list_meetings',
    entries: showMeetings,
    get: { operation: 'get_meeting', argument: 'meeting_id' },
  }),
  partPresenter(meetingNote, {
    operation: 'get_meeting',
    of: meeting,
    by: 'meeting_id',
    entries: showNotes,
  }),
  presenter(decision, { operation: 'list_decisions', entries: showDecisions }),
  presenter(actionItem, { operation: 'list_action_items', entries: showActionItems }),
  presenter(pulse, { operation: 'list_pulses', entries: showPulses }),
]
