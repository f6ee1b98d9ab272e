import type { RowOf } from '../../store/index.ts'
import type { Approval } from '../activity/approvals/approvals.ts'

export const tabs = ['inbox', 'later', 'done'] as const
/** Tabs of the screen: unread, put off, and done. */
export type Tab = (typeof tabs)[number]

export type NotificationRow = RowOf<'notification'>
type Item = NotificationRow['item']

/** All notifications about one item. */
export interface InboxEntry {
  /** The item's id. */
  id: string
  item: Item
  /** Latest first; empty if there is only an approval. */
  notices: readonly NotificationRow[]
  /** A call that waits for the reader's decision. */
  approval?: Approval
  /** Time of the latest notification, or of the approval. */
  at: string
}

/** The tab of a notification. */
export function tabOf({ unread, snoozed_until }: NotificationRow): Tab {
  if (snoozed_until !== undefined && Date.parse(snoozed_until) > Date.now()) return 'later'
  return unread ? 'inbox' : 'done'
}

/**
 * Builds the entries of a tab from notifications and waiting calls, latest first; those put off by their return time.
 */
export function entriesOf(
  notices: readonly NotificationRow[],
  approvals: readonly Approval[],
  tab: Tab,
): InboxEntry[] {
  const approvalIds = new Set(approvals.map((approval) => approval.id))
  const groups = Map.groupBy(
    notices.filter((notice) => !approvalIds.has(notice.item.id)),
    (notice) => notice.item.id,
  )
  const noticeEntries = [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => compareDescending(a.shown_at + a.id, b.shown_at + b.id))
    const [latest] = sorted
    return latest
      ? [{ id: latest.item.id, item: latest.item, notices: sorted, at: latest.shown_at }]
      : []
  })
  const all: InboxEntry[] = [...approvals.map(entryOfApproval), ...noticeEntries]
  const direction = tab === 'later' ? -1 : 1
  return all.toSorted((a, b) => direction * compareDescending(entrySortKey(a), entrySortKey(b)))
}

const compareDescending = (a: string, b: string) => (a < b ? 1 : -1)
/** Sort key; entries of the same millisecond keep their order. */
const entrySortKey = ({ at, notices, id }: InboxEntry) => at + (notices[0]?.id ?? id)

function entryOfApproval(approval: Approval): InboxEntry {
  const item: Item = { type: 'approval', id: approval.id, title: approval.tool, url: '/approvals' }
  return { id: approval.id, item, notices: [], approval, at: approval.created_at }
}
