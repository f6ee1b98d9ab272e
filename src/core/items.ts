import { Refusal, notFound } from './refusal.ts'
import { itemResources, resourceByPrefix, type ItemRef, type ItemTable, type Level, type Resource, type Row } from './resource.ts'
import { prefixOf } from './ids.ts'
import { withTrash, type Seer } from './sight.ts'

/** A row of whatever kind, with the resource that it came through. */
export interface AnyItem {
  resource: Resource<ItemTable>
  row: Row<ItemTable> & { id: string }
}

/** A need of an item whose kind only its id tells: `item_id` of list_activity, restore_item and the like. */
export class AnyItemNeed<O extends boolean> {
  declare readonly optional: O
  readonly isOptional: boolean
  readonly level: Level | 'restore'
  readonly wire: string | undefined
  readonly about: string | undefined

  constructor(level: Level | 'restore', isOptional: boolean, wire?: string, about?: string) {
    this.level = level
    this.isOptional = isOptional
    this.wire = wire
    this.about = about
  }

  get maybe(): AnyItemNeed<true> {
    return new AnyItemNeed<true>(this.level, true, this.wire, this.about)
  }

  named(wire: string): AnyItemNeed<O> {
    return new AnyItemNeed<O>(this.level, this.isOptional, wire, this.about)
  }
}

export const anyItem = {
  get see(): AnyItemNeed<false> {
    return new AnyItemNeed<false>('see', false)
  },
  /** An item in the trash that the actor may bring back. */
  get trashed(): AnyItemNeed<false> {
    return new AnyItemNeed<false>('restore', false)
  },
}

/** Finds the item that text names (an id, or a key such as ENG-42) among what the actor may see. */
export async function findItem(from: Seer, text: string, level: Level | 'restore', field: string): Promise<AnyItem> {
  const known = resourceByPrefix(prefixOf(text))
  const candidates = known ? [known] : itemResources().filter(one => one.definition.alias)
  const look = level === 'restore' ? withTrash(from) : from
  for (const resource of candidates) {
    const row = (await resource.find(look, text, 'see')) as (Row<ItemTable> & { id: string }) | undefined
    if (!row) continue
    if (level === 'restore') await demandTrashed(look, resource, row)
    return { resource, row }
  }
  throw notFound('item', field)
}

async function demandTrashed(look: Seer, resource: Resource<ItemTable>, row: { id: string }): Promise<void> {
  if ((row as { deleted_at?: number | null }).deleted_at == null) throw new Refusal('conflict', 'This item is not in the trash.')
  const level = resource.definition.own ? 'own' : 'edit'
  if (!(await resource.find(look, row.id, level))) {
    throw new Refusal('permission_denied', resource.definition.rule?.[level] ?? `You may not restore this ${resource.name}.`)
  }
}

/** References to items of mixed kinds, by id; those out of the actor's sight are left out. */
export async function refsOf(from: Seer, wanted: readonly { type: string; id: string }[], baseUrl: string): Promise<Map<string, ItemRef>> {
  const refs = new Map<string, ItemRef>()
  for (const resource of itemResources()) {
    const ids = wanted.filter(one => one.type === resource.definition.type).map(one => one.id)
    for (const [id, row] of await resource.among(from, ids)) refs.set(id, resource.ref(row, baseUrl))
  }
  return refs
}
