import { newId } from '../../kernel/ids.ts'
import type { AccessScope } from '../access-scope.ts'
import type { Resource } from '../resource.ts'
import type { ItemTable, Values } from '../row.ts'
import { known } from '../statements.ts'

/** The values of a new item with what every item has: its id, revision, times and maker. */
export function stampedItem(
  resource: Resource<ItemTable>,
  values: object,
  { actor, now }: AccessScope,
): Values {
  const stamp = {
    id: newId(resource.definition.prefix, now),
    org_id: actor.org_id,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: actor.id,
    created_via: actor.via,
  }
  return { ...values, ...known(resource.table, stamp) }
}

/** The values of a new row of a part table with those that every such row has. */
export function stampedPart(values: object, { actor, now }: AccessScope): Values {
  return { ...values, org_id: actor.org_id, added_at: now }
}
