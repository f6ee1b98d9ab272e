import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { call, readStampOf, type Input, type ReadStamp } from '../../api/client.ts'
import { useSignedIn } from '../../session/session.ts'
import {
  scheduleReload,
  table,
  storeRows,
  useAllRowsOf,
  type ServerEvent,
} from '../../store/index.ts'
import { usePendingApprovals, type Approval } from '../activity/approvals/approvals.ts'
import { entriesOf, tabOf, type InboxEntry, type NotificationRow, type Tab } from './entries.ts'

const pageSize = 100
/** Maximum unread notifications loaded; if there are more, the latest ones. */
const maxUnread = 500
/** Reminders and snoozed entries arrive without an event. */
const refetchMs = 60_000

const filters: Readonly<Record<Tab, Input<'list_notifications'>>> = {
  inbox: { unread: true },
  later: { snoozed: true },
  done: { unread: false },
}

export interface LoadedInbox {
  entries: readonly InboxEntry[]
  isLoaded: boolean
  error: Error | null
  retry: () => void
}

const noApprovals: readonly Approval[] = []

/** Items waiting for the reader; updated live. */
export function useInbox(tab: Tab): LoadedInbox {
  const { person } = useSignedIn()
  const inboxQuery = useQuery({
    queryKey: ['inbox', tab],
    queryFn: ({ signal }) => loadInbox(tab, signal),
    refetchInterval: refetchMs,
    staleTime: refetchMs,
    meta: { affectedBy: (event: ServerEvent) => mayNotify(event, person.id) },
  })
  const { refetch } = inboxQuery
  const notices = useAllRowsOf(
    'notification',
    useCallback((notice: NotificationRow) => tabOf(notice) === tab, [tab]),
  )
  const approvalsQuery = usePendingApprovals()
  const approvals = tab === 'inbox' ? (approvalsQuery.data?.items ?? noApprovals) : noApprovals
  const entries = useMemo(() => entriesOf(notices, approvals, tab), [notices, approvals, tab])
  return {
    entries,
    isLoaded: inboxQuery.isSuccess && !approvalsQuery.isPending,
    error: inboxQuery.error ?? approvalsQuery.error,
    retry: () => void Promise.all([refetch(), approvalsQuery.refetch()]),
  }
}

async function loadInbox(tab: Tab, signal: AbortSignal): Promise<number> {
  const notifications: NotificationRow[] = []
  let reading: ReadStamp | undefined
  let cursor: string | undefined
  do {
    const page = await call(
      'list_notifications',
      { ...filters[tab], limit: pageSize, ...(cursor === undefined ? {} : { cursor }) },
      signal,
    )
    notifications.push(...page.items)
    reading ??= readStampOf(page) // of the first page, which was read first
    cursor = tab === 'inbox' ? page.next_cursor : undefined
  } while (cursor !== undefined && notifications.length < maxUnread)
  storeRows('notification', notifications, reading)
  refetchMoved(tab, notifications, cursor !== undefined)
  return notifications.length
}

/** Reloads notifications that left their tab: they were handled elsewhere, or their item is no longer visible. */
function refetchMoved(tab: Tab, notices: readonly NotificationRow[], hasMore: boolean): void {
  if (tab === 'done' || hasMore) return
  const loadedIds = new Set(notices.map((notice) => notice.id))
  const moved = [...table('notification').all()].filter(
    (notice) => tabOf(notice) === tab && !loadedIds.has(notice.id),
  )
  if (moved.length > 0)
    scheduleReload(
      'notification',
      moved.map((notice) => notice.id),
    )
}

/**
 * True if an event may have caused a notification: an action of others, or a change of the inbox elsewhere. People
 * are not notified of their own actions, except of automatic ones.
 */
function mayNotify({ item, actor, via }: ServerEvent, personId: string): boolean {
  if (item?.type === 'inbox') return true
  return actor?.id !== personId || via === 'automation' || via === 'sync'
}
