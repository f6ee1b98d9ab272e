import type { WriteContext } from '../../../operations/context.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { dayLength, localIso } from '../../../kernel/time/times.ts'
import {
  recordOnDuty,
  rotasOf,
  schedulesToCheck,
  lastNotifiedOnDuty,
  type ScheduleRow,
} from './access.ts'
import { nextChange, shiftsAt, type Shift } from './shifts.ts'

const batchSize = 20
const clockTolerance = 60_000
/** Maximum interval between checks of an unchanged schedule: people may have been deactivated. */
const maxCheckIntervalMs = 7 * dayLength

/**
 * Notifies of handovers. Notification and its record share a transaction, so that each is sent once, however often
 * the process ends; after a downtime only people currently on call are notified. After a clock correction, those on call
 * at the corrected time are notified.
 */
export const handoverTick: Tick = {
  name: 'hand_over_on_call',
  async run(system) {
    const due = await schedulesToCheck(system, clockTolerance, batchSize)
    let doneCount = 0
    for (const row of due) {
      doneCount += await system
        .as(row.created_by, (ctx) => checkSchedule(ctx, row))
        .then(() => 1)
        .catch((error: unknown) => {
          // An organization without an eligible actor: its schedules wait without delaying others.
          if (error instanceof Refusal) return 0
          throw error
        })
    }
    return doneCount === batchSize
  },
}

async function checkSchedule(ctx: WriteContext, schedule: ScheduleRow): Promise<void> {
  const rota = (
    await rotasOf(ctx, [schedule], { from: ctx.now, until: ctx.now + maxCheckIntervalMs })
  ).get(schedule.id)!
  const currentShifts = shiftsAt(rota, ctx.now)
  const notified = (await lastNotifiedOnDuty(ctx, schedule.id)) ?? {}
  const newShifts = currentShifts.filter((shift) => notified[shift.level] !== shift.person)
  if (newShifts.length > 0) ctx.event('on_call.handover', 'on_call_schedules', schedule)
  for (const shift of newShifts) notifyOnDuty(ctx, schedule, shift)
  await recordOnDuty(
    ctx,
    schedule,
    Object.fromEntries(currentShifts.map((shift) => [shift.level, shift.person])),
    nextChange(rota, ctx.now, ctx.now + maxCheckIntervalMs),
  )
}

function notifyOnDuty(
  ctx: WriteContext,
  schedule: ScheduleRow,
  { person, level, until }: Shift,
): void {
  const end = localIso(until, schedule.timezone).slice(0, 16).replace('T', ' ')
  ctx.notify(
    'assignment',
    [person],
    'on_call_schedules',
    schedule,
    `You are now on call at level ${level} until ${end} (${schedule.timezone})`,
  )
}
