import { itemRow } from '../../records/row.ts'
import { databaseFailure } from '../../db/database-errors.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { datetime, paging, pageOf } from '../../kernel/fields.ts'
import { anyItem, type AnyItem } from '../../records/items.ts'
import { operation } from '../../operations/operation.ts'
import { badCursor, cut, decodeCursor, encodeCursor } from '../../records/paging.ts'
import { yieldOrCancel } from '../../operations/call/progress.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { extensionOf } from '../../records/resource-extensions.ts'
import { itemResources, type ItemTable, type Resource } from '../../records/resource.ts'
import { dayLength, parseInstant, iso } from '../../kernel/time/times.ts'
import { person } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { isTrashed } from './calls/access-undo.ts'
import { type Trashed, countsRestoredWith, trashedIn } from './access-trash.ts'
import { trashDaysOf } from '../directory/access.ts'
import { TrashItem } from './shapes.ts'

/** An item in the trash, with its resource. */
interface TrashedItem {
  resource: Resource<ItemTable>
  row: Trashed
}

export const listTrash = operation({
  name: 'list_trash',
  searchHint: 'recycle bin, deleted things, what was deleted',
  kind: 'read',
  rest: 'GET /api/trash-items',
  about: 'Deleted items you may restore, with their purge date',
  on: { person: person.see.maybe.named('deleted_by') },
  input: {
    type: z.array(z.string().max(40)).max(40).optional().describe('item types, such as task'),
    after: datetime().optional().describe('deleted since'),
    ...paging,
  },
  output: pageOf(TrashItem),
  async handle({ person, type, after, limit, cursor }, ctx) {
    const since =
      after === undefined ? undefined : parseInstant(after, ctx.actor.timezone, 'start', 'after')
    const place = cursor === undefined ? undefined : parseTrashCursor(cursor)
    const trashed: TrashedItem[] = []
    for (const resource of trashableResources(type)) {
      await yieldOrCancel(ctx)
      const rows = await trashedIn(ctx, resource, {
        by: person?.id,
        since,
        place,
        limit: limit + 1,
      })
      trashed.push(...rows.map((row) => ({ resource, row })))
    }
    trashed.sort(newestFirst)
    const page = cut(trashed.slice(0, limit + 1), limit, ({ row }) =>
      encodeCursor(['trash', row.deleted_at, row.id]),
    )
    return { ...page, items: await presentTrash(ctx, page.items, 'restorable') }
  },
})

export const restoreItem = operation({
  name: 'restore_item',
  searchHint: 'undelete, recover, get back from the bin, bring back what was deleted',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/trash-items/{item_id}/restore',
  about:
    'Restore any deleted task, project, page, file, meeting, contact, form, goal or entity with its parts',
  on: { item: anyItem.trashed, parent: anyItem.see.maybe.named('parent_id') },
  output: TrashItem,
  async handle({ item, parent }, ctx) {
    const { resource, row } = item as unknown as TrashedItem
    if (parent && resource.table !== 'tasks')
      throw invalid(
        'parent_id',
        `a ${resource.name} returns to its original place.`,
        'Only a task can be restored to another parent task or project.',
      )
    await requireParentPresent(ctx, resource, row, parent)
    const [presented] = await presentTrash(ctx, [{ resource, row }], 'restored')
    await restoreRow(ctx, resource, row)
    await requireProject(ctx, resource, row)
    if (parent) await moveUnder(ctx, row.id, parent)
    return presented!
  },
})

/** Resources whose trash is requested. */
function trashableResources(types: readonly string[] | undefined): Resource<ItemTable>[] {
  const resources = itemResources().filter((itemResource) => itemResource.trashable)
  if (!types || types.length === 0) return resources
  const trashTypes = resources.map((bin) => bin.definition.type)
  const unknown = types.find((type) => !trashTypes.includes(type))
  if (unknown !== undefined)
    throw invalid(
      'type',
      `items of type ${JSON.stringify(unknown)} do not go to the trash.`,
      `Available: ${trashTypes.join(', ')}.`,
    )
  return resources.filter((bin) => types.includes(bin.definition.type))
}

