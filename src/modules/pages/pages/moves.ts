import { generateKeyBetween } from 'fractional-indexing'
import type { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { page } from '../access.ts'
import { lastPosition, positionAfter, pathToRoot } from './access-tree.ts'
import { presentPage } from './pages.ts'
import { changeAccess, readersOfTree, type Difference, type PagesByPerson } from './readers.ts'
import type { ReaderChange } from '../../../records/shapes.ts'
import { Page } from '../shapes.ts'
import { requireBelow, differentParentOwner } from './creation.ts'

export const movePage = operation({
  name: 'move_page',
  searchHint: 'reorganize the wiki, put under another page, nest',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/pages/{page_id}/move',
  about:
    'Move a page and its children under another page or to a position; warns when readers change',
  on: {
    page: page.edit,
    parent: page.see.clearable.describe('null: top level'),
    after: page.see.clearable
      .named('after_page_id')
      .describe(
        'a sibling page to place it directly after; null: first. Default under another parent: last',
      ),
  },
  dryRun: true,
  output: Page,
  async handle({ page: row, parent, after }, ctx) {
    if (parent === undefined && after === undefined)
      throw new Refusal(
        'invalid_argument',
        'The destination is missing.',
        'Send parent_id, after_page_id, or both.',
      )
    const to = parent === undefined ? row.parent_id : (parent?.id ?? null)
    if (parent && to !== row.parent_id) await requireAllowedParent(ctx, row, parent)
    const positionPatch = await newPosition(ctx, row, to, after)
    const parentPatch =
      to === row.parent_id
        ? {}
        : { parent_id: to, parent_owner_id: differentParentOwner(parent, row.owner_id) }
    const { difference } = await changeAccess(ctx, row, () =>
      ctx.change('pages', row, { ...parentPatch, ...positionPatch }),
    )
    if (row.owner_id !== ctx.actor.id && difference.gained.size + difference.lost.size > 0)
      throw denied(
        'This would change who can read the page; only its owner can do that.',
        'You can move it among pages with the same readers.',
      )
    notifyGained(ctx, difference)
    return {
      ...(await presentPage(ctx, row)),
      ...(await presentPageReaders(ctx, difference)),
      dry_run: ctx.dryRun,
    }
  },
})

async function requireAllowedParent(
  ctx: WriteContext,
  row: Row<'pages'>,
  parent: Row<'pages'>,
): Promise<void> {
  const { rows } = await readersOfTree(ctx, row)
  if (rows.some((item) => item.id === parent.id))
    throw invalid(
      'parent_id',
      parent.id === row.id
        ? 'a page cannot be below itself.'
        : 'that page is below the one to be moved.',
      'Move that page elsewhere first.',
    )
  await requireBelow(ctx, parent, pageTreeHeight(row, rows))
  // The parent's owner then decides who else reads the page; only the page's owner may hand over this right.
  if (
    row.owner_id !== ctx.actor.id &&
    ![row.owner_id, row.parent_owner_id].includes(parent.owner_id)
  )
    throw denied(
      'Only the owner of a page can move it below a page that belongs to someone else.',
      'You can move it below pages with the same owner.',
    )
}

function pageTreeHeight(root: Row<'pages'>, rows: readonly Row<'pages'>[]): number {
  const nodes = new Map(rows.map((row) => [row.id, row]))
  const deepestPage = rows.at(-1) ?? root // rows are ordered by level
  return pathToRoot(nodes, deepestPage.id).length
}

async function newPosition(
  ctx: ReadContext,
  row: Row<'pages'>,
  to: Row<'pages'>['parent_id'],
  after: Row<'pages'> | null | undefined,
): Promise<Partial<Row<'pages'>>> {
  if (after === undefined)
    return to === row.parent_id
      ? {}
      : {
          position: generateKeyBetween(
            await lastPosition(ctx, to as Row<'pages'>['id'] | null),
            null,
          ),
        }
  if (after?.id === row.id) throw invalid('after_page_id', 'a page cannot be placed after itself.')
  if (after && after.parent_id !== to)
    throw invalid(
      'after_page_id',
      'this page is not under the destination parent.',
      'Also send its parent as parent_id.',
    )
  const positionBefore = after?.position ?? null
  const nextPosition = await positionAfter(
    ctx,
    to as Row<'pages'>['id'] | null,
    positionBefore,
    row.id,
  )
  if (
    to === row.parent_id &&
    (positionBefore === null || row.position > positionBefore) &&
    (nextPosition === null || row.position < nextPosition)
  )
    return {} // already in that position
  return { position: generateKeyBetween(positionBefore, nextPosition) }
}

function notifyGained(ctx: WriteContext, { gained }: Difference): void {
  for (const [person, rows] of gained) {
    for (const row of rows.slice(0, 20))
      ctx.notify(
        'share',
        [person],
        'pages',
        row,
        `${ctx.actor.display_name} moved the page “${row.title}” to where you can read it`,
      )
  }
}

async function presentPageReaders(
  ctx: ReadContext,
  { gained, lost }: Difference,
): Promise<{ readers: z.infer<typeof ReaderChange>; warnings: string[] }> {
  const people = await peopleRefs(ctx, [...gained.keys(), ...lost.keys()])
  const refsOf = (pagesByPerson: PagesByPerson) =>
    [...pagesByPerson.keys()]
      .flatMap((id) => people.get(id) ?? [])
      .map(({ id, title }) => ({ id, title }))
  const readers = { gained: refsOf(gained), lost: refsOf(lost) }
  const warningFor = (pages: { title: string }[], predicate: string) =>
    pages.length === 0
      ? []
      : [`${pages.map((item) => item.title).join(', ')} ${predicate} this page or pages below it.`]
  const predicates = ctx.dryRun
    ? ['would be able to see', 'would no longer see']
    : ['can now see', 'can no longer see']
  return {
    readers,
    warnings: [
      ...warningFor(readers.gained, predicates[0]!),
      ...warningFor(readers.lost, predicates[1]!),
    ],
  }
}
