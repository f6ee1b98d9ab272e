import type { Tick } from '../../../operations/jobs/tick.ts'
import { entitiesBehind, followItems } from './access-item-entities.ts'

/**
 * Maintains entities of people, teams, services, contacts and companies, soon after those are created, renamed or
 * deleted.
 */
export const followNames: Tick = {
  name: 'follow_items_in_the_graph',
  due: entitiesBehind,
  run: followItems,
}
