import type { Module } from '../../operations/module.ts'
import { addActionItems, listActionItems } from './action-items/action-items.ts'
import { createTasksFromActionItems } from './action-items/tasks.ts'
import { getMeetingBrief } from './meetings/briefs.ts'
import { listDecisions, recordDecision } from './meetings/decisions.ts'
import { meetingDocument } from './documents.ts'
import { createMeeting } from './meetings/creation.ts'
import { downloadMeetingExport, exportMeetings } from './meetings/exports.ts'
import { deleteMeeting, getMeeting, listMeetings } from './meetings/meetings.ts'
import { updateMeeting } from './meetings/updates.ts'
import { addMeetingNote } from './meetings/notes.ts'
import { prepareMeeting, teamCheckIn } from './prompts.ts'
import { getPulseReport } from './pulses/reports.ts'
import { submitPulseResponse } from './pulses/responses.ts'
import { deletePulseSecrets, advancePulses } from './pulses/rounds.ts'
import {
  createPulse,
  deletePulse,
  listPulses,
  setPulseActive,
  updatePulse,
} from './pulses/pulses.ts'
import { searchTranscripts } from './transcripts/searches.ts'
import { getTranscript, importTranscript } from './transcripts/transcripts.ts'
import { searchableMeetings } from './searchable.ts'
import { searchableDecisions } from './searchable-decisions.ts'
import { eventFollowers, meetingsInTime } from '../calendar/access.ts'
import { meetingTimes } from './access-busy-times.ts'
import { contactMeetings, interactionSources } from '../contacts/shapes.ts'
import { meetingsWith } from './access-interactions.ts'
import { meetingInteractions } from './interactions.ts'
import { meetingsOfEvents } from './access-events.ts'
import { meetingsPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { meetingHandovers } from './handover.ts'

contactMeetings.register(meetingsWith)
interactionSources.register(meetingInteractions)
eventFollowers.register(meetingsOfEvents)
meetingsInTime.register(meetingTimes)

for (const handover of meetingHandovers) handovers.register(handover)

export const meetingsModule: Module = {
  name: 'meetings',
  about:
    'Meetings with agenda, notes and transcript, the decisions made in them and the actions agreed on. Nouns: meeting, transcript, meeting note, decision, action item, pulse.',
  operations: [
    listMeetings,
    exportMeetings,
    downloadMeetingExport,
    searchTranscripts,
    getMeeting,
    createMeeting,
    updateMeeting,
    deleteMeeting,
    importTranscript,
    getTranscript,
    addMeetingNote,
    recordDecision,
    listDecisions,
    addActionItems,
    listActionItems,
    createTasksFromActionItems,
    getMeetingBrief,
    listPulses,
    createPulse,
    updatePulse,
    deletePulse,
    submitPulseResponse,
    getPulseReport,
    setPulseActive,
  ],
  events: [
    'meeting.ended',
    'transcript.imported',
    'decision.recorded',
    'action_item.added',
    'pulse.round_opened',
    'pulse.round_closed',
  ],
  documents: [meetingDocument],
  prompts: [prepareMeeting, teamCheckIn],
  ticks: [advancePulses, deletePulseSecrets],
  searchables: [searchableMeetings, searchableDecisions],
  presenters: meetingsPresenters,
}
