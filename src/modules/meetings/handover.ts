import { itemsOfPerson } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'

/** A person's upcoming meetings as organizer, and their open action items. */
export const meetingHandovers: readonly Handover[] = [
  {
    kind: 'meetings',
    listItems: (ctx, { id }) =>
      itemsOfPerson(ctx, 'meetings', {
        column: 'organizer_id',
        person: id,
        isRelevant: ({ takes_place_at }) => takes_place_at > ctx.now,
      }),
  },
  {
    kind: 'action_items',
    listItems: (ctx, { id }) =>
      itemsOfPerson(ctx, 'action_items', { column: 'owner_id', person: id }),
  },
]
