import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString } from '../../kernel/fields.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, ItemRef, Ref, trustOf } from '../../records/shapes.ts'
import { entity, fact, itemLink, linksFrom, observation, relation } from './access.ts'
import { entitiesRepresenting } from './entities/access-counts.ts'
import { trueAt } from './facts/access.ts'
import { isTrueAt } from './facts/validity.ts'
import { itemRefs, sourceField, FactSource } from './facts/sources.ts'

export const Fact = shape('Fact', {
  ...common,
  entity: Ref,
  predicate: z.string(),
  value: z.string(),
  value_entity: Ref.optional(),
  valid_from: datetimeString(),
  valid_to: datetimeString().optional(),
  recorded_at: datetimeString().describe('when it was learned'),
  status: z.enum(['valid', 'superseded', 'invalidated']),
  superseded_by: z.string().optional(),
  superseded_at: datetimeString().optional().describe('when it was learned that it ended'),
  reason: z.string().optional(),
  confidence: z.number(),
  source: FactSource.optional(),
  stated_by: Ref.optional(),
})
export type FactShape = z.infer<typeof Fact>

export const Observation = shape('Observation', {
  ...common,
  entity: Ref,
  body: z.string(),
  observed_at: datetimeString(),
  source: FactSource.optional(),
  stated_by: Ref.optional(),
})
export type ObservationShape = z.infer<typeof Observation>

export const relationStates = ['current', 'ended', 'wrong'] as const

export const Relation = shape('Relation', {
  ...common,
  from: Ref,
  type: z.string(),
  to: Ref,
  valid_from: datetimeString().optional(),
  valid_to: datetimeString().optional(),
  confidence: z.number(),
  source: FactSource.optional(),
  status: z.enum(relationStates),
  note: z.string().optional(),
})
export type RelationShape = z.infer<typeof Relation>

export const Link = shape('ItemLink', {
  ...common,
  from: ItemRef,
  to: ItemRef,
  kind: z.enum(['relates_to', 'documents', 'caused_by', 'results_in', 'duplicates']),
  note: z.string().optional(),
})
export type LinkShape = z.infer<typeof Link>

export function entityRef(row: Pick<Row<'entities'>, 'id' | 'name' | 'trust'>): Ref {
  return { id: row.id, title: row.name, ...trustOf(row.trust === 'external') }
}

/** References to visible entities, by id. */
export async function entityRefs(
  ctx: ReadContext,
  ids: Iterable<string | null>,
): Promise<Map<string, Ref>> {
  const rows = await entity.among(
    ctx,
    [...ids].filter((id) => id !== null),
  )
  return new Map([...rows].map(([id, row]) => [id, entityRef(row)]))
}

/** Facts for answers as of a moment, with related data fetched in bulk. */
export async function presentFacts(
  ctx: ReadContext,
  rows: readonly Row<'facts'>[],
  at: number = ctx.now,
): Promise<FactShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const entities = await entityRefs(
    ctx,
    rows.flatMap((row) => [row.entity_id, row.value_entity_id]),
  )
  const sources = await itemRefs(
    ctx,
    rows.map((row) => row.source_id),
  )
  return rows.map((row) => {
    const [value, author] = [
      row.value_entity_id && entities.get(row.value_entity_id),
      people.get(row.created_by),
    ]
    return omitNullish({
      ...commonOf(row, fact.url(row, ctx.baseUrl), people),
      entity: entities.get(row.entity_id)!,
      predicate: row.predicate,
      value: row.value,
      value_entity: value,
      valid_from: iso(row.valid_from),
      valid_to: row.valid_to === null ? undefined : iso(Math.max(row.valid_from, row.valid_to)),
      recorded_at: iso(row.created_at),
      status: isTrueAt(row, at) ? 'valid' : row.status,
      superseded_by: row.superseded_by,
      superseded_at: row.superseded_at === null ? undefined : iso(row.superseded_at),
      reason: row.reason,
      confidence: row.confidence,
      ...sourceField(row, sources),
      stated_by: author,
    })
  })
}

