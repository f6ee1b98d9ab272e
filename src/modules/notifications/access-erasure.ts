import { anyOf, count, type Erasure } from '../../core/forget.ts'
import type { Id } from '../../core/ids.ts'

/** Notices and reminders of items go with them. */
export const noticeErasures = (['notifications', 'reminders'] as const).map(
  (name): Erasure => ({
    name,
    erase: (db, { org_id, ids }) =>
      count(
        db
          .deleteFrom(name)
          .where('org_id', '=', org_id as Id<'orgs'>)
          .where(anyOf('item_id', ids)),
      ),
  }),
)
