import { generateKeyBetween } from 'fractional-indexing'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { page } from '../access.ts'
import { lastPosition } from './access-tree.ts'
import { unpublishTrashed } from '../publications/publications.ts'
import { changeAccess, readersOfTree } from './readers.ts'

export const deletePage = operation({
  name: 'delete_page',
  searchHint: 'remove a wiki page, trash a doc',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/pages/{page_id}',
  about: 'Move a page and its children to the trash; restore_item brings them back',
  on: { page: page.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ page: row }, ctx) {
    const { deletedWithIt, remaining } = await splitTree(ctx, row)
    for (const item of remaining) await moveOut(ctx, item)
    const visibleCount = await countVisible(ctx, deletedWithIt)
    await unpublishTrashed(ctx, [row, ...deletedWithIt])
    await ctx.trash('pages', row, deletedWithIt)
    return deletedRef(
      ctx,
      page.ref(row, ctx.baseUrl),
      visibleCount > 0 ? [{ type: 'page', count: visibleCount }] : [],
    )
  },
})

/**
 * Other people's subpages are deleted too if their owners can see the deleted page, and so can restore it. Otherwise
 * they would vanish for their owners without a trace, so they are moved out with everything below them.
 */
async function splitTree(
  ctx: WriteContext,
  root: Row<'pages'>,
): Promise<{ deletedWithIt: Row<'pages'>[]; remaining: Row<'pages'>[] }> {
  const { rows, readersByPage } = await readersOfTree(ctx, root)
  const readers = readersByPage.get(root.id)!
  const remainingIds = new Set<string>()
  const remaining: Row<'pages'>[] = []
  for (const row of rows.slice(1)) {
    if (remainingIds.has(row.parent_id!)) remainingIds.add(row.id)
    else if (!readers.isOpenToOrganization && !readers.people.has(row.owner_id)) {
      remainingIds.add(row.id)
      remaining.push(row)
    }
  }
  return {
    deletedWithIt: rows.slice(1).filter((row) => !remainingIds.has(row.id)),
    remaining,
  }
}

async function moveOut(ctx: WriteContext, row: Row<'pages'>): Promise<void> {
  const position = generateKeyBetween(await lastPosition(ctx, null), null)
  await changeAccess(ctx, row, () =>
    ctx.change('pages', row, { parent_id: null, parent_owner_id: null, position }),
  )
}

/** Counts the pages deleted along with it that the actor may know of. */
async function countVisible(ctx: WriteContext, rows: readonly Row<'pages'>[]): Promise<number> {
  const others = rows.filter((row) => row.owner_id !== ctx.actor.id)
  const visibleCount =
    others.length === 0
      ? 0
      : (
          await page.among(
            ctx,
            others.map((row) => row.id),
          )
        ).size
  return rows.length - others.length + visibleCount
}