function parseTrashCursor(cursor: string): { at: number; id: string } {
  const [listName, at, id] = decodeCursor(cursor)
  if (listName !== 'trash' || typeof at !== 'number' || typeof id !== 'string') throw badCursor()
  return { at, id }
}

function newestFirst({ row: a }: TrashedItem, { row: b }: TrashedItem): number {
  return b.deleted_at - a.deleted_at || (a.id < b.id ? 1 : -1)
}

/** Refuses a restore while the parent of the item is missing. */
async function requireParentPresent(
  ctx: ReadContext,
  resource: Resource<ItemTable>,
  row: Trashed,
  parent: AnyItem | undefined,
): Promise<void> {
  if (row.deleted_with !== null && row.deleted_with !== row.id)
    throw restoreFirstRefusal(resource, 'was deleted together with another item', row.deleted_with)
  const parentId = resource.table === 'tasks' && !parent ? (row.parent_id as string | null) : null
  if (parentId !== null && (await isTrashed(ctx, 'tasks', parentId)))
    throw restoreFirstRefusal(resource, 'is part of a task that is in the trash', parentId)
}

/**
 * Requires a visible project: tasks are visible through their project, but pages that only refer to one are visible
 * without it.
 */
async function requireProject(
  ctx: ReadContext,
  resource: Resource<ItemTable>,
  row: Trashed,
): Promise<void> {
  const projectId =
    resource.table === 'projects' ? null : (resource.definition.project?.(itemRow(row)) ?? null)
  if (projectId === null || (await resource.find(ctx, row.id))) return
  if (await isTrashed(ctx, 'projects', projectId))
    throw restoreFirstRefusal(resource, 'belongs to a project that is in the trash', projectId)
}

function restoreFirstRefusal(resource: Resource<ItemTable>, why: string, id: string): Refusal {
  return new Refusal('conflict', `This ${resource.name} ${why}.`, {
    hint: 'Restore that item first.',
    next: { tool: 'restore_item', arguments: { item_id: id } },
  })
}

/** Unique names may have been reused meanwhile. */
async function restoreRow(
  ctx: WriteContext,
  resource: Resource<ItemTable>,
  row: Trashed,
): Promise<void> {
  try {
    await ctx.restore(resource.table, itemRow(row))
  } catch (error) {
    if (databaseFailure(error) !== 'unique') throw error
    const conflict = extensionOf(resource, 'trash')?.restoreConflict
    if (conflict) throw new Refusal('conflict', conflict)
    throw new Refusal(
      'conflict',
      `Another ${resource.name} is now named "${resource.definition.title(itemRow(row))}".`,
      'Rename that one, then restore this one.',
    )
  }
}

async function moveUnder(ctx: WriteContext, id: string, parent: AnyItem): Promise<void> {
  const kind = parent.resource.table
  if (kind !== 'tasks' && kind !== 'projects')
    throw invalid('parent_id', 'the new parent of a task must be a task or a project.')
  await ctx.call('move_task', {
    task_id: id,
    ...(kind === 'tasks' ? { parent_id: parent.row.id } : { project_id: parent.row.id }),
  })
}

async function presentTrash(
  ctx: ReadContext,
  trashed: readonly TrashedItem[],
  status: 'restorable' | 'restored',
): Promise<z.infer<typeof TrashItem>[]> {
  const days = await trashDaysOf(ctx)
  const people = await peopleRefs(
    ctx,
    trashed.map(({ row }) => row.deleted_by),
  )
  const items: z.infer<typeof TrashItem>[] = []
  for (const { resource, row } of trashed) {
    const by = people.get(row.deleted_by ?? '')
    items.push(
      omitNullish({
        item: resource.ref(itemRow(row), ctx.baseUrl),
        deleted_by: by,
        deleted_at: iso(row.deleted_at),
        purge_at: iso(row.deleted_at + days * dayLength),
        parts: await countsRestoredWith(ctx, resource, row.id),
        status,
      }),
    )
  }
  return items
}
