import { z } from 'zod'
import type { WriteContext } from '../../operations/context.ts'
import { jobKind } from '../../operations/jobs/job.ts'
import type { Tick, TickContext } from '../../operations/jobs/tick.ts'
import { nextAfter } from '../../kernel/time/recurrence.ts'
import type { ItemTable, Row } from '../../records/resource.ts'
import { advancedByClock, dueReminder, dueRemindersWithoutJob } from './access-upkeep.ts'
import { visibleItemOf } from './access.ts'

/** The tick runs once a minute, and requests jobs for reminders due before its next run. */
const lookAheadMs = 90_000
const batchSize = 100

/**
 * Fires one reminder: clearing it and notifying its person share a transaction, so that it happens once, however
 * often this runs. Those missed while the server was down, or skipped by a clock jump, come late and once.
 */
export const fireReminder = jobKind({
  name: 'fire_reminder',
  about: 'Sends a reminder that is due',
  args: z.strictObject({ reminder_id: z.string() }),
  async run({ reminder_id }, job) {
    await job.write(async (system) => {
      const row = await dueReminder(system, reminder_id)
      if (row) await system.as(row.created_by, (ctx) => fire(ctx, row))
    })
  },
})

/** Requests jobs for reminders due soon, or due without one. */
export const enqueueDueReminders: Tick = {
  name: 'arm_reminders',
  async run(system) {
    await rescheduleAdvanced(system)
    const due = await dueRemindersWithoutJob(
      system,
      system.now + lookAheadMs,
      fireReminder.name,
      batchSize,
    )
    for (const row of due) await system.as(row.created_by, (ctx) => enqueue(ctx, row))
    return due.length === batchSize
  },
}

/** Requests the job of a new reminder if the tick would be too late. */
export async function enqueueIfSoon(ctx: WriteContext, row: Row<'reminders'>): Promise<void> {
  if (row.remind_at <= ctx.now + lookAheadMs) await enqueue(ctx, row)
}

async function enqueue(ctx: WriteContext, { id, remind_at }: Row<'reminders'>): Promise<void> {
  await ctx.job(
    fireReminder.name,
    { reminder_id: id },
    { runAt: Math.max(ctx.now, remind_at), uniqueKey: id },
  )
}

async function fire(ctx: WriteContext, row: Row<'reminders'>): Promise<void> {
  const next = nextReminderTime(row, Math.max(ctx.now, row.remind_at))
  const fired = await ctx.change(
    'reminders',
    row,
    next === undefined
      ? { status: 'fired', fired_at: ctx.now }
      : { remind_at: next, fired_at: ctx.now },
  )
  const item = await visibleItemOf(ctx, row)
  const defaultText = item
    ? 'You asked to be reminded of this'
    : 'Reminder about an item you can no longer see'
  const text = row.text === null ? defaultText : `Reminder: ${row.text}`
  const [table, subject] = item
    ? [item.resource.table, item.row]
    : (['reminders', fired] as [ItemTable, Row<ItemTable>])
  ctx.notify('reminder', [row.created_by], table, subject, text)
}

function nextReminderTime(
  { rrule, timezone, starts }: Row<'reminders'>,
  after: number,
): number | undefined {
  return rrule === null
    ? undefined
    : nextAfter({ rrule, timezone, start: starts, endsOn: null }, after)
}

/**
 * A clock set forward by days, and corrected, has advanced repeating reminders: they are rescheduled to their next
 * proper time.
 */
async function rescheduleAdvanced(system: TickContext): Promise<void> {
  for (const row of await advancedByClock(system, batchSize)) {
    const next = nextReminderTime(row, system.now)
    if (next !== undefined)
      await system.as(
        row.created_by,
        async (ctx) =>
          void (await ctx.change('reminders', row, { remind_at: next, fired_at: null })),
      )
  }
}
