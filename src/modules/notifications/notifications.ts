import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { datetime, pageOf, paging } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { cut, readPlace, pageWithItems, writePlace } from '../../records/paging.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { Row, Scoped } from '../../records/resource.ts'
import { parseInstant, iso } from '../../kernel/time/times.ts'
import { noticeKinds } from '../../notify/notifications.ts'
import { BulkResult } from '../../records/shapes.ts'
import {
  maxCounted,
  requireInbox,
  entriesOf,
  latestFirst,
  notification,
  ownInbox,
  shownAtToleranceMs,
  unreadNotifications,
} from './access.ts'
import { Notification, presentNotifications } from './shapes.ts'

/** Maximum entries snoozed by one call, each of which is written. */
const maxSnoozed = 500
const maxListed = 100

export const listNotifications = operation({
  name: 'list_notifications',
  searchHint: 'alerts, pings, what was I notified about, mentions',
  kind: 'read',
  rest: 'GET /api/notifications',
  about: 'Your notifications with the item each is about',
  input: {
    unread: z.boolean().optional().describe('true: only unread ones; false: only read ones'),
    snoozed: z.boolean().optional().describe('true: those hidden until later instead'),
    kind: z.array(z.enum(noticeKinds)).min(1).max(noticeKinds.length).optional(),
    after: datetime().optional(),
    ...paging,
  },
  output: pageOf(Notification),
  async handle({ unread: unreadFilter, snoozed = false, kind, after, limit, cursor }, ctx) {
    const inboxRow = await ownInbox(ctx)
    const readBefore = inboxRow?.read_before ?? 0
    const [at, id] =
      cursor === undefined ? [null, null] : (readPlace(latestFirst, cursor) as [number, string])
    const rows = await entriesOf(ctx, {
      unreadSince: unreadFilter === true ? readBefore : null,
      readUpTo: unreadFilter === false ? readBefore : null,
      snoozed,
      kinds: kind ?? null,
      after: after === undefined ? null : parseInstant(after, ctx.actor.timezone, 'start', 'after'),
      at,
      id,
      limit: limit + 1,
    })
    const page = cut(rows, limit, ({ shown_at, id }) => writePlace(latestFirst, { shown_at, id }))
    return pageWithItems(page, await presentNotifications(ctx, page.items, readBefore))
  },
})

export const markNotificationsRead = operation({
  name: 'mark_notifications_read',
  searchHint: 'clear alerts, dismiss, snooze a notification',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/notifications/mark-read',
  about: 'Mark some or all notifications read, or hide them until later, or mark some unread',
  on: { notifications: notification.edit.many.maybe },
  input: {
    all: z.boolean().optional().describe('all in the list'),
    before: datetime().optional().describe('all in the list from before this time'),
    snooze_until: datetime()
      .optional()
      .describe('instead, hides them until then; they return unread'),
    unread: z
      .literal(true)
      .optional()
      .describe('instead, marks those of notification_ids unread again'),
  },
  output: BulkResult,
  async handle({ notifications, all, before, snooze_until, unread: isUnread }, ctx) {
    if (isUnread) {
      if (!notifications || snooze_until !== undefined)
        throw invalid(
          'unread',
          'applies to notification_ids alone.',
          'Send notification_ids and unread: true, nothing else.',
        )
      return markUnread(ctx, notifications)
    }
    if (notifications && (all || before !== undefined))
      throw invalid('notification_ids', 'cannot be combined with all or before.')
    const until = snooze_until === undefined ? undefined : requireLater(ctx, snooze_until)
    if (notifications) return markByIds(ctx, notifications, until)
    if (!all && before === undefined)
      throw invalid(
        'notification_ids',
        'no notifications selected.',
        'Send notification_ids, all: true, or before.',
      )
    const lastShownAt =
      before === undefined
        ? Infinity
        : parseInstant(before, ctx.actor.timezone, 'start', 'before') - 1
    return until === undefined ? markUpTo(ctx, lastShownAt) : snoozeUpTo(ctx, lastShownAt, until)
  },
})

function requireLater(ctx: ReadContext, text: string): number {
  const until = parseInstant(text, ctx.actor.timezone, 'start', 'snooze_until')
  if (until <= ctx.now)
    throw invalid('snooze_until', `${iso(until)} has passed.`, 'Send a future time.')
  return until
}

type Result = z.infer<typeof BulkResult>

