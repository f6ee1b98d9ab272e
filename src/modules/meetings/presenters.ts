import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { actionItem, decision, meeting, meetingNote } from './access.ts'
import { pulse } from './pulses/access.ts'
import { presentPulses } from './pulses/shapes.ts'
import { presentActionItems } from './action-items/presenter.ts'
import { presentDecisions, presentNotes } from './meetings/presenter.ts'
import { presentMeetings } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const meetingsPresenters = [
  presenter(meeting, {
    operation: 'list_meetings',
    entries: presentMeetings,
    get: { operation: 'get_meeting', argument: 'meeting_id' },
  }),
  partPresenter(meetingNote, {
    operation: 'get_meeting',
    resource: meeting,
    by: 'meeting_id',
    entries: presentNotes,
  }),
  presenter(decision, { operation: 'list_decisions', entries: presentDecisions }),
  presenter(actionItem, { operation: 'list_action_items', entries: presentActionItems }),
  presenter(pulse, { operation: 'list_pulses', entries: presentPulses }),
]
