import type { Input, Output } from '../../api/client.ts'
import { readOperationAgain } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { t } from '../../texts/index.ts'

export type FullMeeting = Output<'get_meeting'>
export type ListedMeeting = Output<'list_meetings'>['items'][number]
type Change = Omit<Input<'update_meeting'>, 'meeting_id' | 'expected_revision'>

const readAgain = () => readOperationAgain('get_meeting', 'list_meetings')

/** Creates and returns a meeting. */
export async function createMeeting(input: Input<'create_meeting'>) {
  const written = await write('create_meeting', input, { text: words.created(input.title ?? '') })
  await readAgain()
  return written.state === 'done' ? written.value : undefined
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
  await readAgain()
}

/** Moves a meeting to the trash; returns whether it worked. */
export async function deleteMeeting({ id, title }: { id: string; title: string }) {
  const written = await write(
    'delete_meeting',
    { meeting_id: id },
    { text: t.tasks.changed(title, words.removed) },
  )
  await readOperationAgain('list_meetings')
  return written.state === 'done'
}

/** Erases only the transcript of a meeting. */
export async function eraseTranscript({ id, title }: FullMeeting): Promise<void> {
  await write(
    'delete_meeting',
    { meeting_id: id, transcript_only: true },
    { text: t.tasks.changed(title, words.erase.done), undo: false },
  )
  await Promise.all([readAgain(), readOperationAgain('get_transcript')])
}

/** Adds a note; returns whether the server accepted it. */
export async function addNote({ id, title }: FullMeeting, text: string): Promise<boolean> {
  const written = await write(
    'add_meeting_note',
    { meeting_id: id, body_markdown: text },
    { text: t.tasks.changed(title, words.notes.added) },
  )
  await readAgain()
  return written.state === 'done'
}

/** Agenda items as server arguments. */
export const agendaLines = (agenda: FullMeeting['agenda']): string[] =>
  agenda.map(({ text, done }) => `${done ? '[x]' : '[ ]'} ${text}`)

/** A person in the format of the participants field. */
export function participantLine({ name, email, person }: FullMeeting['participants'][number]) {
  if (person) return email ?? person.id
  return email === undefined || name === undefined ? (email ?? name ?? '') : `${name} <${email}>`
}
