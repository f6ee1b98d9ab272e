import type { Tick } from '../../../operations/jobs/tick.ts'
import { hasUnprocessedItems, processNextItems } from './access-item-entities.ts'

/**
 * Maintains entities of people, teams, services, contacts and companies, soon after those are created, renamed or
 * deleted.
 */
export const itemEntityTick: Tick = {
  name: 'follow_items_in_the_graph',
  due: hasUnprocessedItems,
  run: processNextItems,
}
