import type { Module } from '../../core/module.ts'
import { addActionItems, listActionItems } from './action-items.ts'
import { createTasksFromActionItems } from './action-tasks.ts'
import { getMeetingBrief } from './briefs.ts'
import { listDecisions, recordDecision } from './decisions.ts'
import { meetingDocument } from './documents.ts'
import {
  createMeeting,
  deleteMeeting,
  getMeeting,
  listMeetings,
  updateMeeting,
} from './meetings.ts'
import { addMeetingNote } from './notes.ts'
import { prepareMeeting, teamCheckIn } from './prompts.ts'
import { getPulseReport } from './pulse-reports.ts'
import { submitPulseResponse } from './pulse-responses.ts'
import { forgetPulses, turnPulses } from './pulse-rounds.ts'
import { createPulse, deletePulse, listPulses, setPulseActive, updatePulse } from './pulses.ts'
import { searchTranscripts } from './transcript-search.ts'
import { getTranscript, importTranscript } from './transcripts.ts'
import { foundMeetings } from './finds.ts'
import { foundDecisions } from './finds-decisions.ts'
import { eventFollowers } from '../calendar/access.ts'
import { contactMeetings, interactionSources } from '../contacts/shapes.ts'
import { meetingsWith } from './access-interactions.ts'
import { meetingInteractions } from './interactions.ts'
import { meetingsOfEvents } from './access-events.ts'

contactMeetings.register(meetingsWith)
interactionSources.register(meetingInteractions)
eventFollowers.register(meetingsOfEvents)

export const meetingsModule: Module = {
  name: 'meetings',
  about:
    'Meetings with agenda, notes and transcript, the decisions made in them and the actions agreed on. Nouns: meeting, transcript, meeting note, decision, action item, pulse.',
  operations: [
    listMeetings,
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
  ticks: [turnPulses, forgetPulses],
  finds: [foundMeetings, foundDecisions],
}
