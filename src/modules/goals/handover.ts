import { itemsOfPerson } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** A person's unfinished goals and key results. */
export const goalHandovers: readonly Handover[] = [
  {
    kind: 'goals',
    listItems: (ctx, { id }) =>
      itemsOfPerson(ctx, 'goals', {
        column: 'owner_id',
        person: id,
        isRelevant: ({ status }) => status === 'draft' || status === 'active',
      }),
  },
  {
    kind: 'key_results',
    listItems: (ctx, { id }) =>
      itemsOfPerson(ctx, 'key_results', { column: 'owner_id', person: id }),
  },
]
