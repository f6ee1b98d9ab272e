import type { Kysely } from 'kysely'
import { tells, type Erased, type Erasure } from '../../privacy/erasure.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Tables } from '../../db/tables.ts'

/** Erases arguments and results; pending calls are denied, as they cannot run without arguments. */
async function forgetApprovals(db: Kysely<Tables>, erased: Erased): Promise<number> {
  const matching = db
    .selectFrom('approvals')
    .select(['id', 'state', 'owner_id', 'created_at'])
    .where('org_id', '=', erased.org_id as Id<'orgs'>)
    .where(tells(['arguments_json', 'result_json'], erased))
  const rows = await matching.execute()
  for (const { id, state, owner_id, created_at } of rows) {
    const denial =
      state === 'pending'
        ? ({ state: 'denied', decided_at: created_at, decided_by: owner_id } as const)
        : {}
    await db
      .updateTable('approvals')
      .set({ arguments_json: '{}', result_json: null, ...denial })
      .where('id', '=', id)
      .execute()
  }
  return rows.length
}

export const approvalErasure: Erasure = { name: 'approvals', erase: forgetApprovals }
