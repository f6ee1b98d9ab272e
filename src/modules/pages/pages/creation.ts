import { generateKeyBetween } from 'fractional-indexing'
import type { WriteContext } from '../../../operations/context.ts'
import { oneLine } from '../../../kernel/text/markdown.ts'
import { newMentions } from '../../../kernel/text/mentions.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { changedRange } from '../../../kernel/text/stretch.ts'
import { bodyAt, encodeBody } from '../content/access-bodies.ts'
import {
  maxPageDepth,
  lastPosition,
  mayAddBelow,
  pagesAbove,
  versionDepth,
  pathToRoot,
} from './access-tree.ts'
import { pageBodyOf, checkBody } from '../content/bodies.ts'
import { foldTitle } from '../../../kernel/text/order.ts'
import { saveLinks } from '../content/links.ts'
import { pageReaders } from './readers.ts'
import {
  addAuthors,
  addLiveVersion,
  liveAuthors,
  type LiveAuthor,
} from '../live/access-stretches.ts'

/** Fields of a new page, which belongs to its creator and is private by default. */
export interface NewPage {
  title: string
  body?: string | undefined
  parent?: Row<'pages'> | undefined
  visibility?: Row<'pages'>['visibility'] | undefined
  kind?: Row<'pages'>['kind'] | undefined
  icon?: string | null | undefined
  project?: Row<'projects'> | undefined
  labels?: readonly Row<'labels'>[] | undefined
  /** Position among siblings; default: last. */
  position?: string | undefined
}

/**
 * Creates a page with its first version and links.
 * @throws Refusal permission_denied if nothing may be added below the parent; too_large
 */
export async function createPageWithBody(ctx: WriteContext, page: NewPage): Promise<Row<'pages'>> {
  const body = page.body ?? ''
  checkBody(body)
  return writeBody(ctx, await addPage(ctx, page), body)
}

/** Creates a page without a text, which must follow in the same call; for pages that link to each other. */
export async function addPage(
  ctx: WriteContext,
  { title, parent, visibility, kind, icon, project, labels = [], position }: Omit<NewPage, 'body'>,
): Promise<Row<'pages'>> {
  if (parent) await requireBelow(ctx, parent)
  const name = oneLine(title)
  const pageRow = await ctx.add('pages', {
    title: name,
    title_folded: foldTitle(name),
    icon: icon ?? null,
    kind: kind ?? 'page',
    parent_id: parent?.id ?? null,
    parent_owner_id: differentParentOwner(parent, ctx.actor.id),
    position: position ?? generateKeyBetween(await lastPosition(ctx, parent?.id ?? null), null),
    visibility: visibility ?? 'private',
    project_id: project?.id ?? null,
    owner_id: ctx.actor.id,
    version: 0,
  })
  for (const label of labels)
    await ctx.add('page_labels', { page_id: pageRow.id, label_id: label.id })
  return pageRow
}

/** The parent's owner, if different from the page's. */
export function differentParentOwner(
  parent: Pick<Row<'pages'>, 'owner_id'> | undefined | null,
  owner: Row<'users'>['id'],
): Row<'users'>['id'] | null {
  return parent && parent.owner_id !== owner ? parent.owner_id : null
}

/** @throws Refusal if the actor may not add pages below a page, or it is too deep */
export async function requireBelow(
  ctx: WriteContext,
  parent: Row<'pages'>,
  height = 1,
): Promise<void> {
  if (!(await mayAddBelow(ctx, parent)))
    throw denied('Only the owner and editors of this page can put pages below it.')
  const depth = pathToRoot(await pagesAbove(ctx, [parent.id]), parent.id).length
  if (depth + height > maxPageDepth)
    throw invalid(
      'parent_id',
      `pages can be nested at most ${maxPageDepth} levels deep.`,
      'Choose a page higher up.',
    )
}

interface VersionOptions {
  title?: string | undefined
  /** Pages that titles in links refer to, if the caller knows them. */
  targetsByTitle?: ReadonlyMap<string, Row<'pages'>['id']>
  /** Authors of the text, if it was written live. */
  authors?: readonly LiveAuthor[]
}

/**
 * Writes a page's new text (and title) as a version with its links; writes nothing if both are unchanged.
 * @throws Refusal too_large
 */
export async function writeBody(
  ctx: WriteContext,
  row: Row<'pages'>,
  body: string,
  more: VersionOptions = {},
): Promise<Row<'pages'>> {
  checkBody(body)
  if (row.live_from !== null && (await pageBodyOf(ctx, row)) === body && more.title === undefined)
    return row
  return writeVersion(ctx, await storeLiveVersion(ctx, row), body, more)
}

/** Creates a version from live changes; returns the updated page. */
async function storeLiveVersion(ctx: WriteContext, row: Row<'pages'>): Promise<Row<'pages'>> {
  if (row.live_from === null) return row
  const [before, body] = [await bodyAt(ctx, row.id, row.version), await pageBodyOf(ctx, row)]
  if (before === undefined) throw new Error(`Page ${row.id} has no version ${row.version}.`)
  const base = { number: row.version, depth: await versionDepth(ctx, row), text: before }
  const authors = await liveAuthors(ctx, row)
  const versioned = await addLiveVersion(ctx, row, encodeBody(body, base), authors)
  await saveLinks(ctx, versioned, body)
  const [mainAuthor] = (
    await person.among(ctx, authors.map((author) => author.personId).slice(0, 1))
  ).values()
  await notifyMentioned(ctx, versioned, { before, after: body, by: mainAuthor?.display_name })
  return versioned
}

/** Creates a page's next version; any live changes are already in the text. */
export async function writeVersion(
  ctx: WriteContext,
  row: Row<'pages'>,
  body: string,
  more: VersionOptions = {},
): Promise<Row<'pages'>> {
  const title = more.title === undefined ? row.title : oneLine(more.title)
  const before = row.version === 0 ? undefined : await bodyAt(ctx, row.id, row.version)
  if (before === body && title === row.title) return row
  const number = row.version + 1
  const base =
    before === undefined
      ? undefined
      : { number: row.version, depth: await versionDepth(ctx, row), text: before }
  const version = await ctx.add('page_versions', {
    page_id: row.id,
    number,
    title,
    key_id: ctx.actor.key?.id ?? null,
    ...encodeBody(body, base),
  })
  const changed = await ctx.change('pages', row, {
    version: number,
    title,
    title_folded: foldTitle(title),
  })
  await ctx.change('page_versions', version, { page_revision: changed.revision })
  await addAuthors(ctx, version, more.authors ?? [])
  if (before !== body) {
    await saveLinks(ctx, changed, body, more.targetsByTitle)
    await notifyMentioned(ctx, changed, { before: before ?? '', after: body })
  }
  return changed
}

/** Notifies people newly mentioned in the text. */
async function notifyMentioned(
  ctx: WriteContext,
  row: Row<'pages'>,
  {
    before,
    after,
    by = ctx.actor.display_name,
  }: { before: string; after: string; by?: string | undefined },
): Promise<void> {
  const { start, insert } = changedRange(before, after)
  if (!insert.includes('@') && !after.slice(Math.max(0, start - 200), start).includes('@')) return
  const readers = await person.among(ctx, [...(await pageReaders(ctx, row))])
  const people = [...readers.values()].filter((reader) => reader.status === 'active')
  const mentioned = newMentions(ctx, after, people, before)
  ctx.notify('mention', mentioned, 'pages', row, `${by} mentioned you on the page “${row.title}”`)
}
