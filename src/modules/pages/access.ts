import { sql, type Expression, type SqlBool } from 'kysely'
import type { Id } from '../../kernel/ids.ts'
import { part } from '../../records/part.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type Row, type Scoped, resource } from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { fileHolders } from '../drive/access.ts'
import { labelledItems } from '../labels/access.ts'
import { bodyAt } from './content/access-bodies.ts'
import { coveredPages, isPublic } from './publications/access-web.ts'
import { noLiveChanges } from './live/access-stretches.ts'
import { onVersionChange } from './live/access-text.ts'
import { foldTitle } from '../../kernel/text/order.ts'

type ShareRole = Row<'page_shares'>['role']

/** Roles of a share, lowest first. */
export const shareRoles = ['viewer', 'commenter', 'editor'] as const

/**
 * Whether the actor may get access from above: through a share, or a page that someone else put below one of theirs.
 * Evaluated once per query, so that others' private pages cost nothing for people without shares.
 */
function mayHaveSharedAccess(scope: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`(exists (select 1 from page_shares as mine where mine.person_id = ${scope.actor.id}) or exists (select 1 from pages as mine where mine.parent_owner_id = ${scope.actor.id}))`
}

/**
 * Whether a page is shared with the actor, directly or through a parent page; the owner of a private page has edit
 * access to pages others put below it. Evaluated on the current tree: moving a page changes its readers at once.
 */
function hasSharedRole(
  accessScope: AccessScope,
  roles: readonly ShareRole[],
  pageId = 'pages.id',
): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    with recursive above (id, parent_id, owner_id, visibility) as (
      select self.id, self.parent_id, self.owner_id, self.visibility from pages as self where self.id = ${sql.ref(pageId)}
      union select up.id, up.parent_id, up.owner_id, up.visibility from pages as up join above on up.id = above.parent_id
    )
    select 1 from above where (above.owner_id = ${accessScope.actor.id} and above.visibility = 'private')
      or exists (select 1 from page_shares as given where given.page_id = above.id and given.person_id = ${accessScope.actor.id} and given.role in (${sql.join(roles)}))
  )`
}

function hasInheritedRole(scope: AccessScope, roles: readonly ShareRole[]): Expression<SqlBool> {
  return sql<SqlBool>`case when ${mayHaveSharedAccess(scope)} then ${hasSharedRole(scope, roles)} else false end`
}

/** Guests see only organization pages that are shared with them. */
function isOpenToActor(accessScope: AccessScope): Expression<SqlBool> {
  return accessScope.actor.role === 'guest'
    ? sql<SqlBool>`false`
    : sql<SqlBool>`pages.visibility = 'organization'`
}

function organizationPages(scope: AccessScope): Scoped<'pages'> {
  return scope.all.selectFrom('pages').where('pages.org_id', '=', scope.actor.org_id)
}

/**
 * Pages visible to the actor: the organization's, their own, and those shared with them, directly or through a parent
 * page.
 */
export const page = resource(
  'pages',
  {
    type: 'page',
    prefix: 'pag',
    see: (s) =>
      organizationPages(s).where(
        sql<SqlBool>`(${isOpenToActor(s)} or pages.owner_id = ${s.actor.id} or ${hasInheritedRole(s, shareRoles)})`,
      ),
    edit: (s) =>
      organizationPages(s).where(
        sql<SqlBool>`(pages.owner_id = ${s.actor.id} or ${hasInheritedRole(s, ['editor'])})`,
      ),
    own: (s) => organizationPages(s).where('pages.owner_id', '=', s.actor.id),
    rule: {
      edit: 'Only the owner and editors of this page can change it.',
      own: 'Only the page owner can do this.',
    },
    names: {
      columns: ['title'],
      by: async (rows, text) => rows.where('pages.title_folded', '=', foldTitle(text)),
      details: (row) => ({
        kind: row.kind === 'page' ? undefined : row.kind,
        parent_id: row.parent_id,
      }),
    },
    list: { tool: 'list_pages' },
    title: (row) => row.title,
    path: (row) => `pages/${row.id}`,
    project: (row) => row.project_id,
    unaudited: [
      'title_folded',
      'position',
      'parent_owner_id',
      'version',
      'live_from',
      'live_since',
      'live_at',
    ],
    search: searchPage,
    outside: { isVisible: isPublic, unseen: ['parent_owner_id', 'project_id', 'kind'] },
    approval: { covers: coveredPages },
  },
  { trash: true },
)

extend(page, 'trash', {
  // The owner of a page that was trashed along with a page of another person may restore the whole tree.
  restorable: (s) =>
    organizationPages(s).where(
      sql<SqlBool>`(pages.owner_id = ${s.actor.id} or (${isVisibleToOthers(s)} and exists (select 1 from pages as along where along.deleted_with = pages.id and along.owner_id = ${s.actor.id})))`,
    ),
})

extend(page, 'undo', {
  isInUse: hasSubpages,
})

extend(page, 'changes', {
  alsoSet: ({ version }) => (version === undefined ? {} : noLiveChanges),
  afterChange: onVersionChange,
})

function isVisibleToOthers(scope: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`(${isOpenToActor(scope)} or ${hasInheritedRole(scope, shareRoles)})`
}

/** The search container of a page's texts: the organization for its pages, the owner for private ones. */
export function pageContainer(
  row: Pick<Row<'pages'>, 'visibility' | 'org_id' | 'owner_id'>,
): string {
  return row.visibility === 'organization' ? row.org_id : row.owner_id
}

/** Whether a page has subpages outside the trash. */
async function hasSubpages(id: string, { all }: AccessScope): Promise<boolean> {
  const subpage = await all
    .selectFrom('pages')
    .select('id')
    .where('parent_id', '=', id as Id<'pages'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return subpage !== undefined
}

async function searchPage(row: Row<'pages'>, scope: AccessScope) {
  const body = await bodyAt(scope, row.id, row.version)
  if (body === undefined) return undefined // the page is still being created
  return {
    title: row.title,
    body,
    container: pageContainer(row),
    part: 'item' as const,
    item_id: row.id,
    item_type: 'page',
    at: row.updated_at,
  }
}

/** Versions: visible with their page. */
export const pageVersion = resource('page_versions', {
  type: 'page_version',
  prefix: 'pvr',
  see: (s) => s.all.selectFrom('page_versions').where(page.holds(s, 'page_versions.page_id')),
  inheritsVisibilityFrom: 'page_id',
  title: (row) => row.title,
  path: (row) => `pages/${row.page_id}/versions/${row.id}`,
  partOf: {
    table: 'pages',
    by: 'page_id',
    field: 'body',
    value: (row) => `version ${row.number}, ${row.chars} characters`,
    touch: 'revision',
    level: 'edit',
  },
})

/** Shares: changes are reported to all who see the page; granted and revoked by its owner. */
export const pageShare = resource('page_shares', {
  type: 'page_share',
  prefix: 'psh',
  see: (s) => s.all.selectFrom('page_shares').where(page.holds(s, 'page_shares.page_id')),
  inheritsVisibilityFrom: 'page_id',
  edit: (s) => s.all.selectFrom('page_shares').where(page.holds(s, 'page_shares.page_id', 'own')),
  title: (row) => row.role,
  path: (row) => `pages/${row.page_id}`,
  partOf: {
    table: 'pages',
    by: 'page_id',
    field: 'shares',
    value: (row) => ({ person: row.person_id, role: row.role }),
    touch: 'revision',
    level: 'own',
  },
})

/** Comments: visible with their page; created and resolved by all who may comment there. */
export const pageComment = resource('page_comments', {
  type: 'page_comment',
  prefix: 'pcm',
  see: (s) => s.all.selectFrom('page_comments').where(page.holds(s, 'page_comments.page_id')),
  inheritsVisibilityFrom: 'page_id',
  edit: (s) =>
    s.all
      .selectFrom('page_comments')
      .where(page.holds(s, 'page_comments.page_id'))
      .where(mayComment(s, 'page_comments.page_id')),
  rule: { edit: 'You can read this page but not comment on it.' },
  title: (row) => row.body_markdown.slice(0, 80),
  path: (row) => `pages/${row.page_id}#${row.id}`,
  partOf: {
    table: 'pages',
    by: 'page_id',
    field: 'comments',
    value: (row) => row.body_markdown.slice(0, 200),
    touch: 'time',
    level: 'see',
  },
  search: searchComment,
})

