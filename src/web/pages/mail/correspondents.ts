import type { Split, ThreadRow } from './splits.ts'

type Person = ThreadRow['participants'][number]

/** Name of a person in a list: as a colleague or contact, by the name in the mail, or by address. */
export function personName({ name, email, person, contact }: Person): string {
  return person?.title ?? contact?.title ?? (name || email || '')
}

/** Name shown with a conversation: the person whose answer is awaited, else the last sender. */
export function correspondentName(thread: ThreadRow, split: Split): string {
  const { waiting_for, last_sender, participants } = thread
  const correspondent =
    (split === 'waiting' ? waiting_for?.[0] : undefined) ?? last_sender ?? participants[0]
  return correspondent ? personName(correspondent) : ''
}