async function markByIds(
  ctx: WriteContext,
  rows: readonly Row<'notifications'>[],
  until: number | undefined,
): Promise<Result> {
  const { read_before } = await requireInbox(ctx)
  const isDone = (row: Row<'notifications'>) =>
    until === undefined
      ? row.read_at !== null || row.shown_at <= read_before
      : row.read_at === null && row.shown_at === until
  const due = rows.filter((row) => !isDone(row))
  for (const row of due)
    await ctx.change(
      'notifications',
      row,
      until === undefined ? readColumns(ctx, row) : { read_at: null, shown_at: until },
    )
  const skipped = rows.filter(isDone).map((row) => ({
    id: row.id,
    reason: until === undefined ? 'already read' : 'already hidden until then',
  }))
  return result(ctx, { requested: rows.length, changed: due.length, rows: due, skipped })
}

/** Marks entries unread; snoozed ones return to the list, too. */
async function markUnread(
  ctx: WriteContext,
  rows: readonly Row<'notifications'>[],
): Promise<Result> {
  const { read_before } = await requireInbox(ctx)
  const isRead = (row: Row<'notifications'>) =>
    row.read_at !== null ||
    row.shown_at <= read_before ||
    row.shown_at > ctx.now + shownAtToleranceMs
  const due = rows.filter(isRead)
  for (const row of due)
    await ctx.change('notifications', row, {
      read_at: null,
      shown_at: Math.max(Math.min(row.shown_at, ctx.now), read_before + 1),
    })
  const skipped = rows
    .filter((row) => !isRead(row))
    .map(({ id }) => ({ id, reason: 'already unread' }))
  return result(ctx, { requested: rows.length, changed: due.length, rows: due, skipped })
}

/** Columns of an entry that is marked read; a snoozed one returns to the list. */
function readColumns(
  { now }: ReadContext,
  { shown_at }: Row<'notifications'>,
): Partial<Row<'notifications'>> {
  return { read_at: now, shown_at: Math.min(shown_at, now) }
}

/** Marks entries read by moving a single mark, regardless of their number; undo moves it back. */
async function markUpTo(ctx: WriteContext, lastShownAt: number): Promise<Result> {
  const inboxRow = await requireInbox(ctx)
  const due = upTo(unreadNotifications(ctx, inboxRow), lastShownAt)
  const rows = await due
    .selectAll('notifications')
    .orderBy('notifications.shown_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(maxListed)
    .execute()
  const { length } =
    rows.length < maxListed
      ? rows
      : await due.select('notifications.id').limit(maxCounted).execute()
  if (length > 0)
    await ctx.change('inboxes', inboxRow, {
      read_before: Math.max(Math.min(lastShownAt, ctx.now), rows[0]!.shown_at),
    })
  return result(ctx, { requested: length, changed: length, rows, skipped: [] })
}

function upTo(entries: Scoped<'notifications'>, lastShownAt: number): Scoped<'notifications'> {
  return lastShownAt === Infinity
    ? entries
    : entries.where('notifications.shown_at', '<=', lastShownAt)
}

async function snoozeUpTo(ctx: WriteContext, lastShownAt: number, until: number): Promise<Result> {
  const due = upTo(unreadNotifications(ctx, await requireInbox(ctx)), lastShownAt)
  const rows = await due
    .selectAll('notifications')
    .orderBy('notifications.shown_at', 'desc')
    .limit(maxSnoozed + 1)
    .execute()
  if (rows.length > maxSnoozed) {
    throw new Refusal('too_large', `Only ${maxSnoozed} notifications can be hidden in one call.`, {
      hint: 'Name fewer with notification_ids, or mark the older ones read with before.',
    })
  }
  for (const row of rows) await ctx.change('notifications', row, { shown_at: until })
  return result(ctx, { requested: rows.length, changed: rows.length, rows, skipped: [] })
}

function result(
  ctx: WriteContext,
  outcome: {
    requested: number
    changed: number
    rows: readonly Row<'notifications'>[]
    skipped: Result['skipped']
  },
): Result {
  return {
    requested: outcome.requested,
    matched: outcome.requested,
    changed: outcome.changed,
    skipped: outcome.skipped,
    failed: [],
    items: outcome.rows.slice(0, maxListed).map((row) => notification.ref(row, ctx.baseUrl)),
    dry_run: ctx.dryRun,
    ...(outcome.changed > 0 ? { undo_call_id: ctx.callId } : {}),
  }
}
