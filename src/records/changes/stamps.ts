import { newId } from '../../kernel/ids.ts'
import type { AccessScope } from '../access-scope.ts'
import type { Resource } from '../resource.ts'
import type { ItemTable, Values } from '../row.ts'
import { known } from '../statements.ts'

/** Adds the common columns to a new item: its id, revision, times and creator. */
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

/** Adds the common columns to a new row of a part table. */
export function stampedPart(values: object, { actor, now }: AccessScope): Values {
  return { ...values, org_id: actor.org_id, added_at: now }
}