/** Current facts about the entities that represent some items, newest first. */
export async function factsAboutItems(
  ctx: ReadContext,
  items: readonly string[],
  limit: number,
): Promise<FactShape[]> {
  const rows = await trueAt(fact.visibleTo(ctx), ctx.now)
    .where('facts.entity_id', 'in', entitiesRepresenting(ctx, items))
    .selectAll('facts')
    .orderBy('facts.id', 'desc')
    .limit(limit)
    .execute()
  return presentFacts(ctx, rows)
}

export async function presentObservations(
  ctx: ReadContext,
  rows: readonly Row<'observations'>[],
): Promise<ObservationShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const entities = await entityRefs(
    ctx,
    rows.map((row) => row.entity_id),
  )
  const sources = await itemRefs(
    ctx,
    rows.map((row) => row.source_id),
  )
  return rows.map((row) => {
    const author = people.get(row.created_by)
    return omitNullish({
      ...commonOf(row, observation.url(row, ctx.baseUrl), people),
      entity: entities.get(row.entity_id)!,
      body: row.body,
      observed_at: iso(row.observed_at),
      ...sourceField(row, sources),
      stated_by: author,
    })
  })
}

/** Whether a relation is current, has ended by a moment, or never held. */
export function relationState(
  row: Pick<Row<'relations'>, 'is_wrong' | 'valid_to'>,
  at: number,
): (typeof relationStates)[number] {
  if (row.is_wrong === 1) return 'wrong'
  return row.valid_to !== null && row.valid_to <= at ? 'ended' : 'current'
}

export async function presentRelations(
  ctx: ReadContext,
  rows: readonly Row<'relations'>[],
  at: number = ctx.now,
): Promise<RelationShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const entities = await entityRefs(
    ctx,
    rows.flatMap((row) => [row.from_id, row.to_id]),
  )
  const sources = await itemRefs(
    ctx,
    rows.map((row) => row.source_id),
  )
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, relation.url(row, ctx.baseUrl), people),
      from: entities.get(row.from_id)!,
      type: row.type,
      to: entities.get(row.to_id)!,
      valid_from: row.valid_from === null ? undefined : iso(row.valid_from),
      valid_to: row.valid_to === null ? undefined : iso(row.valid_to),
      confidence: row.confidence,
      ...sourceField(row, sources),
      status: relationState(row, at),
      note: row.note,
    }),
  )
}

/** Links of an item, as presented with it: newest first, limited to those of which the reader sees both ends. */
export async function itemLinks(
  ctx: ReadContext,
  itemId: string,
  limit = 50,
): Promise<
  {
    id: string
    kind: LinkShape['kind']
    direction: 'from' | 'to'
    item: z.infer<typeof ItemRef>
    note?: string
  }[]
> {
  const rows: Row<'item_links'>[] = []
  for (const side of ['from_id', 'to_id'] as const)
    rows.push(...(await linksFrom(ctx, side, [itemId], limit)))
  const links = await presentLinks(ctx, rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit))
  return links.map(({ id, kind, from, to, note }) =>
    omitNullish({
      id,
      kind,
      direction: from.id === itemId ? 'from' : 'to',
      item: from.id === itemId ? to : from,
      note,
    }),
  )
}

/** Links with both ends visible; others are omitted. */
export async function presentLinks(
  ctx: ReadContext,
  rows: readonly Row<'item_links'>[],
): Promise<LinkShape[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const ends = await itemRefs(
    ctx,
    rows.flatMap((row) => [row.from_id, row.to_id]),
  )
  return rows.flatMap((row) => {
    const [from, to] = [ends.get(row.from_id), ends.get(row.to_id)]
    return from && to
      ? [
          omitNullish({
            ...commonOf(row, itemLink.url(row, ctx.baseUrl), people),
            from,
            to,
            kind: row.kind,
            note: row.note,
          }),
        ]
      : []
  })
}
