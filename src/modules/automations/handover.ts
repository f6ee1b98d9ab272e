import { rowsHeld } from '../directory/access-handovers.ts'
import type { Handover } from '../directory/handovers.ts'

/** Automations act with the rights of their owner, so that nobody else can take them over. */
export const automationHandover: Handover = {
  kind: 'automations',
  stays:
    'An automation acts with the rights of its owner: create it again with the key of somebody else, then delete it.',
  async held(ctx, { id }) {
    const rows = await rowsHeld(ctx, 'automations', { column: 'owner_id', person: id })
    return rows.map((row) => ({ table: 'automations' as const, id: row.id }))
  },
}
