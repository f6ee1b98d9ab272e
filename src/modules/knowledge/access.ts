import { sql, type Expression, type SqlBool } from 'kysely'
import { prepared } from '../../records/prepared.ts'
import { part } from '../../records/part.ts'
import {
  type Row,
  type Scoped,
  itemResources,
  resource,
  resourceByPrefix,
} from '../../records/resource.ts'
import { extend } from '../../records/resource-extensions.ts'
import type { SearchText } from '../../records/search-text.ts'
import { type Id, prefixOf } from '../../kernel/ids.ts'
import { accessScopeOf, type AccessScope, type Viewer } from '../../records/access-scope.ts'
import { asWords, nameKey } from './entities/keys.ts'
import { omitNullish } from '../../kernel/present.ts'
import { anyOf } from '../../db/text-conditions.ts'

type GraphTable = 'entities' | 'relations' | 'facts' | 'observations'

/** Members see the whole graph. Guests see none of it: it contains names of contacts. */
function graphRows<T extends GraphTable>(scope: AccessScope, table: T): Scoped<T> {
  const all = scope.all.selectFrom(table as 'entities')
  // Statements are looked up by entity: the organization, of which there is only one, must not drive the query.
  const rows =
    table === 'entities'
      ? all.where('entities.org_id', '=', scope.actor.org_id)
      : all.where(sql<boolean>`${sql.ref(`${table}.org_id`)} || '' = ${scope.actor.org_id}`)
  return (
    scope.actor.role === 'guest' ? rows.where(`${table as 'entities'}.id`, 'in', []) : rows
  ) as Scoped<T>
}

