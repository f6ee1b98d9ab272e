import { denied, notFound, Refusal } from '../kernel/refusal.ts'
import {
  itemResources,
  resourceByPrefix,
  type ItemTable,
  type Level,
  type Resource,
  type Row,
} from './resource.ts'
import { prefixOf } from '../kernel/ids.ts'
import { maxCandidates } from './lookup/names.ts'
import { extensionOf } from './resource-extensions.ts'
import {
  accessScope,
  accessScopeOf,
  withTrash,
  type Viewer,
  type AccessScope,
} from './access-scope.ts'

/** A row of any kind, with its resource. */
export interface AnyItem {
  resource: Resource<ItemTable>
  row: Row<ItemTable> & { id: string }
}

/** `anywhere`: visible, in the trash or not; `restore`: in the trash, and the actor may restore it. */
export type ItemLevel = Level | 'restore' | 'anywhere'

/**
 * A parameter for an item whose kind is determined by its id: `item_id` of list_activity, restore_item and the like.
 */
export class AnyItemParam<O extends boolean> {
  declare readonly optional: O
  readonly isOptional: boolean
  readonly level: ItemLevel
  readonly wire: string | undefined
  readonly about: string | undefined
  /** The accepted types; undefined: all. */
  readonly types: readonly string[] | undefined

  constructor(
    level: ItemLevel,
    isOptional: boolean,
    wire?: string,
    about?: string,
    types?: readonly string[],
  ) {
    this.level = level
    this.isOptional = isOptional
    this.wire = wire
    this.about = about
    this.types = types
  }

  get maybe(): AnyItemParam<true> {
    return new AnyItemParam<true>(this.level, true, this.wire, this.about, this.types)
  }

  named(wire: string): AnyItemParam<O> {
    return new AnyItemParam<O>(this.level, this.isOptional, wire, this.about, this.types)
  }

  /** Sets the description of the argument. */
  describe(about: string): AnyItemParam<O> {
    return new AnyItemParam<O>(this.level, this.isOptional, this.wire, about, this.types)
  }

  /** Accepts only items of these types: others are not found. */
  of(...types: string[]): AnyItemParam<O> {
    return new AnyItemParam<O>(this.level, this.isOptional, this.wire, this.about, types)
  }
}

export const anyItem = {
  get see(): AnyItemParam<false> {
    return new AnyItemParam<false>('see', false)
  },
  /** An item that the actor can see, in the trash or not. */
  get anywhere(): AnyItemParam<false> {
    return new AnyItemParam<false>('anywhere', false)
  },
  /** An item in the trash that the actor may restore. */
  get trashed(): AnyItemParam<false> {
    return new AnyItemParam<false>('restore', false)
  },
}

/** The id prefix of example values for such a parameter. */
export function defaultPrefix({ types }: AnyItemParam<boolean>): string {
  return (
    itemResources().find((itemResource) => itemResource.definition.type === types?.[0])?.definition
      .prefix ?? 'tsk'
  )
}

/**
 * Finds an item that the actor can see: by id, by a key such as ENG-42 or an address of this instance, or by a name
 * that is unique among items of all kinds.
 * @throws Refusal not_found, with candidates if names are similar; invalid_argument if several items have the
 * name
 */
