import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { isTimezone, datetimeString } from '../../kernel/fields.ts'
import {
  allResources,
  resourceByPrefix,
  type ItemRef as Reference,
  type Row,
} from '../../records/resource.ts'
import { prefixOf } from '../../kernel/ids.ts'
import { iso, localIso } from '../../kernel/time/times.ts'
import { noticeKinds, channelPreferences, mutedItems } from '../../notify/notifications.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, ItemRef, Ref, trust, trustOf } from '../../records/shapes.ts'
import { notification, reminder } from './access.ts'

export const Notification = shape('Notification', {
  id: z.string(),
  revision: z.int(),
  created_at: datetimeString(),
  updated_at: datetimeString(),
  url: z.string(),
  kind: z.enum(noticeKinds),
  item: ItemRef,
  actor: Ref.optional().describe('who did it; absent if automatic'),
  text: z.string(),
  trust,
  unread: z.boolean(),
  shown_at: datetimeString().describe('since when it is in the list'),
  snoozed_until: datetimeString().optional(),
})

/** Presents visible entries; `readBefore` is inboxes.read_before of their recipient. */
export async function presentNotifications(
  ctx: ReadContext,
  rows: readonly Row<'notifications'>[],
  readBefore: number,
): Promise<z.infer<typeof Notification>[]> {
  const items = await itemsOf(ctx, rows)
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.actor_id),
  )
  return rows.flatMap((row) => {
    const item = items.get(row.item_id)
    if (!item) return []
    const actor = row.actor_id === null ? undefined : people.get(row.actor_id)
    return omitNullish({
      id: row.id,
      revision: row.revision,
      created_at: iso(row.created_at),
      updated_at: iso(row.updated_at),
      url: notification.url(row, ctx.baseUrl),
      kind: row.kind,
      item,
      actor,
      text: row.text,
      ...trustOf(item.trust === 'external'),
      unread: row.read_at === null && row.shown_at > readBefore,
      shown_at: iso(row.shown_at),
      snoozed_until: row.shown_at > ctx.now + 1000 ? iso(row.shown_at) : undefined,
    })
  })
}

/** References to the subjects of entries and reminders, by id, including parts of items. Invisible ones are omitted. */
export async function itemsOf(
  ctx: ReadContext,
  rows: readonly { item_type: string | null; item_id: string | null }[],
): Promise<Map<string, Reference>> {
  const refs = new Map<string, Reference>()
  for (const [type, typeRows] of Map.groupBy(rows, (row) => row.item_type)) {
    const itemResource = allResources().find((resource) => resource.definition.type === type)
    for (const [id, row] of (await itemResource?.among(
      ctx,
      typeRows.flatMap((item) => item.item_id ?? []),
    )) ?? [])
      refs.set(id, itemResource!.ref(row, ctx.baseUrl))
  }
  return refs
}

const timeOfDay = () =>
  z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 22:00')

export const QuietHours = shape('QuietHours', {
  from: timeOfDay(),
  to: timeOfDay(),
  timezone: z.string(),
  except_incidents: z.boolean(),
})

export const NotificationPreferences = shape('NotificationPreferences', {
  events: z.array(
    z.strictObject({ kind: z.enum(noticeKinds), app: z.boolean(), email: z.boolean() }),
  ),
  quiet_hours: QuietHours.nullable().describe('emails wait until they end; null: none'),
  digest: z.enum(['off', 'daily', 'weekly']),
  muted: z.array(ItemRef).describe('items you muted, the latest last'),
  email_delivery: z
    .enum(['configured', 'not_configured'])
    .describe(
      'not_configured: this workspace has no mail server, so notifications appear only in the app',
    ),
})

export async function presentPreferences(
  ctx: ReadContext,
  row: Row<'inboxes'> | undefined,
): Promise<z.infer<typeof NotificationPreferences>> {
  const ids = mutedItems(row?.muted_json ?? null)
  const items = await itemsOf(
    ctx,
    ids.map((id) => ({
      item_type: resourceByPrefix(prefixOf(id))?.definition.type ?? null,
      item_id: id,
    })),
  )
  return {
    events: noticeKinds.map((kind) => ({
      kind,
      ...channelPreferences(row?.events_json ?? null, kind),
    })),
    quiet_hours:
      row && row.quiet_from !== null
        ? {
            from: row.quiet_from,
            to: row.quiet_to!,
            timezone: row.quiet_timezone ?? ctx.actor.timezone,
            except_incidents: row.quiet_except_incidents === 1,
          }
        : null,
    digest: row?.digest ?? 'off',
    muted: ids.flatMap((id) => items.get(id) ?? []),
    email_delivery: ctx.settings.mail_server === '' ? 'not_configured' : 'configured',
  }
}

export const Reminder = shape('Reminder', {
  ...common,
  remind_at: datetimeString().describe('the next time; the last if it is over'),
  remind_local: z.string().describe('in local time of the time zone'),
  timezone: z.string(),
  text: z.string().optional(),
  item: ItemRef.optional(),
  item_hidden: z.literal(true).optional().describe('its item is no longer visible to you'),
  rrule: z.string().optional(),
  status: z.enum(['pending', 'fired', 'cancelled']),
  fired_at: datetimeString().optional().describe('last time it was sent'),
})

/** Presents reminders of the reader. */
export async function presentReminders(
  ctx: ReadContext,
  rows: readonly Row<'reminders'>[],
): Promise<z.infer<typeof Reminder>[]> {
  if (rows.length === 0) return []
  const items = await itemsOf(ctx, rows)
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => {
    const item = row.item_id === null ? undefined : items.get(row.item_id)
    return omitNullish({
      ...commonOf(row, reminder.url(row, ctx.baseUrl), people),
      remind_at: iso(row.remind_at),
      remind_local: localIso(row.remind_at, isTimezone(row.timezone) ? row.timezone : 'UTC'),
      timezone: row.timezone,
      text: row.text,
      item,
      item_hidden: row.item_id !== null && !item ? (true as const) : undefined,
      rrule: row.rrule,
      status: row.status,
      fired_at: row.fired_at === null ? undefined : iso(row.fired_at),
    })
  })
}
