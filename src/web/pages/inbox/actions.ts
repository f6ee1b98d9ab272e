import type { Input } from '../../api/client.ts'
import { notify, nextUndoTexts, undoLast, write, type RowChange } from '../../store/index.ts'
import type { InboxEntry, NotificationRow } from './entries.ts'
import { describeMoment } from './moments.ts'
import { inboxTexts as t } from './texts.ts'

/** Maximum notifications per call. */
const maxIdsPerCall = 100

type MarkInput = Omit<Input<'mark_notifications_read'>, 'notification_ids'>

/** Marks entries as done, which removes them from the list. */
export function markDone(entries: readonly InboxEntry[]): Promise<void> {
  return markEntries(entries, {}, { unread: false, snoozed_until: undefined }, t.inbox.said.done)
}

export function snooze(entry: InboxEntry, until: Date): Promise<void> {
  const snooze_until = until.toISOString()
  return markEntries([entry], { snooze_until }, { snoozed_until: snooze_until }, (title) =>
    t.inbox.said.later(title, describeMoment(until)),
  )
}

/** Marks an entry as unread again. */
export function markUnread(entry: InboxEntry): Promise<void> {
  const set = { unread: true, snoozed_until: undefined }
  return markEntries([entry], { unread: true }, set, t.inbox.said.unread)
}

/** Mutes the item, and removes its entry from the list. */
export async function mute(entry: InboxEntry): Promise<void> {
  await write(
    'update_notification_preferences',
    { mute_id: entry.item.id },
    { text: t.inbox.said.muted(entryNameOf(entry)), noticeSeconds: 0 },
  )
  await markEntries([entry], {}, { unread: false }, t.inbox.said.muted)
}

/** True if an item can be muted: a message or an approval cannot. */
export function canMute({ item: { type } }: InboxEntry): boolean {
  return !['approval', 'message', 'api_key', 'organization', 'person', 'inbox'].includes(type)
}

const entryNameOf = ({ item, approval }: InboxEntry) =>
  approval ? t.inbox.call : (item.key ?? item.title)

async function markEntries(
  entries: readonly InboxEntry[],
  marking: MarkInput,
  set: Record<string, unknown>,
  text: (title: string) => string,
): Promise<void> {
  const notices = entries.flatMap((entry) => entry.notices)
  const [first] = entries
  if (notices.length === 0 || !first) return
  const description = text(
    entries.length === 1 ? entryNameOf(first) : t.inbox.count(entries.length),
  )
  for (let start = 0; start < notices.length; start += maxIdsPerCall)
    await markNotices(notices.slice(start, start + maxIdsPerCall), marking, set, description)
}

async function markNotices(
  notices: readonly NotificationRow[],
  marking: MarkInput,
  set: Record<string, unknown>,
  text: string,
): Promise<void> {
  const ids = notices.map((notice) => notice.id)
  const rows: RowChange[] = ids.map((id) => ({ type: 'notification', id, set }))
  const result = await write(
    'mark_notifications_read',
    { notification_ids: ids, ...marking },
    { rows, text, noticeSeconds: 0 },
  )
  if (result.state !== 'done' || nextUndoTexts().undo !== text) return // undone meanwhile
  notify({
    id: 'inbox', // replaces the previous notice, so that triage does not pile them up
    text,
    seconds: 6,
    actions: [{ label: t.app.sync.undo, run: () => void undoLast(result.callId) }],
  })
}
