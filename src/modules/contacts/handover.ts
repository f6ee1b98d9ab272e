import { heldInColumn } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** Contacts, companies and open deals of a person. */
export const contactHandovers: readonly Handover[] = [
  {
    kind: 'contacts',
    listItems: (ctx, { id }) => heldInColumn(ctx, 'contacts', { column: 'owner_id', person: id }),
  },
  {
    kind: 'companies',
    listItems: (ctx, { id }) => heldInColumn(ctx, 'companies', { column: 'owner_id', person: id }),
  },
  {
    kind: 'deals',
    listItems: (ctx, { id }) =>
      heldInColumn(ctx, 'deals', {
        column: 'owner_id',
        person: id,
        isHeld: ({ status }) => status === 'open',
      }),
  },
]
