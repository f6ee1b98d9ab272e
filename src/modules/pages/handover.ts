import { rowsOfPerson } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** Pages keep their owner: readers keep access, and private ones stay private. */
export const pageHandover: Handover = {
  kind: 'pages',
  reasonToStay:
    'Pages keep their owner, and their readers keep access. Private pages stay private: their owner can share or move them before leaving.',
  async listItems(ctx, { id }) {
    const rows = await rowsOfPerson(ctx, 'pages', { column: 'owner_id', person: id })
    return rows.map((row) => ({ table: 'pages' as const, id: row.id }))
  },
}
