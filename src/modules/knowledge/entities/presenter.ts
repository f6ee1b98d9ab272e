import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, ItemRef, Ref, trust, trustOf } from '../../../records/shapes.ts'
import { entity, entityName, fact, observation } from '../access.ts'
import { trueAt } from '../facts/access.ts'
import { entityCountsOf, sourceIds } from './access-counts.ts'
import { Fact, Observation, presentFacts, presentObservations } from '../shapes.ts'
import { itemsAmong } from '../facts/sources.ts'

/** An entity as lists show it. */
export const ListedEntity = shape('ListedEntity', {
  ...common,
  name: z.string(),
  type: z.string(),
  aliases: z.array(z.string()),
  description: z.string().optional(),
  item: ItemRef.optional().describe('item it represents, if visible to you'),
  counts: z.strictObject({
    facts: z.int().describe('true now'),
    relations: z.int().describe('that hold now'),
    observations: z.int(),
    mentions: z.int().describe('source items visible to you'),
  }),
  trust,
})
export type ListedEntityShape = z.infer<typeof ListedEntity>

/** A single entity. */
export const Entity = ListedEntity.extend({
  facts: z.array(Fact).describe('true at that time, newest first'),
  observations: z.array(Observation).describe('the newest first'),
  existing: z.boolean().optional().describe('true: this entity already existed'),
  others: z.array(Ref).optional().describe('more entities of the same name and type'),
})
export type EntityShape = z.infer<typeof Entity>

const maxFacts = 100
const maxMentions = 100

/** Entities for lists, with related data fetched in bulk. */
export async function presentEntities(
  ctx: ReadContext,
  rows: readonly Row<'entities'>[],
  at: number = ctx.now,
): Promise<ListedEntityShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const names = Map.groupBy(
    await entityName
      .of(ctx, ids)
      .selectAll('entity_names')
      .orderBy('entity_names.added_at')
      .orderBy('entity_names.name_key')
      .execute(),
    (row) => row.entity_id as string,
  )
  const counts = await entityCountsOf(ctx, ids, at)
  const sources = await sourceIds(ctx, ids, maxMentions)
  const items = await itemsAmong(ctx, [
    ...rows.map((row) => row.item_id),
    ...[...sources.values()].flat(),
  ])
  return rows.map((row) => {
    const linkedItem = row.item_id === null ? undefined : items.get(row.item_id)
    return omitNullish({
      ...commonOf(row, entity.url(row, ctx.baseUrl), people),
      name: row.name,
      type: row.type,
      aliases: (names.get(row.id) ?? []).map((item) => item.name),
      description: row.description,
      ...trustOf(row.trust === 'external'),
      item: linkedItem ? linkedItem.resource.ref(linkedItem.row, ctx.baseUrl) : undefined,
      counts: {
        ...counts.get(row.id)!,
        mentions: new Set(sources.get(row.id)!.flatMap((id) => items.get(id)?.row.id ?? [])).size,
      },
    })
  })
}

/** One entity with its statements as of a moment. */
export async function presentEntity(
  ctx: ReadContext,
  row: Row<'entities'>,
  { at = ctx.now, observations = 10 }: { at?: number; observations?: number } = {},
): Promise<EntityShape> {
  const [listed] = await presentEntities(ctx, [row], at)
  const facts = await factsAt(ctx, row.id, at)
  const notes = await observation
    .visibleTo(ctx)
    .where('observations.entity_id', '=', row.id)
    .where('observations.observed_at', '<=', at)
    .selectAll('observations')
    .orderBy('observations.observed_at', 'desc')
    .orderBy('observations.id', 'desc')
    .limit(observations)
    .execute()
  return {
    ...listed!,
    facts: await presentFacts(ctx, facts, at),
    observations: observations === 0 ? [] : await presentObservations(ctx, notes),
  }
}

/** The same from the current row, to include this call's changes. */
export async function presentCurrent(ctx: ReadContext, id: Id<'entities'>): Promise<EntityShape> {
  return presentEntity(ctx, (await entity.among(ctx, [id])).get(id)!)
}

async function factsAt(ctx: ReadContext, id: Id<'entities'>, at: number): Promise<Row<'facts'>[]> {
  return trueAt(fact.visibleTo(ctx), at)
    .where('facts.entity_id', '=', id)
    .selectAll('facts')
    .orderBy('facts.valid_from', 'desc')
    .orderBy('facts.id', 'desc')
    .limit(maxFacts)
    .execute()
}
