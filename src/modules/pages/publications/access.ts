import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScope, accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { page } from '../access.ts'
import { bodyAt } from '../content/access-bodies.ts'
import { publishedBelow } from './access-web.ts'

/** Whether another page has this address; addresses are unique across all organizations of an instance. */
export async function isSlugTaken(
  viewer: Viewer,
  slug: string,
  pageId: Row<'pages'>['id'],
): Promise<boolean> {
  const row = await accessScopeOf(viewer)
    .all.selectFrom('page_publications')
    .select('id')
    .where('slug', '=', slug)
    .where('page_id', '<>', pageId)
    .executeTakeFirst()
  return row !== undefined
}

export interface Published {
  publication: Row<'page_publications'>
  /** The published page and its published subpages: parents first, each level in order. */
  pages: Row<'pages'>[]
  body(row: Row<'pages'>): Promise<string>
  /** When its current text was written: other activity (comments, labels) is not public. */
  writtenAt(row: Row<'pages'>): Promise<number>
}

/**
 * Finds the publication at an address, for anonymous readers: only if the person who published it is still active
 * and still owns the page. Included subpages have the same owner or are visible to the whole organization:
 * a page that a colleague keeps private is not the owner's to publish, even if it is shared with them.
 * page that
 * a colleague keeps private is not the owner's to publish, even where it is shared with them.
 */
export async function publishedAt(
  all: Kysely<Tables>,
  now: number,
  slug: string,
): Promise<Published | undefined> {
  const publication = await all
    .selectFrom('page_publications')
    .selectAll()
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (!publication) return undefined
  const owner = await all
    .selectFrom('users')
    .select(['id', 'org_id', 'email', 'display_name', 'role', 'timezone'])
    .where('id', '=', publication.created_by)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (!owner) return undefined
  const ownerScope = accessScope({
    all,
    now,
    actor: { ...owner, via: 'automation', key: undefined },
  })
  const root = await page
    .ownedBy(ownerScope)
    .selectAll('pages')
    .where('pages.id', '=', publication.page_id)
    .executeTakeFirst()
  if (!root) return undefined
  const below =
    publication.include_children === 1
      ? await publishedBelow(all, root, owner.role === 'guest')
      : []
  return {
    publication,
    pages: [root, ...below],
    writtenAt: async ({ id, version, created_at }) =>
      (
        await all
          .selectFrom('page_versions')
          .select('created_at')
          .where('page_id', '=', id)
          .where('number', '=', version)
          .executeTakeFirst()
      )?.created_at ?? created_at,
    body: async (row) => (await bodyAt(ownerScope, row.id, row.version)) ?? '',
  }
}
