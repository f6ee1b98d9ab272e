import type { Tick } from '../../operations/jobs/tick.ts'
import { longTimers, markNotified } from './access.ts'

const longTimerMs = 10 * 3600_000
const maxTimers = 50

/** Notifies people once of their timers that have been running for ten hours; most were forgotten. */
export const notifyLongTimers: Tick = {
  name: 'tell_long_timers',
  async run(system) {
    const timers = await longTimers(system, system.now - longTimerMs, maxTimers)
    for (const row of timers) {
      await system.as(row.person_id, async (ctx) => {
        ctx.event('timer.running_long', 'time_entries', row)
        ctx.notify(
          'due',
          [row.person_id],
          'time_entries',
          row,
          'Your timer has been running for more than 10 hours',
        )
      })
    }
    await markNotified(
      system,
      timers.map((row) => row.id),
    )
    return timers.length === maxTimers
  },
}
