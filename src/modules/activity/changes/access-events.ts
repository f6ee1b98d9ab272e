import type { Id } from '../../../kernel/ids.ts'
import { extensionOf } from '../../../records/resource-extensions.ts'
import {
  itemResources,
  type Resource,
  type ItemTable,
  type Row,
} from '../../../records/resource.ts'
import { withTrash, type Viewer, type AccessScope } from '../../../records/access-scope.ts'

/** A change without the images needed only for undo, which are large. */
export type EventChangeRow = Omit<Row<'changes'>, 'images_json' | 'org_id'>

const changeColumns = [
  'seq',
  'at',
  'actor_id',
  'via',
  'op',
  'events_json',
  'item_type',
  'item_id',
  'project_id',
  'for_person_id',
  'fields_json',
  'call_id',
  'key_id',
  'run_id',
] as const

/** The organization's next changes, visible or not, except those for another person. */
export function changesAfter(
  viewer: Viewer,
  seq: number,
  limit: number,
): Promise<EventChangeRow[]> {
  const { all, actor } = withTrash(viewer)
  return all
    .selectFrom('changes')
    .select(changeColumns)
    .where('org_id', '=', actor.org_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Whether more than this many changes follow a position. */
export async function hasMoreChangesAfter(
  reader: Viewer,
  seq: number,
  limit: number,
): Promise<boolean> {
  const { all, actor } = withTrash(reader)
  const row = await all
    .selectFrom('changes')
    .select('seq')
    .where('org_id', '=', actor.org_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(1)
    .offset(limit)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds which of these changes have items that the reader may see now, in the trash or not; by seq, with the item. */
export async function visibleItemsAmong(
  viewer: Viewer,
  changes: readonly EventChangeRow[],
): Promise<Map<number, { resource: Resource<ItemTable>; row: Row<ItemTable> }>> {
  const scope = withTrash(viewer)
  const visible = new Map<number, { resource: Resource<ItemTable>; row: Row<ItemTable> }>()
  for (const [type, changesOfType] of Map.groupBy(changes, (change) => change.item_type)) {
    const resource = itemResources().find((itemResource) => itemResource.definition.type === type)
    const rows = await resource?.among(
      scope,
      changesOfType.map((eventChangeRow) => eventChangeRow.item_id),
    )
    for (const eventChangeRow of changesOfType) {
      const row = rows?.get(eventChangeRow.item_id)
      if (resource && row) visible.set(eventChangeRow.seq, { resource, row })
    }
  }
  return visible
}

/** The last change of each of these items that is for everyone; the reader has access to the items. */
export function lastChangeRows(reader: Viewer, ids: readonly string[]): Promise<EventChangeRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  const { all, actor } = withTrash(reader)
  const last = all
    .selectFrom('changes')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('item_id', 'in', [...ids])
    .where('for_person_id', 'is', null)
    .groupBy('item_id')
  return all
    .selectFrom('changes')
    .select(changeColumns)
    .where('seq', 'in', last)
    .where('org_id', '=', actor.org_id)
    .execute()
}

/**
 * Changes of erased items that were never in the trash: their project determines visibility. Returned as whole rows,
 * to know the items' former state.
 */
export async function erasedVisibleAmong(
  viewer: Viewer,
  changes: readonly EventChangeRow[],
): Promise<Row<'changes'>[]> {
  const scope = withTrash(viewer)
  const erasedSeqs: number[] = []
  for (const [type, changesOfType] of Map.groupBy(
    changes.filter((change) => change.op === 'deleted' && change.project_id !== null),
    (change) => change.item_type,
  )) {
    const resource = itemResources().find((itemResource) => itemResource.definition.type === type)
    if (!resource || resource.trashable || !resource.definition.project) continue
    const existing = await scope.all
      .selectFrom(resource.table as 'labels')
      .select('id')
      .where(
        'id',
        'in',
        changesOfType.map((eventChangeRow) => eventChangeRow.item_id as Id<'labels'>),
      )
      .execute()
    erasedSeqs.push(
      ...changesOfType
        .filter((eventChangeRow) => !existing.some((row) => row.id === eventChangeRow.item_id))
        .map((eventChangeRow) => eventChangeRow.seq),
    )
  }
  const erased = await erasedAmong(scope, changes)
  if (erasedSeqs.length === 0) return erased
  const project = itemResources().find((itemResource) => itemResource.table === 'projects')
  const rows = await scope.all
    .selectFrom('changes')
    .selectAll()
    .where('seq', 'in', erasedSeqs)
    .execute()
  const projects = await project?.among(
    scope,
    rows.map((row) => row.project_id!),
  )
  return [...erased, ...rows.filter((row) => projects?.has(row.project_id!))]
}

/** The same for items with their own rule on who may know that they are gone. */
async function erasedAmong(
  scope: AccessScope,
  changes: readonly EventChangeRow[],
): Promise<Row<'changes'>[]> {
  const erased: Row<'changes'>[] = []
  for (const resource of itemResources()) {
    const rules = extensionOf(resource, 'events')
    if (!rules) continue
    const { type } = resource.definition
    const deleted = changes.filter(({ op, item_type }) => op === 'deleted' && item_type === type)
    if (deleted.length === 0) continue
    const rows = await scope.all
      .selectFrom('changes')
      .selectAll()
      .where(
        'seq',
        'in',
        deleted.map((change) => change.seq),
      )
      .where(rules.tombstoneVisibleTo(scope, 'changes.item_id'))
      .execute()
    erased.push(...rows)
  }
  return erased
}
