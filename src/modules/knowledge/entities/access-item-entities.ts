// Entities for things known to the whole organization: its people, teams, services, contacts and companies. They are
// created automatically and share the names of their items. Nothing else is included: names of projects, pages and
// channels are only for their readers.
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Tables } from '../../../db/tables.ts'
import { nameKey } from './keys.ts'

type All = Kysely<Tables>
type EntityRow = Tables['entities']

/** An item represented by an entity. */
interface RepresentedItem {
  item_type: string
  id: string
  org_id: Id<'orgs'>
  name: string
  /** external: people outside wrote the name. */
  trust: EntityRow['trust']
  /** Creator of the entity; undefined for the organization's first administrator. */
  created_by: Id<'users'> | undefined
  is_live: boolean
  /** Contact into which it was merged. */
  merged_into: string | undefined
}

interface Kind {
  type: string
  /** Items of the kind by id, or the next ones after an id. */
  read(
    all: All,
    selection: { ids: readonly string[] } | { after: string; limit: number },
  ): Promise<RepresentedItem[]>
}

const kinds: Readonly<Record<string, Kind>> = {
  person: { type: 'person', read: readPeople },
  team: { type: 'team', read: (all, which) => readNamedItems(all, 'teams', 'team', which) },
  service: {
    type: 'service',
    read: (all, which) => readNamedItems(all, 'services', 'service', which),
  },
  company: {
    type: 'company',
    read: (all, which) => readNamedItems(all, 'companies', 'company', which),
  },
  contact: { type: 'person', read: readContacts },
}

type Selection = Parameters<Kind['read']>[1]

/** The mark of external text, which of these tables only contacts have. */
const trustIn = (table: string) =>
  sql<EntityRow['trust']>`${table === 'contacts' ? sql.ref('trust') : sql`null`}`.as('trust')

async function readNamedItems(
  all: All,
  table: 'teams' | 'services' | 'companies' | 'contacts',
  item_type: string,
  which: Selection,
): Promise<RepresentedItem[]> {
  const rows = all
    .selectFrom(table as 'services')
    .select(['id', 'org_id', 'name', 'created_by', 'deleted_at', trustIn(table)])
  const itemRows = await ('ids' in which
    ? rows.where('id', 'in', which.ids as Id<'services'>[])
    : rows
        .where('id', '>', which.after as Id<'services'>)
        .orderBy('id')
        .limit(which.limit)
  ).execute()
  return itemRows.map(({ deleted_at, ...row }) => ({
    ...row,
    item_type,
    is_live: deleted_at === null,
    merged_into: undefined,
  }))
}

async function readContacts(all: All, which: Selection): Promise<RepresentedItem[]> {
  const contactItems = await readNamedItems(all, 'contacts', 'contact', which)
  const removedIds = contactItems
    .filter((followed) => !followed.is_live)
    .map((followed) => followed.id)
  const redirects =
    removedIds.length === 0
      ? []
      : await all
          .selectFrom('contact_redirects')
          .select(['old_id', 'contact_id'])
          .where('old_id', 'in', removedIds)
          .execute()
  return contactItems.map((followed) => ({
    ...followed,
    merged_into: redirects.find((redirect) => redirect.old_id === followed.id)?.contact_id,
  }))
}

async function readPeople(all: All, which: Selection): Promise<RepresentedItem[]> {
  const rows = all.selectFrom('users').select(['id', 'org_id', 'display_name'])
  const users = await ('ids' in which
    ? rows.where('id', 'in', which.ids as Id<'users'>[])
    : rows
        .where('id', '>', which.after as Id<'users'>)
        .orderBy('id')
        .limit(which.limit)
  ).execute()
  return users.map(({ id, org_id, display_name }) => ({
    item_type: 'person',
    id,
    org_id,
    name: display_name,
    trust: null,
    created_by: undefined,
    is_live: true,
    merged_into: undefined,
  }))
}

/** Items and changes processed per batch. */
const batchSize = 100
/** Key of the change feed, which is stored beside the feeds of the kinds. */
const changesFeed = 'changes'

