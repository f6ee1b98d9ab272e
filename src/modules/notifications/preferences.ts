import { omitUndefined, omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { timezone } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { invalid } from '../../kernel/refusal.ts'
import { anyItem } from '../../records/items.ts'
import type { Row } from '../../records/resource.ts'
import {
  noticeKinds,
  defaultChannels,
  channelPreferences,
  mutedItems,
  type NoticeKind,
  type NotificationChannels,
} from '../../notify/notifications.ts'
import { requireInbox, ownInbox } from './access.ts'
import { NotificationPreferences, QuietHours, presentPreferences } from './shapes.ts'

const channelInput = z.strictObject({ app: z.boolean().optional(), email: z.boolean().optional() })
const events = z
  .partialRecord(z.enum(noticeKinds), channelInput)
  .describe(
    'by kind, such as {"comment": {"app": true, "email": false}}; omitted kinds and channels stay',
  )
const quietHours = z
  .strictObject({
    from: QuietHours.shape.from.optional(),
    to: QuietHours.shape.to.optional(),
    timezone: timezone().optional(),
    except_incidents: z.boolean().optional(),
  })
  .describe(
    'from and to such as 22:00 and 07:00; timezone: default yours; except_incidents (default true): their emails come at once',
  )

export const getNotificationPreferences = operation({
  name: 'get_notification_preferences',
  searchHint: 'what am I notified about, alert settings',
  kind: 'read',
  rest: 'GET /api/me/notification-preferences',
  about: 'Your notification preferences: events, delivery and quiet hours',
  output: NotificationPreferences,
  handle: async (_, ctx) => presentPreferences(ctx, await ownInbox(ctx)),
})

export const updateNotificationPreferences = operation({
  name: 'update_notification_preferences',
  searchHint: 'mute, quiet hours, stop mailing me, do not notify, digest, turn off alerts',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/me/notification-preferences',
  about: 'Change event choices, delivery or quiet hours; mute or unmute an item',
  on: {
    muted: anyItem.see.maybe
      .named('mute_id')
      .describe('an item of which you hear only mentions, assignments, incidents and reminders'),
    unmuted: anyItem.anywhere.maybe.named('unmute_id'),
  },
  input: {
    events: events.optional(),
    quiet_hours: quietHours.nullable().optional().describe('null: removes them'),
    digest: z
      .enum(['off', 'daily', 'weekly'])
      .optional()
      .describe('one email a day or week instead of single ones'),
  },
  output: NotificationPreferences,
  async handle({ muted, unmuted, events: eventChanges, quiet_hours, digest }, ctx) {
    const row = await requireInbox(ctx)
    const mutedJson =
      muted || unmuted ? updatedMutes(row, muted?.row.id, unmuted?.row.id) : undefined
    const changed = await ctx.change(
      'inboxes',
      row,
      omitUndefined({
        events_json: eventChanges ? mergeEvents(row.events_json, eventChanges) : undefined,
        ...(quiet_hours === undefined ? {} : quietHoursPatch(row, quiet_hours)),
        digest: digest || undefined,
        muted_json: mutedJson,
      }),
    )
    return presentPreferences(ctx, changed)
  },
})

const maxMuted = 500

/** inboxes.muted_json with an item added or removed; above the maximum, the oldest is unmuted. */
function updatedMutes(
  { muted_json }: Row<'inboxes'>,
  muted: string | undefined,
  unmuted: string | undefined,
): string | null {
  const others = mutedItems(muted_json).filter((id) => id !== muted && id !== unmuted)
  const ids = muted === undefined ? others : [...others, muted].slice(-maxMuted)
  return ids.length === 0 ? null : JSON.stringify(ids)
}

type PreferenceChanges = Partial<
  Record<NoticeKind, { app?: boolean | undefined; email?: boolean | undefined }>
>

/** Stores only deviations from the defaults, so that defaults may change. */
function mergeEvents(before: string, changes: PreferenceChanges): string {
  if (changes.security?.app === false)
    throw invalid(
      'events.security.app',
      'notifications about your keys and account cannot be turned off in the app.',
      'You can turn off their emails.',
    )
  const merged: Partial<Record<NoticeKind, NotificationChannels>> = {}
  for (const kind of noticeKinds) {
    const { app, email } = channelPreferences(before, kind)
    const channels = { app: changes[kind]?.app ?? app, email: changes[kind]?.email ?? email }
    if (
      channels.app !== defaultChannels[kind].app ||
      channels.email !== defaultChannels[kind].email
    )
      merged[kind] = channels
  }
  return JSON.stringify(merged)
}

function quietHoursPatch(
  row: Row<'inboxes'>,
  input: z.infer<typeof quietHours> | null,
): Partial<Row<'inboxes'>> {
  if (input === null)
    return { quiet_from: null, quiet_to: null, quiet_timezone: null, quiet_except_incidents: 1 }
  const [from, to] = [input.from ?? row.quiet_from, input.to ?? row.quiet_to]
  if (from === null || to === null)
    throw invalid(
      'quiet_hours',
      'from and to are required.',
      'Send both, such as {"from": "22:00", "to": "07:00"}, or null for no quiet hours.',
    )
  if (from === to)
    throw invalid(
      'quiet_hours',
      'from and to must differ.',
      'To receive no email at all, turn off email in events.',
    )
  return omitNullish({
    quiet_from: from,
    quiet_to: to,
    quiet_timezone: input.timezone,
    ...(input.except_incidents === undefined
      ? {}
      : { quiet_except_incidents: input.except_incidents ? 1 : 0 }),
  })
}
