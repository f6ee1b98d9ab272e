import type { Kysely } from 'kysely'
import { count, type Erased, type Erasure } from '../../privacy/erasure.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Tables } from '../../db/tables.ts'

/** Erases the payloads of deliveries about the items. */
async function erasePayloads(db: Kysely<Tables>, erased: Erased): Promise<number> {
  const changesOfItems = db
    .selectFrom('changes')
    .select('seq')
    .where('item_id', 'in', [...erased.ids])
  return count(
    db
      .updateTable('webhook_deliveries')
      .set({ payload_json: null })
      .where('org_id', '=', erased.org_id as Id<'orgs'>)
      .where('change_seq', 'in', changesOfItems)
      .where('payload_json', 'is not', null),
  )
}

export const webhookErasure: Erasure = { name: 'webhook_deliveries', erase: erasePayloads }