interface Feed {
  after_id: string
  seq: number
}

async function feedsOf(all: All): Promise<Map<string, Feed>> {
  const rows = await all.selectFrom('entity_feeds').selectAll().execute()
  return new Map(rows.map((row) => [row.item_type, row]))
}

async function saveFeedPosition(
  all: All,
  item_type: string,
  { after_id, seq }: Feed,
): Promise<void> {
  await all
    .insertInto('entity_feeds')
    .values({ item_type, after_id, seq })
    .onConflict((conflict) => conflict.column('item_type').doUpdateSet({ after_id, seq }))
    .execute()
}

/** Whether there are unprocessed items or changes, or so many changes that the feed must advance. */
export async function hasUnprocessedItems(all: All): Promise<boolean> {
  const feeds = await feedsOf(all)
  for (const [item_type, { read }] of Object.entries(kinds))
    if ((await read(all, { after: feeds.get(item_type)?.after_id ?? '', limit: 1 })).length > 0)
      return true
  const next = await nextChanges(all, feeds)
  return next.length === batchSize || next.some((item) => item.item_type in kinds)
}

function nextChanges(all: All, feeds: ReadonlyMap<string, Feed>) {
  return all
    .selectFrom('changes')
    .select(['seq', 'item_type', 'item_id', 'op'])
    .where('seq', '>', feeds.get(changesFeed)?.seq ?? 0)
    .orderBy('seq')
    .limit(batchSize)
    .execute()
}

/** Processes the next items or changes; returns whether there may be more. */
export async function processNextItems(system: TickContext): Promise<boolean> {
  const feeds = await feedsOf(system.all)
  for (const [item_type, { read }] of Object.entries(kinds)) {
    const items = await read(system.all, {
      after: feeds.get(item_type)?.after_id ?? '',
      limit: batchSize,
    })
    if (items.length === 0) continue
    await syncItemEntities(system, items, new Set())
    await saveFeedPosition(system.all, item_type, { after_id: items.at(-1)!.id, seq: 0 })
    return true
  }
  const changes = await nextChanges(system.all, feeds)
  if (changes.length === 0) return false
  for (const [item_type, some] of Map.groupBy(
    changes.filter((change) => change.item_type in kinds),
    (change) => change.item_type,
  )) {
    const items = await kinds[item_type]!.read(system.all, {
      ids: [...new Set(some.map((item) => item.item_id))],
    })
    await syncItemEntities(
      system,
      items,
      new Set(some.filter((item) => item.op === 'restored').map((item) => item.item_id)),
    )
  }
  await saveFeedPosition(system.all, changesFeed, { after_id: '', seq: changes.at(-1)!.seq })
  return changes.length === batchSize
}

/** Updates the entities of items. */
async function syncItemEntities(
  system: TickContext,
  items: readonly RepresentedItem[],
  restored: ReadonlySet<string>,
): Promise<void> {
  const outdated: { item: RepresentedItem; by: Id<'users'> }[] = []
  for (const item of items) {
    if (!(await isOutdated(system.all, item, restored.has(item.id)))) continue
    const by = item.created_by ?? (await firstAdminOf(system.all, item.org_id))
    if (by) outdated.push({ item, by })
  }
  for (const [by, some] of Map.groupBy(outdated, (item) => item.by)) {
    await system.as(by, async (ctx) => {
      for (const { item } of some)
        await syncItemEntity(system.all, ctx, item, restored.has(item.id))
    })
  }
}

async function firstAdminOf(all: All, orgId: Id<'orgs'>): Promise<Id<'users'> | undefined> {
  const administrator = await all
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', orgId)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .executeTakeFirst()
  return administrator?.id
}

/** Entities of an item, including those in the trash; automatic ones first. */
function entitiesOfItem(all: All, itemId: string): Promise<EntityRow[]> {
  return all
    .selectFrom('entities')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('follows_item', 'desc')
    .orderBy('id')
    .execute()
}

