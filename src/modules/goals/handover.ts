import { heldInColumn } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** A person's unfinished goals and key results. */
export const goalHandovers: readonly Handover[] = [
  {
    kind: 'goals',
    listItems: (ctx, { id }) =>
      heldInColumn(ctx, 'goals', {
        column: 'owner_id',
        person: id,
        isHeld: ({ status }) => status === 'draft' || status === 'active',
      }),
  },
  {
    kind: 'key_results',
    listItems: (ctx, { id }) =>
      heldInColumn(ctx, 'key_results', { column: 'owner_id', person: id }),
  },
]
