import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { filters, moment, filterFunction, resolvedInput } from '../../../operations/filters.ts'
import { searchItems } from '../../../operations/search/search-items.ts'
import { pageOfHits } from '../../../operations/search/hits.ts'
import { anyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { parseQuery } from '../../../search/query.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { entity, entityName, linkable } from '../access.ts'
import { entityCountsOf, entitiesNamed, idsNamedLike } from './access-counts.ts'
import { searchableEntities } from '../searchable.ts'
import { nameKey, wordKey } from './keys.ts'
import { entityRef } from '../shapes.ts'
import {
  Entity,
  ListedEntity,
  presentCurrent,
  presentEntities,
  presentEntity,
} from './presenter.ts'
import { sourceColumnsOf } from '../facts/sources.ts'
import { byScore } from '../../../kernel/text/order.ts'

const typeName = () =>
  z.string().min(1).max(60).describe('such as person, company, product, system, topic; lowercased')
const aliases = () => z.array(title()).max(50)

const entityFilters = filters('entities', {
  type: {
    input: resolvedInput(z.array(typeName()).min(1).max(20).optional(), (names) =>
      names.map((name, i) => readType(name, `type[${i}]`)),
    ),
    where: (query, types) => query.where('entities.type', 'in', types),
  },
  updated_after: {
    input: moment('start'),
    where: (query, at) => query.where('entities.updated_at', '>', at),
  },
})

export const searchEntities = operation({
  name: 'search_entities',
  searchHint: 'look up a name, people and products we know, knowledge graph',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/entities',
  about:
    'Find knowledge entities by name, alias, meaning or type; use search_workspace for anything else',
  input: {
    query: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('a name, the start of one, or words; exact names first'),
    ...entityFilters.input,
    ...paging,
  },
  output: pageOf(ListedEntity),
  async handle({ query, limit, cursor, ...filter }, ctx) {
    const narrow = await filterFunction(ctx, entityFilters, filter)
    if (query === undefined) {
      const seen = entity.visibleTo(ctx)
      const page = await paged(
        (narrow?.(seen) ?? seen).selectAll('entities'),
        [
          { by: 'entities.updated_at', as: 'updated_at', dir: 'desc' },
          { by: 'entities.id', as: 'id', dir: 'desc' },
        ],
        { limit, cursor },
      )
      return pageWithItems(page, await presentEntities(ctx, page.items))
    }
    const page = pageOfHits(await scoreEntities(ctx, query, narrow), { limit, cursor })
    const rows = await entity.among(
      ctx,
      page.items.map((item) => item.id),
    )
    return pageWithItems(
      page,
      await presentEntities(
        ctx,
        page.items.flatMap((item) => rows.get(item.id) ?? []),
      ),
    )
  },
})

/** Entities matching a query: exact names, then name prefixes, then words and meaning. */
async function scoreEntities(
  ctx: ReadContext,
  query: string,
  narrow: ((rows: Scoped<'entities'>) => Scoped<'entities'>) | undefined,
): Promise<{ id: string; score: number }[]> {
  const key = nameKey(query)
  const scores = new Map<string, number>()
  const exactMatches = (await entitiesNamed(ctx, key)).map((row) => row.id)
  const prefixMatches = await idsNamedLike(ctx, key)
  const allowedIds = new Set(
    narrow
      ? (
          await narrow(entity.visibleTo(ctx))
            .where('entities.id', 'in', [...exactMatches, ...prefixMatches])
            .selectAll('entities')
            .execute()
        ).map((row) => row.id)
      : [...exactMatches, ...prefixMatches],
  )
  for (const id of exactMatches) if (allowedIds.has(id)) scores.set(id, 2)
  for (const id of prefixMatches) if (allowedIds.has(id) && !scores.has(id)) scores.set(id, 1.5)
  const parsed = parseQuery(query)
  if (parsed.stems.size > 0) {
    const narrowByKind = narrow ? new Map([['entity', narrow]]) : undefined
    const results = await searchItems(
      ctx,
      omitNullish({
        query: parsed,
        mode: 'hybrid',
        kinds: [searchableEntities],
        withLinks: false,
        only: narrowByKind,
      }),
    )
    for (const { row, score } of results.hits) if (!scores.has(row.id)) scores.set(row.id, score)
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort(byScore)
}

export const getEntity = operation({
  name: 'get_entity',
  searchHint: 'profile of a thing, what do we know about a product, summary of a topic',
  kind: 'read',
  rest: 'GET /api/entities/{entity_id}',
  about: 'One entity by id or exact name with current facts, observations and other counts',
  on: {
    entity: entity.see.describe(
      'id, exact name or alias; also the id of a contact, company, service, team or colleague',
    ),
  },
  input: {
    as_of: datetime().optional().describe('facts true at that time, as known today'),
    observation_limit: z.int().min(0).max(100).default(10).describe('notes shown, newest first'),
  },
  output: Entity,
  async handle({ entity: row, as_of, observation_limit }, ctx) {
    return presentEntity(ctx, row, {
      at: as_of === undefined ? ctx.now : parseInstant(as_of, ctx.actor.timezone, 'end', 'as_of'),
      observations: observation_limit,
    })
  },
})

export const createEntity = operation({
  name: 'create_entity',
  searchHint: 'new topic, remember a thing, add to the knowledge graph',
  kind: 'write',
  rest: 'POST /api/entities',
  about:
    'Add a person, company, product, system, topic or other entity; returns any with the same name and type',
  on: { item: anyItem.see.maybe },
  input: {
    name: title(),
    type: typeName(),
    aliases: aliases().optional().describe('other names'),
    description: markdown()
      .max(10_000)
      .optional()
      .describe('visible to everyone in the organization'),
    observations: z
      .array(z.string().min(1).max(10_000))
      .max(50)
      .optional()
      .describe('initial notes'),
  },
  output: Entity,
  async handle(
    { item, name, type: typeInput, aliases: other = [], description, observations = [] },
    ctx,
  ) {
    const type = readType(typeInput, 'type')
    if (item && !linkable.has(item.resource.definition.type))
      throw invalid('item_id', `an entity cannot represent a ${item.resource.name}.`)
    const key = nameKey(name)
    const [existing, ...others] = await duplicatesOf(ctx, key, type, item?.row.id)
    if (existing) {
      const row =
        item && existing.item_id === null
          ? await ctx.change('entities', existing, {
              item_type: item.resource.definition.type,
              item_id: item.row.id,
            })
          : existing
      return omitNullish({
        ...(await presentEntity(ctx, row)),
        existing: true,
        others: others.length > 0 ? others.map(entityRef) : undefined,
      })
    }
    const { source_type: item_type, source_id: item_id } = sourceColumnsOf(item)
    const row = await ctx.add('entities', {
      name: name.trim(),
      name_key: key,
      type,
      description: description ?? null,
      item_type,
      item_id,
      follows_item: 0,
    })
    await addNames(ctx, row, other)
    for (const body of observations)
      await ctx.add('observations', { entity_id: row.id, body, observed_at: ctx.now })
    return presentCurrent(ctx, row.id)
  },
})

/** Duplicate entities: same item, or same name and type without another item. */
async function duplicatesOf(
  ctx: ReadContext,
  key: string,
  type: string,
  itemId: string | undefined,
): Promise<Row<'entities'>[]> {
  const representing =
    itemId === undefined
      ? []
      : await entity
          .visibleTo(ctx)
          .where('entities.item_id', '=', itemId)
          .selectAll('entities')
          .orderBy('entities.id')
          .execute()
  if (representing.length > 0) return representing
  return (await entitiesNamed(ctx, key, type)).filter(
    (row) => itemId === undefined || row.item_id === null,
  )
}

export const updateEntity = operation({
  name: 'update_entity',
  searchHint: 'rename a topic, alias, other name',
  kind: 'write',
  idempotent: true,
  revision: 'entity',
  rest: 'PATCH /api/entities/{entity_id}',
  about: 'Change name, type, aliases or description',
  on: { entity: entity.edit },
  input: {
    name: title().optional(),
    type: typeName().optional(),
    add_aliases: aliases().optional().describe('other names'),
    remove_aliases: z.array(shortText()).max(50).optional().describe('other names'),
    description: markdown().max(10_000).nullable().optional(),
  },
  output: Entity,
  async handle(
    { entity: row, name, type, add_aliases = [], remove_aliases = [], description },
    ctx,
  ) {
    if (name !== undefined && name !== row.name && row.follows_item === 1)
      throw invalid(
        'name',
        'this entity takes its name from the item it represents.',
        'Change the name there, or add an alias here.',
      )
    const changed = await ctx.change(
      'entities',
      row,
      omitUndefined({
        ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
        type: type === undefined ? undefined : readType(type, 'type'),
        description,
      }),
    )
    const removedKeys = new Set(remove_aliases.map(nameKey))
    const names = await entityName.of(ctx, [row.id]).selectAll('entity_names').execute()
    for (const item of names)
      if (removedKeys.has(item.name_key) || item.name_key === changed.name_key)
        await ctx.remove('entity_names', item)
    await addNames(ctx, changed, add_aliases)
    return presentCurrent(ctx, row.id)
  },
})

export const deleteEntity = operation({
  name: 'delete_entity',
  searchHint: 'forget a topic, remove from the knowledge graph',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/entities/{entity_id}',
  about: 'Delete an entity with its relations, facts and observations; restorable for 30 days',
  on: { entity: entity.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ entity: row }, ctx) {
    const counts = (await entityCountsOf(ctx, [row.id], ctx.now)).get(row.id)!
    const deletedCounts = (['facts', 'relations', 'observations'] as const).flatMap((kind) =>
      counts[kind] > 0 ? [{ type: kind.slice(0, -1), count: counts[kind] }] : [],
    )
    await ctx.trash('entities', row)
    return deletedRef(ctx, entity.ref(row, ctx.baseUrl), deletedCounts)
  },
})

/** Adds alternative names that an entity lacks. */
export async function addNames(
  ctx: WriteContext,
  row: Row<'entities'>,
  names: readonly string[],
): Promise<void> {
  const existingNames = await entityName.of(ctx, [row.id]).select('entity_names.name_key').execute()
  const takenKeys = new Set([row.name_key, ...existingNames.map((item) => item.name_key)])
  for (const name of names) {
    const key = nameKey(name)
    if (takenKeys.has(key)) continue
    takenKeys.add(key)
    await ctx.add('entity_names', { entity_id: row.id, name_key: key, name: name.trim() })
  }
}

/** @throws Refusal invalid_argument without letters or digits */
export function readType(text: string, field: string): string {
  const key = wordKey(text)
  if (key === '') throw invalid(field, 'must contain a letter or digit.')
  return key.slice(0, 60)
}
