import { sql, type Expression, type SqlBool } from 'kysely'
import { prepared } from '../../records/prepared.ts'
import type { AnyItem } from '../../records/items.ts'
import { applyOrder } from '../../records/paging.ts'
import {
  allResources,
  itemResources,
  resource,
  type Row,
  type Scoped,
} from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { createInbox } from '../../notify/notifications.ts'

/** Web app page with notification settings. */
export const inboxPath = 'settings/notifications'

/** Notification settings of each person: a private item with the entries as its parts. */
const inbox = resource('inboxes', {
  type: 'inbox',
  prefix: 'ibx',
  see: (s) => s.all.selectFrom('inboxes').where('inboxes.person_id', '=', s.actor.id),
  edit: (s) => s.all.selectFrom('inboxes').where('inboxes.person_id', '=', s.actor.id),
  title: () => 'Notifications',
  path: () => inboxPath,
})

/** Notifications: each person sees their own, as long as they see the item. */
export const notification = resource('notifications', {
  type: 'notification',
  prefix: 'ntf',
  see: visibleEntries,
  edit: visibleEntries,
  title: (row) => row.text,
  path: (row) => `notifications/${row.id}`,
  partOf: {
    table: 'inboxes',
    by: 'inbox_id',
    field: 'notifications',
    value: (row) => ({ id: row.id, read: row.read_at !== null }),
    touch: 'time',
  },
})

function visibleEntries(scope: AccessScope): Scoped<'notifications'> {
  return scope.all
    .selectFrom('notifications')
    .where('notifications.person_id', '=', scope.actor.id)
    .where('notifications.in_app', '=', 1)
    .where(isSubjectVisible(scope))
}

/** Item types of most entries: compared first, before the roughly sixty others. */
const commonTypes = ['task', 'message', 'email', 'event', 'page', 'meeting', 'channel', 'approval']
const noticeTypeRank = (type: string) =>
  commonTypes.includes(type) ? commonTypes.indexOf(type) : commonTypes.length

/** Whether an entry's subject is visible to the actor; checked per entry, by item type. */
export function isSubjectVisible(scope: AccessScope): Expression<SqlBool> {
  const kinds = allResources()
    .filter((item) => item.table !== 'notifications')
    .sort((a, b) => noticeTypeRank(a.definition.type) - noticeTypeRank(b.definition.type))
  const cases = kinds.map(
    (kind) =>
      sql`when ${sql.lit(kind.definition.type)} then ${kind.holds(scope, 'notifications.item_id')}`,
  )
  return sql<SqlBool>`case notifications.item_type ${sql.join(cases, sql` `)} else false end`
}

/** Reminders: visible only to their owner. */
export const reminder = resource('reminders', {
  type: 'reminder',
  prefix: 'rmd',
  see: (s) => s.all.selectFrom('reminders').where('reminders.created_by', '=', s.actor.id),
  edit: (s) => s.all.selectFrom('reminders').where('reminders.created_by', '=', s.actor.id),
  own: (s) => s.all.selectFrom('reminders').where('reminders.created_by', '=', s.actor.id),
  title: (row) => row.text ?? 'Reminder',
  path: (row) => `reminders/${row.id}`,
  unaudited: ['starts', 'item_type', 'fired_at'],
})

/** The caller's inbox; undefined if there are no notifications or settings yet. */
export function ownInbox(viewer: Viewer): Promise<Row<'inboxes'> | undefined> {
  return inbox.visibleTo(viewer).selectAll('inboxes').executeTakeFirst()
}

/** The same, created if missing: not a recorded change, and nothing to undo. */
export async function requireInbox(reader: Viewer): Promise<Row<'inboxes'>> {
  const { all, actor, now } = accessScopeOf(reader)
  const existing = await ownInbox(reader)
  if (existing) return existing
  await createInbox(all, now, { id: actor.id, org_id: actor.org_id })
  return (await ownInbox(reader))!
}

/**
 * Milliseconds by which an entry is shifted if it arrives exactly when everything before was marked read
 * (notifications.ts).
 */
export const shownAtToleranceMs = 20

/** Entries currently in the caller's list. */
export function visibleNotifications(viewer: Viewer): Scoped<'notifications'> {
  return notification
    .visibleTo(viewer)
    .where('notifications.shown_at', '<=', accessScopeOf(viewer).now + shownAtToleranceMs)
}

/** Unread entries in the caller's list; `inbox` is the caller's. */
export function unreadNotifications(
  reader: Viewer,
  inbox: Pick<Row<'inboxes'>, 'read_before'> | undefined,
): Scoped<'notifications'> {
  return visibleNotifications(reader)
    .where('notifications.read_at', 'is', null)
    .where('notifications.shown_at', '>', inbox?.read_before ?? 0)
}

export type NotificationFilter = {
  /** Only unread ones: shown since then. */
  unreadSince: number | null
  /** Only read ones: individually, or all up to then. */
  readUpTo: number | null
  /** True for snoozed entries instead of those in the list. */
  snoozed: boolean
  kinds: readonly string[] | null
  after: number | null
  /** Entry after which it continues. */
  at: number | null
  id: string | null
  limit: number
}

