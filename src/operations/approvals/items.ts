import { createHash } from 'node:crypto'
import { prefixOf } from '../../kernel/ids.ts'
import { type ItemTable, type Resource, resourceByPrefix } from '../../records/resource.ts'
import type { CoveredItem } from '../../records/resource-definition.ts'
import { withTrash, type Viewer } from '../../records/access-scope.ts'

// Items covered by a waiting call, each with its revision: those that it names and those sent outside along with them.
// They are stored when the call starts to wait, and compared when it is released.
// when the call starts to wait, and compared when it is released.

const maxItems = 5000

export interface ItemDifference {
  type: string
  id: string
  title: string
  change: 'changed' | 'added' | 'removed'
}

/** The items of these ids in the actor's current view, including the trash, with the items that each of them covers. */
export async function currentItems(viewer: Viewer, ids: Iterable<string>): Promise<CoveredItem[]> {
  const trashViewer = withTrash(viewer)
  const coveredById = new Map<string, CoveredItem>()
  const byResource = Map.groupBy(new Set(ids), (id) => resourceByPrefix(prefixOf(id)))
  for (const [resource, resourceIds] of byResource) {
    if (!resource) continue
    const { title, type, approval } = resource.definition
    for (const [id, row] of await visibleItemRows(resource, trashViewer, resourceIds)) {
      if (!approval?.ignore)
        coveredById.set(id, {
          type,
          id,
          title: title(row),
          revision: (row as { revision?: number }).revision ?? 0,
        })
      for (const coveredItem of (await approval?.covers?.(row, trashViewer)) ?? [])
        coveredById.set(coveredItem.id, coveredItem)
    }
  }
  return [...coveredById.values()].slice(0, maxItems)
}

function visibleItemRows(resource: Resource<ItemTable>, s: Viewer, ids: readonly string[]) {
  return resource.among(s, ids)
}

export function itemDifferences(
  before: readonly CoveredItem[],
  now: readonly CoveredItem[],
): ItemDifference[] {
  const beforeById = new Map(before.map((item) => [item.id, item]))
  const nowById = new Map(now.map((item) => [item.id, item]))
  const differing = now.flatMap((item) => {
    const earlier = beforeById.get(item.id)
    if (earlier && earlier.revision === item.revision && earlier.title === item.title) return []
    return [difference(item, earlier ? 'changed' : 'added')]
  })
  return [
    ...differing,
    ...before.filter((item) => !nowById.has(item.id)).map((item) => difference(item, 'removed')),
  ]
}

function difference(
  { type, id, title }: CoveredItem,
  change: ItemDifference['change'],
): ItemDifference {
  return { type, id, title, change }
}

/** A hash of the state of these items, to compare it with the state that the approver saw. */
export function itemsVersion(items: readonly CoveredItem[]): string {
  const lines = items.map(({ id, revision, title }) => JSON.stringify([id, revision, title])).sort()
  return createHash('sha256').update(lines.join('\n')).digest('base64url').slice(0, 22)
}

/** Ids of items in arguments, at any depth. */
export function* itemIdsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length <= 80 && resourceByPrefix(prefixOf(value)))
    yield value
  else if (value !== null && typeof value === 'object')
    for (const part of Object.values(value)) yield* itemIdsIn(part)
}
