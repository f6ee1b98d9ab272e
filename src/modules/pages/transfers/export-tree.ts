import { chunks } from '../../../kernel/chunks.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { listedPages, page, pageLabel } from '../access.ts'
import { currentText } from '../live/access-text.ts'
import { belowPage, pageTreeRows } from '../pages/access-tree.ts'
import { pageBodyOf } from '../content/bodies.ts'
import { fileNameOf, UniqueNames } from './file-paths.ts'

const maxExportedPages = 10_000
/** Maximum total characters of an export. */
const maxCharacters = 60_000_000

/** Pages of a large export to process before yielding to other requests. */
export const pagesPerTurn = 50

export function yieldTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A page in an export. */
export interface ExportedPage {
  row: Row<'pages'>
  body: string
  depth: number
  /** Path in the zip: `Handbook/Travel.md`. */
  path: string
  labels: string[]
}

/** A page, or its visible tree, parents first. @throws Refusal too_large */
export async function exportedTree(
  ctx: ReadContext,
  root: Row<'pages'>,
  withChildren: boolean,
): Promise<ExportedPage[]> {
  const rows = withChildren ? await visibleTree(ctx, root) : [{ row: root, above: undefined }]
  if (rows.length > maxExportedPages)
    throw new Refusal(
      'too_large',
      `These are ${rows.length} pages; an export can have at most ${maxExportedPages}.`,
      'Export the pages below one by one.',
    )
  const names = new Map<string | undefined, UniqueNames>()
  const folders = new Map<string, { folder: string; depth: number }>()
  const labels = await labelNames(
    ctx,
    rows.map((row) => row.row),
  )
  const exported: ExportedPage[] = []
  let characters = 0
  for (const { row, above } of rows) {
    const { folder, depth } = above === undefined ? { folder: '', depth: 0 } : folders.get(above)!
    const siblings = names.get(above) ?? new UniqueNames()
    names.set(above, siblings)
    const stem = folder + siblings.take(fileNameOf(row.title))
    folders.set(row.id, { folder: `${stem}/`, depth: depth + 1 })
    if (exported.length % pagesPerTurn === 0) await yieldTurn()
    const body = await bodyIfVisible(ctx, row)
    if (body === undefined) continue
    characters += body.length
    if (characters > maxCharacters)
      throw new Refusal(
        'too_large',
        `These pages have more than ${maxCharacters / 1_000_000} million characters in total.`,
        'Export the pages below one by one.',
      )
    exported.push({ row, body, depth, path: `${stem}.md`, labels: labels.get(row.id) ?? [] })
  }
  return exported
}

/** The current text; an edit may have been undone, or the page trashed, since the tree was read. */
async function bodyIfVisible(ctx: ReadContext, row: Row<'pages'>): Promise<string | undefined> {
  const body = await currentText(ctx, row)
  if (body !== undefined) return body
  const current = (await page.among(ctx, [row.id])).get(row.id)
  return current && pageBodyOf(ctx, current)
}

/**
 * A tree's pages in reading order, with their parents; pages below an invisible page move up to the next visible one.
 */
async function visibleTree(
  ctx: ReadContext,
  root: Row<'pages'>,
): Promise<{ row: Row<'pages'>; above: string | undefined }[]> {
  const all = await pageTreeRows(ctx, root.id)
  const visible = new Set<string>(
    (await belowPage(listedPages(ctx), root.id).select('pages.id').execute()).map((row) => row.id),
  ).add(root.id)
  const visibleParents = new Map<string, string | undefined>([[root.id, undefined]])
  for (const { id, parent_id } of all)
    if (id !== root.id)
      visibleParents.set(id, visible.has(parent_id!) ? parent_id! : visibleParents.get(parent_id!))
  const children = Map.groupBy(
    all.filter((row) => visible.has(row.id) && row.id !== root.id),
    (row) => visibleParents.get(row.id)!,
  )
  const tree: { row: Row<'pages'>; above: string | undefined }[] = []
  const stack = [root]
  for (let row = stack.pop(); row; row = stack.pop()) {
    tree.push({ row, above: visibleParents.get(row.id) })
    stack.push(...(children.get(row.id) ?? []).toReversed())
  }
  return tree
}

async function labelNames(
  ctx: ReadContext,
  rows: readonly Row<'pages'>[],
): Promise<Map<string, string[]>> {
  const namesByPage = new Map<string, string[]>()
  for (const batch of chunks(rows, 500)) {
    const labelLinks = await pageLabel
      .of(
        ctx,
        batch.map((row) => row.id),
      )
      .select(['page_labels.page_id', 'page_labels.label_id'])
      .orderBy('page_labels.label_id')
      .execute()
    const labels = await label.among(
      ctx,
      labelLinks.map((tie) => tie.label_id),
    )
    for (const { page_id, label_id } of labelLinks)
      if (labels.has(label_id))
        namesByPage.set(page_id, [...(namesByPage.get(page_id) ?? []), labels.get(label_id)!.name])
  }
  return namesByPage
}
