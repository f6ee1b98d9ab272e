import { isAmong, count, type Erasure } from '../../privacy/erasure.ts'
import type { Id } from '../../kernel/ids.ts'

/** Notifications and reminders of items are erased with them. */
export const notificationErasures = (['notifications', 'reminders'] as const).map(
  (name): Erasure => ({
    name,
    erase: (db, { org_id, ids }) =>
      count(
        db
          .deleteFrom(name)
          .where('org_id', '=', org_id as Id<'orgs'>)
          .where(isAmong('item_id', ids)),
      ),
  }),
)