async function isOutdated(all: All, item: RepresentedItem, isRestored: boolean): Promise<boolean> {
  const [first] = await entitiesOfItem(all, item.id)
  if (!first) return item.is_live
  if (first.deleted_at !== null) return item.is_live && isRestored
  return (
    first.follows_item === 1 &&
    (!item.is_live || first.name !== item.name || first.trust !== item.trust)
  )
}

async function syncItemEntity(
  all: All,
  ctx: WriteContext,
  item: RepresentedItem,
  isRestored: boolean,
): Promise<void> {
  const [first] = await entitiesOfItem(all, item.id)
  if (!item.is_live) return first && removeItemEntity(all, ctx, first, item)
  if (!first) return createItemEntity(all, ctx, item)
  if (first.deleted_at !== null)
    return isRestored ? restoreItemEntity(all, ctx, first, item) : undefined
  if (first.follows_item === 1) await ctx.change('entities', first, entityNameOf(item))
}

function entityNameOf({
  name,
  trust,
}: RepresentedItem): Pick<EntityRow, 'name' | 'name_key' | 'trust'> {
  return { name, name_key: nameKey(name), trust }
}

/**
 * Creates the entity of an item. If people already created a matching entity, it represents the item, under the name
 * that they chose.
 */
async function createItemEntity(all: All, ctx: WriteContext, item: RepresentedItem): Promise<void> {
  const { type } = kinds[item.item_type]!
  // `type || ''`: forces the index by name, since a type may have very many entities.
  const matchingEntity = await all
    .selectFrom('entities')
    .selectAll()
    .where('org_id', '=', item.org_id)
    .where('name_key', '=', nameKey(item.name))
    .where(sql<SqlBool>`type || '' = ${type}`)
    .where('item_id', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  const itemColumns = { item_type: item.item_type, item_id: item.id }
  if (matchingEntity) await ctx.change('entities', matchingEntity, itemColumns)
  else await ctx.add('entities', { ...entityNameOf(item), type, ...itemColumns, follows_item: 1 })
}

/** Restores the entity of an item that came out of the trash, unless the entity was merged. */
async function restoreItemEntity(
  all: All,
  ctx: WriteContext,
  row: EntityRow,
  item: RepresentedItem,
): Promise<void> {
  const redirect = await all
    .selectFrom('entity_redirects')
    .select('old_id')
    .where('old_id', '=', row.id)
    .executeTakeFirst()
  if (redirect) return createItemEntity(all, ctx, item)
  const restoredRow = await ctx.restore('entities', row)
  if (restoredRow.follows_item === 1) await ctx.change('entities', restoredRow, entityNameOf(item))
}

/**
 * Removes the entity of a deleted item if there are no statements about it; merges the entity of a contact that was
 * merged.
 */
async function removeItemEntity(
  all: All,
  ctx: WriteContext,
  row: EntityRow,
  item: RepresentedItem,
): Promise<void> {
  const [survivor] =
    item.merged_into === undefined
      ? []
      : (await entitiesOfItem(all, item.merged_into)).filter((entry) => entry.deleted_at === null)
  if (survivor)
    await ctx.call('merge_entities', { entity_id: survivor.id, duplicate_ids: [row.id] })
  else if (!(await hasStatements(all, row.id))) await ctx.trash('entities', row)
}

async function hasStatements(all: All, id: Id<'entities'>): Promise<boolean> {
  const statements = [
    await all
      .selectFrom('facts')
      .select('id')
      .where((eb) => eb.or([eb('entity_id', '=', id), eb('value_entity_id', '=', id)]))
      .executeTakeFirst(),
    await all
      .selectFrom('observations')
      .select('id')
      .where('entity_id', '=', id)
      .executeTakeFirst(),
    await all
      .selectFrom('relations')
      .select('id')
      .where((eb) => eb.or([eb('from_id', '=', id), eb('to_id', '=', id)]))
      .executeTakeFirst(),
  ]
  return statements.some((item) => item !== undefined)
}
