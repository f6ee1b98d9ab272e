import type { Kysely } from 'kysely'
import { count, tells, type Erased, type Erasure } from '../../privacy/erasure.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Tables } from '../../db/tables.ts'

/** Erases the data of automation runs triggered by the items, or with steps that mention them. */
async function eraseRunData(db: Kysely<Tables>, erased: Erased): Promise<number> {
  const runs = await count(
    db
      .updateTable('automation_runs')
      .set({ payload_json: null, conditions_json: null })
      .where('org_id', '=', erased.org_id as Id<'orgs'>)
      .where((eb) =>
        eb.or([
          eb('item_id', 'in', [...erased.ids]),
          tells(['payload_json', 'conditions_json'], erased),
        ]),
      ),
  )
  const erasedColumns = {
    params_json: null,
    value_json: null,
    input_json: '{}',
    output_json: null,
    error_json: null,
  }
  const runsOfItems = db
    .selectFrom('automation_runs')
    .select('id')
    .where('org_id', '=', erased.org_id as Id<'orgs'>)
    .where('item_id', 'in', [...erased.ids])
  const steps = await count(
    db
      .updateTable('automation_steps')
      .set(erasedColumns)
      .where('org_id', '=', erased.org_id as Id<'orgs'>)
      .where((eb) =>
        eb.or([
          eb('run_id', 'in', runsOfItems),
          tells(
            ['items_json', 'params_json', 'value_json', 'input_json', 'output_json', 'error_json'],
            erased,
          ),
        ]),
      ),
  )
  return runs + steps
}

export const automationErasure: Erasure = { name: 'automation_runs', erase: eraseRunData }
