import { call, type Input } from '../../api/client.ts'
import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { saveCsv } from '../company/save-export.ts'

/** Saves the meetings of a period, with agenda and notes, as a spreadsheet file. */
export const exportMeetings = (period: Input<'export_meetings'>): Promise<void> =>
  saveCsv('meetings', call('export_meetings', period), words.exported)