extend(pageComment, 'taskSource', {
  asTask: (row) => ({
    title: row.body_markdown,
    body_markdown:
      row.quote === null
        ? row.body_markdown
        : `${row.quote.replaceAll(/^/gm, '> ')}\n\n${row.body_markdown}`,
    trust: 'internal',
  }),
})

async function searchComment(row: Row<'page_comments'>, scope: AccessScope) {
  const pageRow = await scope.all
    .selectFrom('pages')
    .select(['org_id', 'owner_id', 'visibility', 'deleted_at'])
    .where('id', '=', row.page_id)
    .executeTakeFirst()
  if (!pageRow || pageRow.deleted_at !== null) return undefined
  return {
    title: '',
    body: row.body_markdown,
    container: pageContainer(pageRow),
    part: 'comment' as const,
    item_id: row.page_id,
    item_type: 'page',
    at: row.created_at,
  }
}

export const pageLabel = part('page_labels', {
  table: 'pages',
  by: 'page_id',
  unique: ['page_id', 'label_id'],
  field: 'labels',
  value: (row) => row.label_id,
  touch: 'revision',
})

labelledItems.register({ type: 'page', items: page, links: pageLabel })

export const pageLink = part('page_links', {
  table: 'pages',
  by: 'page_id',
  unique: ['page_id', 'target_id', 'title_folded'],
  field: 'links',
  value: (row) => row.target_id || row.title_folded,
  touch: 'time',
})