export async function findItem(
  viewer: Viewer,
  text: string,
  level: ItemLevel,
  field: string,
): Promise<AnyItem> {
  const prefixResource = resourceByPrefix(prefixOf(text))
  const isAddress = /^(https?|workspace):\/\//i.test(text)
  const candidates = prefixResource
    ? [prefixResource]
    : itemResources().filter((itemResource) => isAddress || itemResource.definition.alias)
  const scope =
    level === 'restore' || level === 'anywhere' ? withTrash(viewer) : accessScopeOf(viewer)
  for (const resource of candidates) {
    const row = (await findIn(scope, resource, text, level)) as
      | (Row<ItemTable> & { id: string })
      | undefined
    if (!row) continue
    if (level === 'restore') await requireTrashed(scope, resource, row)
    return { resource, row }
  }
  if (prefixOf(text) || isAddress)
    throw notFound(
      'item',
      field,
      prefixResource && extensionOf(prefixResource, 'refusals')?.insteadOfUnknown(text),
    )
  const matches = await itemsNamed(scope, text, level)
  if (matches.length > 1)
    throw new Refusal('invalid_argument', `"${text.slice(0, 100)}" matches more than one item.`, {
      field,
      hint: 'Use an id.',
      context: { candidates: await candidatesOf(scope, matches) },
    })
  const [match] = matches
  if (!match) throw await unknownItem(scope, text, field)
  if (level === 'restore') await requireTrashed(scope, match.resource, match.row)
  return match
}

/** Items of any kind with this name. For a restore, those in the trash, even if another item has the name now. */
async function itemsNamed(scope: AccessScope, text: string, level: ItemLevel): Promise<AnyItem[]> {
  const trashed = level === 'restore' ? await allNamed(scope, text, 'trashed') : []
  return trashed.length > 0 ? trashed : allNamed(scope, text)
}

async function allNamed(scope: AccessScope, text: string, only?: 'trashed'): Promise<AnyItem[]> {
  const items: AnyItem[] = []
  for (const resource of itemResources().filter(
    (itemResource) =>
      itemResource.definition.names && (only === undefined || itemResource.trashable),
  )) {
    const rows = await resource.named(scope, text, { exact: true }, only)
    items.push(...rows.map((row) => ({ resource, row: row as AnyItem['row'] })))
  }
  return items
}

async function unknownItem(scope: AccessScope, text: string, field: string): Promise<Refusal> {
  const similarItems: AnyItem[] = []
  for (const resource of itemResources().filter((itemResource) => itemResource.definition.names)) {
    if (similarItems.length >= maxCandidates) break
    similarItems.push(
      ...(await resource.alike(scope, text, { exact: true })).map((row) => ({
        resource,
        row: row as AnyItem['row'],
      })),
    )
  }
  const refusal = notFound('item', field)
  if (similarItems.length === 0) return refusal
  return new Refusal('not_found', refusal.message, {
    field,
    hint: 'Similar names are in `candidates`.',
    context: { candidates: await candidatesOf(scope, similarItems) },
  })
}

async function candidatesOf(
  scope: AccessScope,
  items: readonly AnyItem[],
): Promise<Record<string, unknown>[]> {
  const candidates: Record<string, unknown>[] = []
  for (const { resource, row } of items.slice(0, maxCandidates))
    candidates.push(
      ...(await resource.candidates(scope, [row])).map((candidate) => ({
        type: resource.definition.type,
        ...candidate,
      })),
    )
  return candidates
}

/** A name may be reused while its first item is in the trash: a restore prefers that item, `anywhere` the other. */
async function findIn(
  scope: AccessScope,
  resource: Resource<ItemTable>,
  text: string,
  level: ItemLevel,
) {
  if (!scope.trash || !resource.trashable || prefixOf(text))
    return resource.find(scope, text, 'see')
  const liveScope = accessScope({ ...scope, trash: false })
  if (level === 'anywhere')
    return (
      (await resource.find(liveScope, text, 'see')) ?? (await resource.find(scope, text, 'see'))
    )
  return (
    (await resource.find(scope, text, 'see', 'trashed')) ??
    (await resource.find(liveScope, text, 'see'))
  )
}

async function requireTrashed(
  viewer: Viewer,
  resource: Resource<ItemTable>,
  row: { id: string },
): Promise<void> {
  if ((row as { deleted_at?: number | null }).deleted_at == null)
    throw new Refusal('conflict', `This ${resource.name} is not in the trash.`)
  if (await resource.mayRestore(viewer, row.id)) return
  throw denied(
    resource.definition.rule?.[resource.definition.own ? 'own' : 'edit'] ??
      `You may not restore this ${resource.name}.`,
  )
}