/** List order: latest first. */
export const latestFirst = [
  { by: 'notifications.shown_at', as: 'shown_at', dir: 'desc' },
  { by: 'notifications.id', as: 'id', dir: 'desc' },
] as const

/** `until` for listed ones, `hiddenAt` for snoozed ones: one of them is null. */
type ShownRange = { until: number | null; hiddenAt: number | null }

const listEntries = prepared<
  Omit<NotificationFilter, 'snoozed'> & ShownRange,
  Row<'notifications'>
>((s, { until, hiddenAt, unreadSince, readUpTo, kinds, after, at, id, limit }) => {
  let query = notification.visibleTo(s)
  if (until !== null) query = query.where('notifications.shown_at', '<=', until)
  if (hiddenAt !== null) query = query.where('notifications.shown_at', '>', hiddenAt)
  if (unreadSince !== null)
    query = query
      .where('notifications.read_at', 'is', null)
      .where('notifications.shown_at', '>', unreadSince)
  if (readUpTo !== null)
    query = query.where((eb) =>
      eb.or([
        eb('notifications.read_at', 'is not', null),
        eb('notifications.shown_at', '<=', readUpTo),
      ]),
    )
  if (kinds !== null)
    query = query.where('notifications.kind', 'in', kinds as Row<'notifications'>['kind'][])
  if (after !== null) query = query.where('notifications.shown_at', '>=', after)
  return applyOrder(
    query.selectAll('notifications'),
    latestFirst,
    at === null ? undefined : [at, id],
  ).limit(limit)
})

/**
 * Entries in the caller's list. Compiled once: the condition covers all item types, and building it takes longer than
 * running it.
 */
export function entriesOf(
  viewer: Viewer,
  { snoozed, ...filter }: NotificationFilter,
): Promise<Row<'notifications'>[]> {
  const now = accessScopeOf(viewer).now + shownAtToleranceMs
  return listEntries(viewer, {
    ...filter,
    until: snoozed ? null : now,
    hiddenAt: snoozed ? now : null,
  })
}

/** Maximum number of unread entries that are counted. */
export const maxCounted = 10_000

const unreadByKind = prepared<
  { since: number; until: number; exceptTypes: readonly string[] | null },
  { kind: string; count: number }
>((s, { since, until, exceptTypes }) => {
  const all = notification
    .visibleTo(s)
    .where('notifications.shown_at', '<=', until)
    .where('notifications.read_at', 'is', null)
    .where('notifications.shown_at', '>', since)
  const others =
    exceptTypes === null
      ? all
      : all.where((eb) =>
          eb.or([
            eb('notifications.item_type', 'is', null),
            eb('notifications.item_type', 'not in', exceptTypes as string[]),
          ]),
        )
  const limitedKinds = others.select('notifications.kind').limit(maxCounted)
  return s.all
    .selectFrom(limitedKinds.as('some'))
    .select((eb) => ['some.kind', eb.fn.countAll<number>().as('count')])
    .groupBy('some.kind')
})

/**
 * Counts the caller's unread entries (10,000 stands for more) and the mentions among them; `exceptTypes`: item types
 * that are counted elsewhere.
 */
export async function unreadCount(
  viewer: Viewer,
  exceptTypes: readonly string[] = [],
): Promise<{ unread: number; mentions: number }> {
  const inboxRow = await ownInbox(viewer)
  if (!inboxRow) return { unread: 0, mentions: 0 }
  const countsByKind = await unreadByKind(viewer, {
    since: inboxRow.read_before,
    until: accessScopeOf(viewer).now + shownAtToleranceMs,
    exceptTypes: exceptTypes.length > 0 ? exceptTypes : null,
  })
  return {
    unread: countsByKind.reduce((sum, item) => sum + item.count, 0),
    mentions: countsByKind.find((item) => item.kind === 'mention')?.count ?? 0,
  }
}

/** The caller's pending reminders between two moments (end exclusive), soonest first. */
export function remindersBetween(
  reader: Viewer,
  start: number,
  end: number,
  limit = 101,
): Promise<Row<'reminders'>[]> {
  const pending = reminder
    .visibleTo(reader)
    .selectAll('reminders')
    .where('reminders.status', '=', 'pending')
  return pending
    .where('reminders.remind_at', '>=', start)
    .where('reminders.remind_at', '<', end)
    .orderBy('reminders.remind_at')
    .orderBy('reminders.id')
    .limit(limit)
    .execute()
}

export async function pendingReminders(viewer: Viewer): Promise<number> {
  const { count } = await reminder
    .visibleTo(viewer)
    .where('reminders.status', '=', 'pending')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Item of a reminder, if the caller sees it. */
export async function visibleItemOf(
  reader: Viewer,
  { item_type, item_id }: Pick<Row<'reminders'>, 'item_type' | 'item_id'>,
): Promise<AnyItem | undefined> {
  if (item_id === null) return undefined
  const resource = itemResources().find(
    (itemResource) => itemResource.definition.type === item_type,
  )
  const row = (await resource?.among(reader, [item_id]))?.get(item_id)
  return resource && row && { resource, row: row as AnyItem['row'] }
}