export const entity = resource(
  'entities',
  {
    type: 'entity',
    prefix: 'ent',
    see: (s) => graphRows(s, 'entities'),
    edit: (s) => graphRows(s, 'entities'),
    own: (s) => graphRows(s, 'entities'),
    rule: { own: 'This entity was merged into another one. Undo the merge to restore it.' },
    alias: whereEntityNamed,
    names: { columns: ['name'], by: async () => undefined, details: (row) => ({ type: row.type }) }, // `alias` takes names, other names included
    takes: 'id or name',
    list: { tool: 'search_entities' },
    title: (row) => row.name,
    isExternal: (row) => row.trust === 'external',
    externalText: ['name', 'description'],
    path: (row) => `knowledge/${row.id}`,
    unaudited: ['name_key', 'follows_item'],
    search: async (row) => ({
      title: row.name,
      body: row.description ?? '',
      container: row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'entity',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(entity, 'formerIds', {
  currentIds: redirects,
})

extend(entity, 'trash', {
  // Entities that were merged into another entity cannot be restored.
  restorable: (s) =>
    graphRows(s, 'entities').where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('entity_redirects').select('old_id').whereRef('old_id', '=', 'entities.id'),
        ),
      ),
    ),
})

/** By exact or alternative name; an automatic one also by its item's id. */
function whereEntityNamed(
  query: Scoped<'entities'>,
  text: string,
  scope: AccessScope,
): Scoped<'entities'> {
  if (resourceByPrefix(prefixOf(text)))
    return query.where('entities.item_id', '=', text).where('entities.follows_item', '=', 1)
  return query.where(isNamed(scope, nameKey(text)))
}

/** Whether a query's entity has a name. Both halves use an index, so the number of entities does not matter. */
export function isNamed(accessScope: AccessScope, key: string): Expression<SqlBool> {
  const ownNames = accessScope.all
    .selectFrom('entities as named')
    .select('named.id')
    .where('named.org_id', '=', accessScope.actor.org_id)
    .where('named.name_key', '=', key)
  const alternativeNames = accessScope.all
    .selectFrom('entity_names')
    .select('entity_names.entity_id')
    .where('entity_names.org_id', '=', accessScope.actor.org_id)
    .where('entity_names.name_key', '=', key)
  return sql<SqlBool>`entities.id in (select id from ${ownNames} as owned union select entity_id from ${alternativeNames} as other)`
}

async function redirects(scope: AccessScope, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await scope.all
    .selectFrom('entity_redirects')
    .select(['old_id', 'entity_id'])
    .where('old_id', 'in', ids as Id<'entities'>[])
    .where('org_id', '=', scope.actor.org_id)
    .execute()
  return new Map(rows.map((row) => [row.old_id, row.entity_id]))
}

/** Other names of entities. */
export const entityName = part('entity_names', {
  table: 'entities',
  by: 'entity_id',
  unique: ['entity_id', 'name_key'],
  field: 'aliases',
  value: (row) => row.name,
  touch: 'revision',
})

/** Ids of entities merged into another. */
export const entityRedirect = part('entity_redirects', {
  table: 'entities',
  by: 'entity_id',
  unique: ['old_id'],
  field: 'merged',
  value: (row) => row.old_id,
  touch: 'revision',
})

/** A table's rows of visible entities. */
function visibleStatements<T extends 'facts' | 'observations'>(
  scope: AccessScope,
  table: T,
): Scoped<T> {
  return graphRows(scope, table).where(entity.holds(scope, `${table}.entity_id`))
}

/** Typed links between entities, visible while both ends are. */
export const relation = resource('relations', {
  type: 'relation',
  prefix: 'rel',
  see: visibleRelations,
  edit: visibleRelations,
  own: visibleRelations,
  title: (row) => asWords(row.type),
  path: (row) => `knowledge/${row.from_id}`,
  partOf: {
    table: 'entities',
    by: 'from_id',
    field: 'relations',
    value: (row) => ({
      type: row.type,
      to: row.to_id,
      ...omitNullish({
        wrong: row.is_wrong === 1 ? true : undefined,
        ended: row.is_wrong === 0 && row.valid_to !== null ? true : undefined,
      }),
    }),
    touch: 'time',
  },
})

function visibleRelations(scope: AccessScope): Scoped<'relations'> {
  return graphRows(scope, 'relations')
    .where(entity.holds(scope, 'relations.from_id'))
    .where(entity.holds(scope, 'relations.to_id'))
}

/** Dated statements about entities. */
export const fact = resource('facts', {
  type: 'fact',
  prefix: 'fct',
  see: (s) => visibleStatements(s, 'facts'),
  inheritsVisibilityFrom: 'entity_id',
  edit: (s) => visibleStatements(s, 'facts'),
  own: (s) => visibleStatements(s, 'facts'),
  title: (row) => `${asWords(row.predicate)}: ${row.value}`.slice(0, 200),
  path: (row) => `knowledge/${row.entity_id}`,
  partOf: {
    table: 'entities',
    by: 'entity_id',
    field: 'facts',
    value: (row) => `${asWords(row.predicate)}: ${row.value} (${row.status})`,
    touch: 'time',
  },
  search: (row, s) =>
    textAbout(row.entity_id, `${asWords(row.predicate)} ${row.value}`, row.created_at, s),
})

/** Free-text notes about entities. */
export const observation = resource('observations', {
  type: 'observation',
  prefix: 'obs',
  see: (s) => visibleStatements(s, 'observations'),
  inheritsVisibilityFrom: 'entity_id',
  edit: (s) => visibleStatements(s, 'observations'),
  own: (s) => visibleStatements(s, 'observations'),
  title: (row) => row.body.slice(0, 80),
  path: (row) => `knowledge/${row.entity_id}`,
  partOf: {
    table: 'entities',
    by: 'entity_id',
    field: 'observations',
    value: (row) => row.body.slice(0, 200),
    touch: 'time',
  },
  search: (row, s) => textAbout(row.entity_id, row.body, row.observed_at, s),
})

async function textAbout(
  entityId: Row<'entities'>['id'],
  body: string,
  at: number,
  scope: AccessScope,
): Promise<SearchText | undefined> {
  const entityRow = await scope.all
    .selectFrom('entities')
    .select(['org_id', 'deleted_at'])
    .where('id', '=', entityId)
    .executeTakeFirst()
  if (!entityRow || entityRow.deleted_at !== null) return undefined
  return {
    title: '',
    body,
    container: entityRow.org_id,
    part: 'comment',
    item_id: entityId,
    item_type: 'entity',
    at,
  }
}

/** Linkable item kinds. Kinds of missing modules are skipped. */
export const linkable: ReadonlySet<string> = new Set([
  'action_item',
  'automation',
  'channel',
  'company',
  'contact',
  'deal',
  'decision',
  'email',
  'entity',
  'event',
  'file',
  'form',
  'goal',
  'incident',
  'interaction',
  'meeting',
  'message',
  'milestone',
  'page',
  'postmortem',
  'project',
  'pulse',
  'runbook',
  'service',
  'sprint',
  'status_update',
  'task',
  'team',
])

/** Links between items: visible to those who see both ends. */
export const itemLink = resource('item_links', {
  type: 'link',
  prefix: 'lnk',
  see: linksWithVisibleEnds,
  edit: linksWithVisibleEnds,
  own: linksWithVisibleEnds,
  title: (row) => asWords(row.kind),
  path: (row) => `links/${row.id}`,
})

function linksWithVisibleEnds(scope: AccessScope): Scoped<'item_links'> {
  const kinds = itemResources().filter((itemResource) => linkable.has(itemResource.definition.type))
  const end = (side: 'from' | 'to') => {
    const conditions = kinds.map(
      (kind) =>
        sql<SqlBool>`(item_links.${sql.raw(side)}_type = ${kind.definition.type} and ${kind.holds(scope, `item_links.${side}_id`)})`,
    )
    return anyOf(conditions)
  }
  return scope.all
    .selectFrom('item_links')
    .where('item_links.org_id', '=', scope.actor.org_id)
    .where(end('from'))
    .where(end('to'))
}

const linksAt = { from_id: compiledLinks('from_id'), to_id: compiledLinks('to_id') }

function compiledLinks(side: 'from_id' | 'to_id') {
  return prepared<{ items: readonly string[]; limit: number }, Row<'item_links'>>(
    (s, { items, limit }) =>
      itemLink
        .visibleTo(s)
        .where(`item_links.${side}`, 'in', items)
        .selectAll('item_links')
        .orderBy('item_links.id', 'desc')
        .limit(limit),
  )
}

/** Links at one of up to 404 items, newest first. Compiled once, since either end may be of any kind. */
export async function linksFrom(
  viewer: Viewer,
  side: 'from_id' | 'to_id',
  items: readonly string[],
  limit: number,
): Promise<Row<'item_links'>[]> {
  return items.length === 0 ? [] : linksAt[side](viewer, { items, limit })
}

/** Whether a query's entity has a name or alternative name that starts with the text. */
export function isNamedLike(scope: AccessScope, key: string): Expression<SqlBool> {
  const upperBound = `${key}\uffff`
  const ownNames = scope.all
    .selectFrom('entities as named')
    .select('named.id')
    .where('named.org_id', '=', scope.actor.org_id)
    .where('named.name_key', '>=', key)
    .where('named.name_key', '<', upperBound)
  const others = scope.all
    .selectFrom('entity_names')
    .select('entity_names.entity_id')
    .where('entity_names.org_id', '=', scope.actor.org_id)
    .where('entity_names.name_key', '>=', key)
    .where('entity_names.name_key', '<', upperBound)
  return sql<SqlBool>`entities.id in (select id from ${ownNames.limit(200)} as owned union select entity_id from ${others.limit(200)} as other)`
}

/** A visible item's indexed texts: its own, then those of comments, transcripts and attachments. */
export async function documentTexts(
  viewer: Viewer,
  id: string,
): Promise<{ ref: string; text: string }[]> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('search_docs')
    .select(['ref', 'part', 'title', 'body'])
    .where('item_id', '=', id)
    .orderBy('rowid_')
    .execute()
  const itemRows = rows.filter((row) => row.part === 'item')
  return [...itemRows, ...rows.filter((row) => row.part !== 'item')].map(
    ({ ref, title, body }) => ({
      ref,
      text: [title, body].filter((text) => text !== '').join('\n'),
    }),
  )
}