export const pageFile = part('page_files', {
  table: 'pages',
  by: 'page_id',
  unique: ['page_id', 'file_id'],
  field: 'files',
  value: (row) => row.file_id,
  touch: 'revision',
})

/** Files of visible pages. */
fileHolders.register({
  shows: (s, file) => {
    const visiblePage = page
      .visibleTo(s)
      .where('pages.id', '=', sql.ref<never>('page_files.page_id'))
      .select('pages.id')
    return sql<SqlBool>`exists (select 1 from page_files where page_files.file_id = ${sql.ref(file)} and exists ${visiblePage})`
  },
})

/**
 * Whether the actor, who sees a column's page, may comment on it: everyone on organization pages, otherwise
 * commenters.
 */
function mayComment(scope: AccessScope, column: string): Expression<SqlBool> {
  const isAllowed = sql<SqlBool>`(own.owner_id = ${scope.actor.id} or (${scope.actor.role === 'guest' ? sql`false` : sql`own.visibility = 'organization'`}) or ${hasSharedRole(scope, ['commenter', 'editor'], 'own.id')})`
  return sql<SqlBool>`exists (select 1 from pages as own where own.id = ${sql.ref(column)} and ${isAllowed})`
}

export type PageRole = ShareRole | 'owner'

/** Roles of the actor on pages, by id. The actor must be able to see the pages. */
export async function rolesOn(
  viewer: Viewer,
  rows: readonly Pick<Row<'pages'>, 'id' | 'owner_id' | 'visibility'>[],
): Promise<Map<string, PageRole>> {
  const s = accessScopeOf(viewer)
  const roles = new Map<string, PageRole>(
    rows.map((row) => {
      if (row.owner_id === s.actor.id) return [row.id, 'owner']
      const isOpen = row.visibility === 'organization' && s.actor.role !== 'guest'
      return [row.id, isOpen ? 'commenter' : 'viewer']
    }),
  )
  const others = rows.filter((row) => row.owner_id !== s.actor.id)
  if (others.length === 0) return roles
  const roleRows = await s.all
    .selectFrom('pages')
    .select([
      'pages.id',
      sql<number>`case when ${hasInheritedRole(s, ['editor'])} then 2 when ${hasInheritedRole(s, ['commenter'])} then 1 else 0 end`.as(
        'level',
      ),
    ])
    .where(
      'pages.id',
      'in',
      others.map((row) => row.id),
    )
    .execute()
  for (const { id, level } of roleRows)
    if (level > 0) roles.set(id, level === 2 ? 'editor' : 'commenter')
  return roles
}

/** The same pages as `page.visibleTo`, for long lists: shared pages are collected once, from the shares downward. */
export function listedPages(reader: Viewer): Scoped<'pages'> {
  const s = accessScopeOf(reader)
  const query = organizationPages(s).where(
    sql<SqlBool>`(${isOpenToActor(s)} or pages.owner_id = ${s.actor.id} or ${isSharedWithActor(s)})`,
  )
  return s.trash ? query : query.where('pages.deleted_at', 'is', null)
}

/** Whether a page is shared with the actor, directly or through a page above it; false for the actor's own pages. */
export function isSharedWithActor(viewer: Viewer): Expression<SqlBool> {
  const s = accessScopeOf(viewer)
  return sql<SqlBool>`case when ${mayHaveSharedAccess(s)} then pages.id in (
    with recursive shared (id) as (
      select given.page_id from page_shares as given where given.person_id = ${s.actor.id}
      union select put.id from pages as put where put.parent_owner_id = ${s.actor.id} and ${hasSharedRole(s, shareRoles, 'put.id')}
      union select down.id from pages as down join shared on down.parent_id = shared.id
    )
    select shared.id from shared) else false end`
}

/** Publication of a page on the web: visible to everyone who sees the page, controlled by its owner. */
export const publication = resource('page_publications', {
  type: 'publication',
  prefix: 'pub',
  see: (s) =>
    s.all.selectFrom('page_publications').where(page.holds(s, 'page_publications.page_id')),
  inheritsVisibilityFrom: 'page_id',
  edit: (s) =>
    s.all.selectFrom('page_publications').where(page.holds(s, 'page_publications.page_id', 'own')),
  own: (s) =>
    s.all.selectFrom('page_publications').where(page.holds(s, 'page_publications.page_id', 'own')),
  outside: { isVisible: () => true, unseen: [] },
  isOutbound: (row, before) =>
    !before ||
    row.slug !== before.slug ||
    (row.include_children === 1 && before.include_children === 0) ||
    (before.expires_at !== null && (row.expires_at === null || row.expires_at > before.expires_at)),
  title: (row) => row.slug,
  path: (row) => `p/${row.slug}`,
  partOf: {
    table: 'pages',
    by: 'page_id',
    field: 'publication',
    value: (row) => row.slug,
    touch: 'revision',
    level: 'own',
  },
})
