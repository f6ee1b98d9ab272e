import type { Input, OperationName } from '../../api/client.ts'
import { notify, randomId, undoable, undoLast, write, type WriteResult } from '../../store/index.ts'
import { momentWords } from '../inbox/moments.ts'
import { isSnoozed, type ThreadRow } from './splits.ts'
import { mailTexts as t } from './texts.ts'

const { said } = t.mailbox

type Threads = readonly ThreadRow[]
/** Optimistic change of a conversation's row. */
type Shown = (thread: ThreadRow) => Record<string, unknown>
/** One call of a change. */
type Part = (text: string, group: string) => Promise<WriteResult<OperationName>>

/** Maximum conversations per call: a call accepts a limited number of messages. */
const batchSize = 50
/** Clears the snooze. */
const awake = { snoozed_until: undefined, snoozed_until_reply: undefined }

/** Archives conversations; snoozed ones no longer return by themselves. */
export function archive(threads: Threads): Promise<void> {
  const inInbox = threads.filter((thread) => thread.in_inbox)
  return changeThreads(threads, said.archived, [
    ...awakened(threads.filter(isSnoozed), { in_inbox: false }),
    ...inParts('archive_emails', inInbox, {}, () => ({ in_inbox: false })),
  ])
}

/** Moves conversations to the trash. */
export const trash = (threads: Threads): Promise<void> =>
  changeThreads(
    threads,
    said.trashed,
    inParts('trash_emails', threads, {}, () => ({ in_inbox: false, awaiting: 'none' })),
  )

/** Snoozes conversations until a moment. An earlier reply brings them back sooner. */
export function snooze(threads: Threads, until: Date): Promise<void> {
  const snoozed_until = until.toISOString()
  const parts = threads.map((thread) =>
    threadsWriteOf(
      'snooze_email',
      { thread_id: thread.id, until: snoozed_until, until_reply: true },
      [thread],
      () => ({ snoozed_until, snoozed_until_reply: true }),
    ),
  )
  return changeThreads(threads, (subject) => said.later(subject, momentWords(until)), parts)
}

/** Returns snoozed or archived conversations to the inbox. */
export function bringBack(threads: Threads): Promise<void> {
  const archived = threads.filter((thread) => !thread.in_inbox)
  return changeThreads(threads, said.back, [
    ...awakened(threads.filter((thread) => thread.in_inbox)),
    ...inParts('move_emails', archived, { folder: 'inbox' }, () => ({ in_inbox: true })),
  ])
}

/** Marks conversations as read or unread. */
export const markThreads = (threads: Threads, isRead: boolean): Promise<void> =>
  changeQuietly(
    (isRead ? said.read : said.unread)(threadsNameOf(threads)),
    inParts('mark_emails_read', threads, { read: isRead }, (thread) => ({
      unread_count: isRead ? 0 : thread.message_count,
    })),
  )

/** Adds or removes a label on conversations. */
export const setLabel = (threads: Threads, name: string, isOn: boolean): Promise<void> =>
  changeQuietly(
    (isOn ? t.handling.labels.added : t.handling.labels.removed)(name, threadsNameOf(threads)),
    inParts(
      'label_emails',
      threads,
      isOn ? { add: [name], create_missing: true } : { remove: [name] },
      ({ labels }) => {
        const others = labels.filter((label) => label !== name)
        return { labels: isOn ? [...others, name] : others }
      },
    ),
  )

export const subjectOf = ({ subject }: { subject: string }): string =>
  subject === '' ? t.mailbox.noSubject : subject

/** The subject of a conversation; for several, their number. */
function threadsNameOf(threads: Threads): string {
  const [first] = threads
  return threads.length === 1 && first ? subjectOf(first) : t.mailbox.count(threads.length)
}

function threadsWriteOf<N extends OperationName>(
  operation: N,
  input: Input<N>,
  threads: Threads,
  set: Shown,
): Part {
  const rows = threads.map((thread) => ({
    type: 'thread' as const,
    id: thread.id,
    set: set(thread),
  }))
  return (text, group) => write(operation, input, { rows, text, group, noticeSeconds: 0 })
}

type Bulk = 'archive_emails' | 'trash_emails' | 'move_emails' | 'mark_emails_read' | 'label_emails'

/** Splits a change into calls for parts of the conversations. */
function inParts<N extends Bulk>(
  operation: N,
  threads: Threads,
  input: Omit<Input<N>, 'thread_ids'>,
  set: Shown,
): Part[] {
  return Array.from({ length: Math.ceil(threads.length / batchSize) }, (_, n) => {
    const batch = threads.slice(n * batchSize, (n + 1) * batchSize)
    const thread_ids = batch.map(({ id }) => id)
    return threadsWriteOf(operation, { ...input, thread_ids } as Input<N>, batch, set)
  })
}

const awakened = (threads: Threads, set: Record<string, unknown> = {}): Part[] =>
  threads.map((thread) =>
    threadsWriteOf('snooze_email', { thread_id: thread.id, until: null }, [thread], () => ({
      ...awake,
      ...set,
    })),
  )

/** Without a notification, because the rows show the change. */
async function changeQuietly(text: string, parts: readonly Part[]) {
  const group = randomId()
  await Promise.all(parts.map((send) => send(text, group)))
}

async function changeThreads(
  threads: Threads,
  words: (subject: string) => string,
  parts: readonly Part[],
): Promise<void> {
  const text = words(threadsNameOf(threads))
  const group = randomId()
  const results = await Promise.all(parts.map((send) => send(text, group)))
  const done = results.find((result) => result.state === 'done')
  if (!done || undoable().undo !== text) return // undone meanwhile
  notify({
    id: 'mail', // one for all: who triages does not want a pile of them
    text,
    seconds: 6,
    actions: [{ label: t.app.sync.undo, run: () => void undoLast(done.callId) }],
  })
}
