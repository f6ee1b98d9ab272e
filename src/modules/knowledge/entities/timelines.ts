import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, datetimeString, pageOf, paging } from '../../../kernel/fields.ts'
import type { AnyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import {
  badCursor,
  cut,
  decodeCursor,
  encodeCursor,
  pageWithItems,
} from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant, iso } from '../../../kernel/time/times.ts'
import { ItemRef } from '../../../records/shapes.ts'
import { entity, fact, observation, relation } from '../access.ts'
import { momentsOf, type Moment } from './access-timelines.ts'
import { asWords } from './keys.ts'
import { itemsOfEntity } from './mentions.ts'
import { itemsAmong } from '../facts/sources.ts'

/** Item kinds that represent events. */
const eventKinds = ['task', 'page', 'meeting', 'email', 'incident', 'deal', 'decision'] as const
type EventKind = (typeof eventKinds)[number]

const EntityEvent = shape('EntityEvent', {
  at: datetimeString(),
  kind: z.enum(['fact', 'relation', 'observation', ...eventKinds]),
  title: z.string(),
  item: ItemRef.optional().describe('the item itself or its source, if visible to you'),
  change: z.string().optional(),
})

interface TimelineItem {
  at: number
  key: string
  moment?: Moment
  item?: AnyItem
}

export const getEntityTimeline = operation({
  name: 'get_entity_timeline',
  searchHint: 'history of a customer, what happened over time, chronology of a topic',
  kind: 'read',
  weight: 3,
  rest: 'GET /api/entities/{entity_id}/timeline',
  about: 'What happened around an entity across visible items and facts, in order',
  on: { entity: entity.see },
  input: { after: datetime().optional(), before: datetime().optional(), ...paging },
  output: pageOf(EntityEvent),
  async handle({ entity: row, after, before, limit, cursor }, ctx) {
    const zone = ctx.actor.timezone
    const from =
      after === undefined ? -Number.MAX_SAFE_INTEGER : parseInstant(after, zone, 'start', 'after')
    const until =
      before === undefined ? Number.MAX_SAFE_INTEGER : parseInstant(before, zone, 'end', 'before')
    const place = parseTimelineCursor(cursor)
    const moments = await momentsOf(ctx, row.id, {
      after: from,
      before: until,
      place,
      limit: limit + 1,
    })
    const items = (await itemsAround(ctx, row)).filter(
      (item) => item.at >= from && item.at <= until && isAfterCursor(item, place),
    )
    const all: TimelineItem[] = [
      ...moments.map((moment) => ({ at: moment.at, key: moment.key, moment })),
      ...items,
    ]
    all.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
    const page = cut(all.slice(0, limit + 1), limit, (last) => encodeCursor([last.at, last.key]))
    return pageWithItems(page, await presentEvents(ctx, page.items))
  },
})

function parseTimelineCursor(cursor: string | undefined): [number, string] {
  if (cursor === undefined) return [-Number.MAX_SAFE_INTEGER, '']
  const [at, key, ...more] = decodeCursor(cursor)
  if (typeof at !== 'number' || typeof key !== 'string' || more.length > 0) throw badCursor()
  return [at, key]
}

function isAfterCursor(
  { at, key }: TimelineItem,
  [time, last]: readonly [number, string],
): boolean {
  return at > time || (at === time && key > last)
}

/** Items around an entity at the moments they took place, or else were created. */
async function itemsAround(ctx: ReadContext, row: Row<'entities'>): Promise<TimelineItem[]> {
  const items = await itemsAmong(ctx, await itemsOfEntity(ctx, row))
  return [...items.values()]
    .filter((item) => (eventKinds as readonly string[]).includes(item.resource.definition.type))
    .map((item) => ({ at: timeOfItem(item.row), key: item.row.id, item }))
}

/** Columns with an item's time, most specific first. */
const timeColumns = [
  'takes_place_at',
  'starts_at',
  'sent_at',
  'received_at',
  'decided_at',
  'started_at',
  'opened_at',
  'created_at',
] as const

function timeOfItem(row: object): number {
  for (const column of timeColumns) {
    const at = (row as Record<string, unknown>)[column]
    if (typeof at === 'number') return at
  }
  return 0
}

async function presentEvents(
  ctx: ReadContext,
  timelineItems: readonly TimelineItem[],
): Promise<z.input<typeof EntityEvent>[]> {
  const ids = timelineItems.flatMap((item) => item.moment?.id ?? [])
  const [facts, relations, notes] = [
    await fact.among(ctx, ids),
    await relation.among(ctx, ids),
    await observation.among(ctx, ids),
  ]
  const entities = await entity.among(ctx, [
    ...[...facts.values()].map((row) => row.entity_id),
    ...[...relations.values()].flatMap((row) => [row.from_id, row.to_id]),
  ])
  const sources = await itemsAmong(
    ctx,
    [...facts.values(), ...relations.values(), ...notes.values()].map((row) => row.source_id),
  )
  const name = (id: string) => entities.get(id)?.name ?? ''
  return timelineItems.map(({ at, moment, item }) => {
    if (item)
      return {
        at: iso(at),
        kind: item.resource.definition.type as EventKind,
        title: item.resource.ref(item.row, ctx.baseUrl).title,
        item: item.resource.ref(item.row, ctx.baseUrl),
      }
    const row = (facts.get(moment!.id) ?? relations.get(moment!.id) ?? notes.get(moment!.id))!
    const source = row.source_id === null ? undefined : sources.get(row.source_id)
    return omitNullish({
      at: iso(at),
      kind: moment!.kind,
      title: factTitleOf(row, name),
      item: source ? source.resource.ref(source.row, ctx.baseUrl) : undefined,
      change: moment!.what,
    })
  })
}

function factTitleOf(
  row: Row<'facts'> | Row<'relations'> | Row<'observations'>,
  name: (id: string) => string,
): string {
  if ('predicate' in row) return `${name(row.entity_id)} ${asWords(row.predicate)}: ${row.value}`
  if ('to_id' in row) return `${name(row.from_id)} ${asWords(row.type)} ${name(row.to_id)}`
  return row.body.slice(0, 200)
}
