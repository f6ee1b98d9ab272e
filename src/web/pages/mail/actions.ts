import type { Input, OperationName } from '../../api/client.ts'
import {
  notify,
  randomId,
  nextUndoTexts,
  undoLast,
  write,
  type WriteResult,
} from '../../store/index.ts'
import { describeMoment } from '../inbox/moments.ts'
import { isSnoozed, type ThreadRow } from './splits.ts'
import { mailTexts as t } from './texts.ts'

const { said } = t.mailbox

type Threads = readonly ThreadRow[]
/** Optimistic change of a conversation's row. */
type OptimisticChange = (thread: ThreadRow) => Record<string, unknown>
/** One call of a change. */
type BatchCall = (text: string, group: string) => Promise<WriteResult<OperationName>>

/** Maximum conversations per call: a call accepts a limited number of messages. */
const batchSize = 50
/** Clears the snooze. */
const clearedSnooze = { snoozed_until: undefined, snoozed_until_reply: undefined }

/** Archives conversations; snoozed ones no longer return by themselves. */
export function archive(threads: Threads): Promise<void> {
  const inInbox = threads.filter((thread) => thread.in_inbox)
  return changeThreads(threads, said.archived, [
    ...unsnoozeCalls(threads.filter(isSnoozed), { in_inbox: false }),
    ...batchCalls('archive_emails', inInbox, {}, () => ({ in_inbox: false })),
  ])
}

/** Moves conversations to the trash. */
export const trash = (threads: Threads): Promise<void> =>
  changeThreads(
    threads,
    said.trashed,
    batchCalls('trash_emails', threads, {}, () => ({ in_inbox: false, awaiting: 'none' })),
  )

/** Snoozes conversations until a moment. An earlier reply brings them back sooner. */
export function snooze(threads: Threads, until: Date): Promise<void> {
  const snoozed_until = until.toISOString()
  const parts = threads.map((thread) =>
    threadsCall(
      'snooze_email',
      { thread_id: thread.id, until: snoozed_until, until_reply: true },
      [thread],
      () => ({ snoozed_until, snoozed_until_reply: true }),
    ),
  )
  return changeThreads(threads, (subject) => said.later(subject, describeMoment(until)), parts)
}

/** Returns snoozed or archived conversations to the inbox. */
export function returnToInbox(threads: Threads): Promise<void> {
  const archived = threads.filter((thread) => !thread.in_inbox)
  return changeThreads(threads, said.back, [
    ...unsnoozeCalls(threads.filter((thread) => thread.in_inbox)),
    ...batchCalls('move_emails', archived, { folder: 'inbox' }, () => ({ in_inbox: true })),
  ])
}

/** Marks conversations as read or unread. */
export const markThreads = (threads: Threads, isRead: boolean): Promise<void> =>
  changeQuietly(
    (isRead ? said.read : said.unread)(threadsNameOf(threads)),
    batchCalls('mark_emails_read', threads, { read: isRead }, (thread) => ({
      unread_count: isRead ? 0 : thread.message_count,
    })),
  )

/** Adds or removes a label on conversations. */
export const setLabel = (threads: Threads, name: string, isOn: boolean): Promise<void> =>
  changeQuietly(
    (isOn ? t.handling.labels.added : t.handling.labels.removed)(name, threadsNameOf(threads)),
    batchCalls(
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

function threadsCall<N extends OperationName>(
  operation: N,
  input: Input<N>,
  threads: Threads,
  set: OptimisticChange,
): BatchCall {
  const rows = threads.map((thread) => ({
    type: 'thread' as const,
    id: thread.id,
    set: set(thread),
  }))
  return (text, group) => write(operation, input, { rows, text, group, noticeSeconds: 0 })
}

type BulkOperation =
  | 'archive_emails'
  | 'trash_emails'
  | 'move_emails'
  | 'mark_emails_read'
  | 'label_emails'

/** Splits a change into calls for parts of the conversations. */
function batchCalls<N extends BulkOperation>(
  operation: N,
  threads: Threads,
  input: Omit<Input<N>, 'thread_ids'>,
  set: OptimisticChange,
): BatchCall[] {
  return Array.from({ length: Math.ceil(threads.length / batchSize) }, (_, n) => {
    const batch = threads.slice(n * batchSize, (n + 1) * batchSize)
    const thread_ids = batch.map(({ id }) => id)
    return threadsCall(operation, { ...input, thread_ids } as Input<N>, batch, set)
  })
}

const unsnoozeCalls = (threads: Threads, set: Record<string, unknown> = {}): BatchCall[] =>
  threads.map((thread) =>
    threadsCall('snooze_email', { thread_id: thread.id, until: null }, [thread], () => ({
      ...clearedSnooze,
      ...set,
    })),
  )

/** Without a notification, because the rows show the change. */
async function changeQuietly(text: string, parts: readonly BatchCall[]) {
  const group = randomId()
  await Promise.all(parts.map((send) => send(text, group)))
}

async function changeThreads(
  threads: Threads,
  textOf: (subject: string) => string,
  parts: readonly BatchCall[],
): Promise<void> {
  const text = textOf(threadsNameOf(threads))
  const group = randomId()
  const results = await Promise.all(parts.map((send) => send(text, group)))
  const doneResult = results.find((result) => result.state === 'done')
  if (!doneResult || nextUndoTexts().undo !== text) return // undone meanwhile
  notify({
    id: 'mail', // replaces the previous notice, so that triage does not pile them up
    text,
    seconds: 6,
    actions: [{ label: t.app.sync.undo, run: () => void undoLast(doneResult.callId) }],
  })
}
