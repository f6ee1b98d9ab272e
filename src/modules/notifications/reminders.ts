import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { datetime, pageOf, paging, secret, timezone } from '../../kernel/fields.ts'
import { anyItem, type AnyItem } from '../../records/items.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import {
  nextAfter,
  parseRule,
  wallTime,
  withMonthEnds,
  type Repeat,
} from '../../kernel/time/recurrence.ts'
import type { Row } from '../../records/resource.ts'
import { parseInstant, iso } from '../../kernel/time/times.ts'
import { deletedRef } from '../directory/shapes.ts'
import { DeletedRef } from '../../records/shapes.ts'
import { pendingReminders, reminder } from './access.ts'
import { enqueueIfSoon } from './due-reminders.ts'
import { Reminder, presentReminders } from './shapes.ts'

const maxPending = 1000

export const createReminder = operation({
  name: 'create_reminder',
  searchHint: 'remind me, alarm, nudge me, ping me later, do not let me forget, follow up later',
  kind: 'write',
  rest: 'POST /api/reminders',
  about: 'Set a reminder for yourself, about any item or free text, once or repeating',
  on: { item: anyItem.see.maybe },
  input: {
    remind_at: datetime().describe(
      'the first time; a date alone means the start of that day, a time without offset is local',
    ),
    text: secret(z.string().min(1).max(2000).regex(/\S/, 'must not be blank'))
      .optional()
      .describe('required without an item'),
    rrule: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('RFC 5545, such as FREQ=WEEKLY;BYDAY=MO; counted from remind_at'),
    timezone: timezone().optional().describe('time zone of remind_at and rrule; default: yours'),
  },
  output: Reminder,
  async handle({ item, remind_at, text, rrule, timezone }, ctx) {
    if (!item && text === undefined)
      throw invalid(
        'text',
        'a reminder needs a text or an item.',
        'Send a text, an item_id, or both.',
      )
    const zone = timezone ?? ctx.actor.timezone
    const first = Math.floor(parseInstant(remind_at, zone, 'start', 'remind_at') / 1000) * 1000
    const repeat =
      rrule === undefined
        ? undefined
        : {
            rrule: withMonthEnds(parseRule(rrule), wallTime(first, zone)).rrule,
            timezone: zone,
            start: wallTime(first, zone),
            endsOn: null,
          }
    await checkPendingCount(ctx)
    const row = await ctx.add('reminders', {
      text: text?.trim() ?? null,
      ...itemColumns(item),
      remind_at: firstFutureTime(ctx, first, remind_at, repeat),
      rrule: repeat?.rrule ?? null,
      timezone: zone,
      starts: wallTime(first, zone),
      status: 'pending',
    })
    await enqueueIfSoon(ctx, row)
    return presentReminder(ctx, row)
  },
})

function itemColumns(item: AnyItem | undefined): Pick<Row<'reminders'>, 'item_type' | 'item_id'> {
  return { item_type: item?.resource.definition.type ?? null, item_id: item?.row.id ?? null }
}

/** A rule may already have begun; a single time must be in the future. */
function firstFutureTime(
  { now }: ReadContext,
  first: number,
  remindAt: string,
  repeat: Repeat | undefined,
): number {
  if (first > now) return first
  if (!repeat)
    throw invalid(
      'remind_at',
      `${iso(first)} has passed.`,
      remindAt.length === 10
        ? 'A date alone means the start of that day: add a time.'
        : 'Send a future time.',
    )
  const next = nextAfter(repeat, now)
  if (next === undefined)
    throw invalid(
      'rrule',
      'has no future occurrence.',
      'Check UNTIL, COUNT, and days that no month has.',
    )
  return next
}

async function checkPendingCount(ctx: WriteContext): Promise<void> {
  if ((await pendingReminders(ctx)) < maxPending) return
  throw new Refusal(
    'conflict',
    `You have ${maxPending} pending reminders, the maximum per person.`,
    'Cancel some with cancel_reminder.',
  )
}

export const listReminders = operation({
  name: 'list_reminders',
  searchHint: 'my alarms, what will I be reminded of',
  kind: 'read',
  rest: 'GET /api/reminders',
  about: 'Your pending reminders',
  on: { item: anyItem.see.maybe },
  input: { before: datetime().optional(), ...paging },
  output: pageOf(Reminder),
  async handle({ item, before, limit, cursor }, ctx) {
    let query = reminder
      .visibleTo(ctx)
      .selectAll('reminders')
      .where('reminders.status', '=', 'pending')
    if (item) query = query.where('reminders.item_id', '=', item.row.id)
    if (before !== undefined)
      query = query.where(
        'reminders.remind_at',
        '<',
        parseInstant(before, ctx.actor.timezone, 'start', 'before'),
      )
    const page = await paged(
      query,
      [
        { by: 'reminders.remind_at', as: 'remind_at', dir: 'asc' },
        { by: 'reminders.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentReminders(ctx, page.items))
  },
})

export const cancelReminder = operation({
  name: 'cancel_reminder',
  searchHint: 'do not remind me, remove an alarm',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/reminders/{reminder_id}',
  about: 'Cancel a reminder',
  on: { reminder: reminder.own },
  output: DeletedRef,
  async handle({ reminder: row }, ctx) {
    if (row.status === 'fired')
      throw new Refusal(
        'conflict',
        `This reminder was already sent at ${iso(row.fired_at ?? row.remind_at)} and cannot be canceled.`,
      )
    await ctx.change('reminders', row, { status: 'cancelled' })
    return deletedRef(ctx, reminder.ref(row, ctx.baseUrl), [], { erased: true })
  },
})

async function presentReminder(ctx: ReadContext, row: Row<'reminders'>) {
  return (await presentReminders(ctx, [row]))[0]!
}
