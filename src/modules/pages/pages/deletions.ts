import { generateKeyBetween } from 'fractional-indexing'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { page } from '../access.ts'
import { lastPosition } from './access-tree.ts'
import { unpublishAlong } from '../publications/publications.ts'
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
    const { deletedWithIt, remaining } = await whatGoesAlong(ctx, row)
    for (const item of remaining) await moveOut(ctx, item)
    const seen = await countSeen(ctx, deletedWithIt)
    await unpublishAlong(ctx, [row, ...deletedWithIt])
    await ctx.trash('pages', row, deletedWithIt)
    return deletedRef(
      ctx,
      page.ref(row, ctx.baseUrl),
      seen > 0 ? [{ type: 'page', count: seen }] : [],
    )
  },
})

/**
 * Others' pages are deleted along if their owners can see the deleted page, and so restore everything. Otherwise the
 * owner would lose theirs without a trace, so it is kept with everything below.
 */
async function whatGoesAlong(
  ctx: WriteContext,
  root: Row<'pages'>,
): Promise<{ deletedWithIt: Row<'pages'>[]; remaining: Row<'pages'>[] }> {
  const { rows, by } = await readersOfTree(ctx, root)
  const readers = by.get(root.id)!
  const staying = new Set<string>()
  const stayingRows: Row<'pages'>[] = []
  for (const row of rows.slice(1)) {
    if (staying.has(row.parent_id!)) staying.add(row.id)
    else if (!readers.open && !readers.named.has(row.owner_id)) {
      staying.add(row.id)
      stayingRows.push(row)
    }
  }
  return {
    deletedWithIt: rows.slice(1).filter((row) => !staying.has(row.id)),
    remaining: stayingRows,
  }
}

async function moveOut(ctx: WriteContext, row: Row<'pages'>): Promise<void> {
  const position = generateKeyBetween(await lastPosition(ctx, null), null)
  await changeAccess(ctx, row, () =>
    ctx.change('pages', row, { parent_id: null, parent_owner_id: null, position }),
  )
}

/** Counts the pages that go along, as far as the actor may know of them. */
async function countSeen(ctx: WriteContext, rows: readonly Row<'pages'>[]): Promise<number> {
  const others = rows.filter((row) => row.owner_id !== ctx.actor.id)
  const seen =
    others.length === 0
      ? 0
      : (
          await page.among(
            ctx,
            others.map((row) => row.id),
          )
        ).size
  return rows.length - others.length + seen
}
