import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import { columns } from '../../../db/tables.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { paging, pageOf } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { keyNames } from '../../activity/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { page, pageVersion } from '../access.ts'
import { authorsOfVersions } from '../content/access-versions.ts'
import { bodyAt } from '../content/access-bodies.ts'
import { unifiedDiff } from '../content/diffs.ts'
import { presentPage } from './pages.ts'
import { Page, pageRef, PageVersion } from '../shapes.ts'
import { writeBody } from './creation.ts'

/** A version without its possibly long text. */
export type VersionHead = Omit<Row<'page_versions'>, 'content'>

export const versionHeadColumns = columns.page_versions.filter(
  (column) => column !== 'content',
) as (keyof VersionHead)[]

export const listPageVersions = operation({
  name: 'list_page_versions',
  searchHint: 'page history, what changed on the page, who edited the doc',
  kind: 'read',
  rest: 'GET /api/pages/{page_id}/versions',
  about: 'Versions with author, time, key used and size of change',
  on: { page: page.see },
  input: { ...paging },
  output: pageOf(PageVersion),
  async handle({ page: row, limit, cursor }, ctx) {
    const query = pageVersion.of(ctx, [row.id]).select(versionHeadColumns)
    const versions = await paged(
      query,
      [
        { by: 'page_versions.number', as: 'number', dir: 'desc' },
        { by: 'page_versions.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(versions, await presentVersions(ctx, row, versions.items))
  },
})

export const getPageVersion = operation({
  name: 'get_page_version',
  searchHint: 'diff, compare versions, old text of a page',
  kind: 'read',
  rest: 'GET /api/pages/{page_id}/versions/{version_id}',
  about: 'An earlier version, or a diff against another',
  on: {
    page: page.see,
    version: pageVersion.see.of('page', 'page_id'),
    other: pageVersion.see
      .of('page', 'page_id')
      .maybe.named('diff_to')
      .describe(
        'another version to compare with: returns a diff from this one to it, not the text',
      ),
  },
  output: PageVersion,
  async handle({ page: row, version, other }, ctx) {
    const [shape] = await presentVersions(ctx, row, [version])
    const body = await versionTextOf(ctx, version)
    if (!other) return { ...shape!, body_markdown: body }
    const nameOf = (item: Row<'page_versions'>) => `${item.title} (version ${item.number})`
    return {
      ...shape!,
      diff: unifiedDiff(body, await versionTextOf(ctx, other), {
        from: nameOf(version),
        to: nameOf(other),
      }),
    }
  },
})

export const restorePageVersion = operation({
  name: 'restore_page_version',
  searchHint: 'roll back a page, go back to an older page',
  kind: 'write',
  rest: 'POST /api/pages/{page_id}/versions/{version_id}/restore',
  about: 'Restore an earlier version as a new version',
  on: { page: page.edit, version: pageVersion.see.of('page', 'page_id') },
  output: Page,
  async handle({ page: row, version }, ctx) {
    return presentPage(
      ctx,
      await writeBody(ctx, row, await versionTextOf(ctx, version), { title: version.title }),
    )
  },
})

async function versionTextOf(ctx: ReadContext, version: Row<'page_versions'>): Promise<string> {
  return (await bodyAt(ctx, version.page_id as Row<'pages'>['id'], version.number))!
}

export async function presentVersions(
  ctx: ReadContext,
  pageRow: Row<'pages'>,
  rows: readonly VersionHead[],
): Promise<z.infer<typeof PageVersion>[]> {
  const authors = await authorsOfVersions(
    ctx,
    rows.map((row) => row.id),
  )
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, ...(authors.get(row.id) ?? [])]),
  )
  const keys = await keyNames(
    ctx,
    rows.flatMap((row) => row.key_id ?? []),
  )
  const refOf = (id: string) => people.get(id) ?? { id, title: '' }
  return rows.map((row) =>
    omitNullish({
      id: row.id,
      page: pageRef(pageRow),
      number: row.number,
      title: row.title,
      author: refOf(row.created_by),
      authors: authors.get(row.id)?.map(refOf),
      via: row.created_via,
      key_name: row.key_id === null ? undefined : keys.get(row.key_id),
      created_at: iso(row.created_at),
      chars_changed: row.chars_changed,
      total_chars: row.chars,
      current: row.number === pageRow.version,
      url: pageVersion.url({ ...row, content: '' }, ctx.baseUrl), // the URL does not depend on the content
    }),
  )
}
