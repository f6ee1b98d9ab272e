import type { Tick } from '../../../operations/jobs/tick.ts'
import { dueMaintenance } from './access.ts'
import { passTime, notifyStateChanges } from './access-states.ts'

const batchSize = 10

/**
 * Sets the states of services when a maintenance begins, and takes them back when it ends. How far one has come is kept in the
 * transaction that does it, so nothing is done twice; what was missed while no process ran is made good, with its own times.
 */
export const turnMaintenance: Tick = {
  name: 'turn_maintenance',
  async run(system) {
    const due = await dueMaintenance(system, batchSize)
    for (const row of due)
      await system.as(row.created_by, async (ctx) =>
        notifyStateChanges(ctx, await passTime(ctx, row)),
      )
    return due.length > 0
  },
}
