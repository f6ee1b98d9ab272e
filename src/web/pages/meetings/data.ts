import type { Input, Output } from '../../api/client.ts'
import { invalidateOperations } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { t } from '../../texts/index.ts'

export type FullMeeting = Output<'get_meeting'>
export type ListedMeeting = Output<'list_meetings'>['items'][number]
type Change = Omit<Input<'update_meeting'>, 'meeting_id' | 'expected_revision'>

const refetchMeetings = () => invalidateOperations('get_meeting', 'list_meetings')

/** Creates and returns a meeting. */
export async function createMeeting(input: Input<'create_meeting'>) {
  const result = await write('create_meeting', input, { text: words.created(input.title ?? '') })
  await refetchMeetings()
  return result.state === 'done' ? result.value : undefined
}

/** Changes a meeting, unless it has changed since it was loaded. */
export async function updateMeeting(
  { id, title, revision }: FullMeeting,
  change: Change,
  message: string = words.changed,
): Promise<void> {
  await write(
    'update_meeting',
    { meeting_id: id, ...change, expected_revision: revision },
    { text: t.tasks.changed(title, message) },
  )
  await refetchMeetings()
}

/** Moves a meeting to the trash; returns whether it worked. */
export async function deleteMeeting({ id, title }: { id: string; title: string }) {
  const result = await write(
    'delete_meeting',
    { meeting_id: id },
    { text: t.tasks.changed(title, words.removed) },
  )
  await invalidateOperations('list_meetings')
  return result.state === 'done'
}

/** Erases only the transcript of a meeting. */
export async function eraseTranscript({ id, title }: FullMeeting): Promise<void> {
  await write(
    'delete_meeting',
    { meeting_id: id, transcript_only: true },
    { text: t.tasks.changed(title, words.erase.done), undo: false },
  )
  await Promise.all([refetchMeetings(), invalidateOperations('get_transcript')])
}

/** Adds a note; returns whether the server accepted it. */
export async function addNote({ id, title }: FullMeeting, text: string): Promise<boolean> {
  const result = await write(
    'add_meeting_note',
    { meeting_id: id, body_markdown: text },
    { text: t.tasks.changed(title, words.notes.added) },
  )
  await refetchMeetings()
  return result.state === 'done'
}

/** Agenda items as server arguments. */
export const agendaLines = (agenda: FullMeeting['agenda']): string[] =>
  agenda.map(({ text, done }) => `${done ? '[x]' : '[ ]'} ${text}`)

/** A person in the format of the participants field. */
export function participantLine({ name, email, person }: FullMeeting['participants'][number]) {
  if (person) return email ?? person.id
  return email === undefined || name === undefined ? (email ?? name ?? '') : `${name} <${email}>`
}
