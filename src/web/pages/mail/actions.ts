import type { Input, OperationName } from '../../api/client.ts'
import { notify, undoable, undoLast, write } from '../../store/index.ts'
import { momentWords } from '../inbox/moments.ts'
import { isSnoozed, type ThreadRow } from './splits.ts'
import { mailTexts as t } from './texts.ts'

const { said } = t.mailbox

/** No longer put off. */
const awake = { snoozed_until: undefined, snoozed_until_reply: undefined }

/** Takes a conversation out of the inbox; what was put off does not come back by itself then. */
export async function archive(thread: ThreadRow): Promise<void> {
  if (isSnoozed(thread))
    await write(
      'snooze_email',
      { thread_id: thread.id, until: null },
      {
        rows: [{ type: 'thread', id: thread.id, set: { ...awake, in_inbox: false } }],
        text: said.archived(subjectOf(thread)),
        noticeSeconds: 0,
      },
    )
  if (!thread.in_inbox) return
  await change(thread, {
    operation: 'archive_emails',
    input: { thread_ids: [thread.id] },
    set: { in_inbox: false },
    text: said.archived,
  })
}

export function trash(thread: ThreadRow): Promise<void> {
  return change(thread, {
    operation: 'trash_emails',
    input: { thread_ids: [thread.id] },
    set: { in_inbox: false, awaiting: 'none' },
    text: said.trashed,
  })
}

/** Hides a conversation until a moment. An answer that comes sooner brings it back sooner. */
export function snooze(thread: ThreadRow, until: Date): Promise<void> {
  const snoozed_until = until.toISOString()
  return change(thread, {
    operation: 'snooze_email',
    input: { thread_id: thread.id, until: snoozed_until, until_reply: true },
    set: { snoozed_until, snoozed_until_reply: true },
    text: (subject) => said.later(subject, momentWords(until)),
  })
}

/** Brings back what was put off or archived. */
export function bringBack(thread: ThreadRow): Promise<void> {
  const { id, in_inbox } = thread
  return in_inbox
    ? change(thread, {
        operation: 'snooze_email',
        input: { thread_id: id, until: null },
        set: awake,
        text: said.back,
      })
    : change(thread, {
        operation: 'move_emails',
        input: { thread_ids: [id], folder: 'inbox' },
        set: { in_inbox: true },
        text: said.back,
      })
}

/** Marks a conversation as read, or as unread. Nothing is said of it: the row shows it. */
export async function mark(thread: ThreadRow, isRead: boolean): Promise<void> {
  await write(
    'mark_emails_read',
    { thread_ids: [thread.id], read: isRead },
    {
      rows: [
        {
          type: 'thread',
          id: thread.id,
          set: { unread_count: isRead ? 0 : thread.message_count },
        },
      ],
      text: isRead ? said.read(subjectOf(thread)) : said.unread(subjectOf(thread)),
      noticeSeconds: 0,
    },
  )
}

export const subjectOf = ({ subject }: { subject: string }): string =>
  subject === '' ? t.mailbox.noSubject : subject

interface Change<N extends OperationName> {
  operation: N
  input: Input<N>
  /** What the row shows at once. */
  set: Record<string, unknown>
  text: (subject: string) => string
}

async function change<N extends OperationName>(
  thread: ThreadRow,
  { operation, input, set, text: words }: Change<N>,
): Promise<void> {
  const text = words(subjectOf(thread))
  const rows = [{ type: 'thread' as const, id: thread.id, set }]
  const result = await write(operation, input, { rows, text, noticeSeconds: 0 })
  if (result.state !== 'done' || undoable().undo !== text) return // undone meanwhile
  notify({
    id: 'mail', // one for all: who triages does not want a pile of them
    text,
    seconds: 6,
    actions: [{ label: t.app.sync.undo, run: () => void undoLast(result.callId) }],
  })
}
