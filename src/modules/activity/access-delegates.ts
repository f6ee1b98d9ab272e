// Keys of an organization as delegates of tasks: who may choose which, and what is shown of them.
import { equalsText } from '../../db/text-conditions.ts'
import { keyState, type KeyState } from '../../keys/list.ts'
import { isAdmin } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { omitNullish } from '../../kernel/present.ts'
import { type AccessScope, type Viewer, accessScopeOf } from '../../records/access-scope.ts'
import type { Row } from '../../records/resource.ts'
import type { Ref } from '../../records/shapes.ts'

/** Keys whose names the actor may know: their own, and for an administrator all in the organization. */
function knownKeys({ all, actor }: AccessScope) {
  const keys = all.selectFrom('api_keys').where('api_keys.org_id', '=', actor.org_id)
  return isAdmin(actor) ? keys : keys.where('api_keys.owner_id', '=', actor.id)
}

/** Key names: the actor's own, and for an administrator all in the organization. */
export async function keyNames(
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await knownKeys(accessScopeOf(viewer))
    .select(['api_keys.id', 'api_keys.name'])
    .where('api_keys.id', 'in', ids as Id<'api_keys'>[])
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

/**
 * Keys named by a text, of those whose names the actor may know: an id, `me` or `current` for the call's key, or a
 * name; if several share a name, those that have not ended.
 */
export async function keysNamed(reader: Viewer, text: string): Promise<Row<'api_keys'>[]> {
  const s = accessScopeOf(reader)
  const keyQuery = knownKeys(s).selectAll('api_keys')
  if (text === 'me' || text === 'current')
    return s.actor.key === undefined
      ? []
      : keyQuery.where('api_keys.id', '=', s.actor.key.id).execute()
  const byId = await keyQuery.where('api_keys.id', '=', text as Id<'api_keys'>).execute()
  if (byId.length > 0) return byId
  const byName = await keyQuery
    .where(equalsText('api_keys.name', text.trim()))
    .orderBy('api_keys.id')
    .limit(20)
    .execute()
  const notRevoked = byName.filter((row) => row.revoked_at === null)
  return notRevoked.length > 0 ? notRevoked : byName
}

/** Ids of the actor's keys, the newest 400, including ended ones. */
export async function ownKeyIds(viewer: Viewer): Promise<Id<'api_keys'>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('api_keys')
    .select('id')
    .where('owner_id', '=', actor.id)
    .orderBy('id', 'desc')
    .limit(400)
    .execute()
  return rows.map((row) => row.id)
}

/** A key delegated to an item. Its id and name are shown to its owner and to administrators. */
export interface ShownDelegate {
  id?: string
  title?: string
  owner: Ref
  state: 'active' | 'paused' | 'ended'
}

/** The given keys of the organization, by id. */
export async function delegatesOf(
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, ShownDelegate>> {
  if (ids.length === 0) return new Map()
  const s = accessScopeOf(viewer)
  const rows = await s.all
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .selectAll('api_keys')
    .select(['users.display_name', 'users.status'])
    .where('api_keys.org_id', '=', s.actor.org_id)
    .where('api_keys.id', 'in', [...new Set(ids)] as Id<'api_keys'>[])
    .execute()
  const isKnown = (owner: string) => owner === s.actor.id || isAdmin(s.actor)
  return new Map(
    rows.map((row) => [
      row.id,
      omitNullish({
        id: isKnown(row.owner_id) ? row.id : undefined,
        title: isKnown(row.owner_id) ? row.name : undefined,
        owner: { id: row.owner_id, title: row.display_name },
        state: delegateStates[keyState(row, s.now)],
      }),
    ]),
  )
}

/** For delegation it matters only whether a key works now, may work again, or has ended. */
const delegateStates: Readonly<Record<KeyState, ShownDelegate['state']>> = {
  active: 'active',
  paused: 'paused',
  suspended: 'paused',
  owner_deactivated: 'paused',
  expired: 'ended',
  revoked: 'ended',
}
