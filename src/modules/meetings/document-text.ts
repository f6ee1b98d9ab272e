import type { z } from 'zod'
import { blocks, factList, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import type { Address } from '../../records/shapes.ts'
import { clockTime } from './meetings/agenda.ts'
import type { ActionItemShape, DecisionShape, Meeting } from './shapes.ts'
import { quantity } from '../../kernel/text/quantity.ts'

type MeetingShape = z.infer<typeof Meeting>

/** A meeting as Markdown. Longer texts by people are quoted. */
export function textOfMeeting(meeting: MeetingShape): string {
  return blocks(
    `# ${oneLine(meeting.title)}`,
    meetingFactsText(meeting),
    section(
      'Agenda',
      meeting.agenda.map((item) => `- [${item.done ? 'x' : ' '}] ${oneLine(item.text)}`),
    ),
    section('Minutes', meeting.notes_markdown?.trim() ? quotation(meeting.notes_markdown) : ''),
    section('Notes', meeting.notes.map(noteBlock).join('\n\n')),
    section('Decisions', meeting.decisions.map(decisionBlock).join('\n\n')),
    section('Action items', meeting.action_items.map(actionLine)),
  )
}

function meetingFactsText(meeting: MeetingShape): string {
  return factList({
    Kind: meeting.kind.replaceAll('_', ' '),
    Status: meeting.status,
    Starts: meeting.starts_local && `${meeting.starts_local} (${meeting.timezone})`,
    Ends: meeting.ends_local,
    Organizer: meeting.organizer.title,
    Participants: meeting.participants.map(participantNameOf).join(', '),
    Project: meeting.project && `${meeting.project.title} (${meeting.project.key})`,
    Pulse: meeting.pulse && `${meeting.pulse.title} (${meeting.pulse.id})`,
    Visibility: meeting.visibility,
    Transcript: meeting.transcript.exists
      ? `${quantity(meeting.transcript.minutes ?? 0, 'minute')}, language ${meeting.transcript.language}: get_transcript(meeting_id="${meeting.id}")`
      : 'none',
    'Still missing': meeting.missing.join(', '),
    'Last change': meeting.updated_at,
    Id: `${meeting.id}, revision ${meeting.revision}`,
    Address: meeting.url,
  })
}

/** A participant's name or address. */
export function participantNameOf({ person, name, email }: Address): string {
  return person?.title ?? [name, email && `<${email}>`].filter((part) => part).join(' ')
}

function noteBlock({
  author,
  created_at,
  at_second,
  body_markdown,
}: MeetingShape['notes'][number]): string {
  return `${oneLine(author.title)}, ${at_second === undefined ? created_at : `at ${clockTime(at_second)}`}:\n\n${quotation(body_markdown)}`
}

function decisionBlock({
  id,
  title,
  status,
  decided_by,
  superseded_by,
  decision_markdown,
}: DecisionShape): string {
  const deciders = decided_by.map((item) => oneLine(item.title)).join(', ')
  const state =
    status === 'superseded' ? `superseded${superseded_by ? ` by ${superseded_by.id}` : ''}` : status
  return `${oneLine(title)} (${id}, ${state}${deciders ? `, decided by ${deciders}` : ''}):\n\n${quotation(decision_markdown)}`
}

function actionLine({ id, text, owner, due_on, status, task }: ActionItemShape): string {
  const ownerName = owner ? oneLine(participantNameOf(owner)) : 'no one'
  const details = [
    status.replaceAll('_', ' '),
    ownerName,
    due_on && `due ${due_on}`,
    task && `task ${task.key ?? task.id}`,
    id,
  ]
    .filter((part) => part)
    .join(', ')
  return `- [${status === 'done' || status === 'dropped' ? 'x' : ' '}] ${oneLine(text)} (${details})`
}
