import { itemsOfPerson } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** Contacts, companies and open deals of a person. */
export const contactHandovers: readonly Handover[] = [
  {
    kind: 'contacts',
    listItems: (ctx, { id }) => itemsOfPerson(ctx, 'contacts', { column: 'owner_id', person: id }),
  },
  {
    kind: 'companies',
    listItems: (ctx, { id }) => itemsOfPerson(ctx, 'companies', { column: 'owner_id', person: id }),
  },
  {
    kind: 'deals',
    listItems: (ctx, { id }) =>
      itemsOfPerson(ctx, 'deals', {
        column: 'owner_id',
        person: id,
        isRelevant: ({ status }) => status === 'open',
      }),
  },
]
