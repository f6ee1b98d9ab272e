import { rowsOfPerson } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** Automations act with their owner's rights, so they stay with the owner. */
export const automationHandover: Handover = {
  kind: 'automations',
  reasonToStay:
    'An automation acts with the rights of its owner: create it again with the key of another person, then delete it.',
  async listItems(ctx, { id }) {
    const rows = await rowsOfPerson(ctx, 'automations', { column: 'owner_id', person: id })
    return rows.map((row) => ({ table: 'automations' as const, id: row.id }))
  },
}
