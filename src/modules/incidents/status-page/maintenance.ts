import type { Tick } from '../../../operations/jobs/tick.ts'
import { dueMaintenance } from './access.ts'
import { advanceMaintenance, notifyStateChanges } from './access-states.ts'

const batchSize = 10

/**
 * Sets services' states when a maintenance starts, and reverts them when it ends. Progress is stored in the same
 * transaction, so nothing is repeated; anything missed while no process ran is caught up with its original times.
 */
export const maintenanceTick: Tick = {
  name: 'turn_maintenance',
  async run(system) {
    const due = await dueMaintenance(system, batchSize)
    for (const row of due)
      await system.as(row.created_by, async (ctx) =>
        notifyStateChanges(ctx, await advanceMaintenance(ctx, row)),
      )
    return due.length > 0
  },
}
