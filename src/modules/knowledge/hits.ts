import type { AnyItem } from '../../records/items.ts'
import type { ItemRef as Reference } from '../../records/resource.ts'
import { itemRow } from '../../records/row.ts'
import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString } from '../../kernel/fields.ts'
import type { ItemHit } from '../../operations/search/results.ts'
import type { HitFacts } from '../../operations/search/searchable.ts'
import { iso } from '../../kernel/time/times.ts'
import { ItemRef, Ref } from '../../records/shapes.ts'
import { projectRef } from '../portfolio/shapes.ts'
import { entitiesOf } from './entities/mentions.ts'

/** Kinds searched by search_workspace, if their module exists. */
export const searchedKinds = [
  'email',
  'task',
  'page',
  'meeting',
  'message',
  'file',
  'event',
  'project',
  'goal',
  'decision',
  'contact',
  'company',
  'deal',
  'interaction',
  'incident',
  'runbook',
  'form_response',
  'entity',
] as const

export const SearchHit = shape('SearchHit', {
  item: ItemRef,
  snippet: z.string(),
  ranges: z
    .array(z.tuple([z.int(), z.int()]))
    .describe('where query words occur in the snippet: start and length in characters'),
  trust: z.enum(['internal', 'external']),
  score: z.number().describe('0 to 1, comparable across kinds'),
  matched_by: z.array(z.enum(['vector', 'keyword', 'graph'])),
  why: z.string(),
  graph_path: z.array(z.string()).optional().describe('titles of the items that led to it'),
  entities: z.array(Ref),
  people: z.array(z.string()),
  date: datetimeString().describe('when it took place, else when it was changed last'),
  project: Ref.optional(),
  place: ItemRef.optional().describe(
    'what it is in: channel, folder, form, meeting, calendar, company',
  ),
})

/** Hits for answers. */
export async function presentHits(
  ctx: ReadContext,
  hits: readonly ItemHit[],
): Promise<z.input<typeof SearchHit>[]> {
  const facts = await hitFactsOf(ctx, hits)
  const entities = await entitiesOf(
    ctx,
    hits.map((hit) => hit.row.id),
  )
  const titles = await titlesOf(ctx, hits)
  return hits.map((hit) => {
    const hitFacts = facts.get(hit.row.id)
    const path = hit.via.flatMap((item) => titles.get(item.from) ?? [])
    const isExternal =
      hit.searchable.isForeign?.(hit.ref) === true ||
      hit.searchable.resource.definition.isExternal?.(itemRow(hit.row)) === true ||
      hitFacts?.trust === 'external' ||
      path.some((item) => item.trust === 'external')
    return omitNullish({
      item: hit.searchable.resource.ref(itemRow(hit.row), ctx.baseUrl),
      snippet: hit.snippet,
      ranges: hit.ranges,
      trust: isExternal ? 'external' : 'internal',
      score: hit.score,
      matched_by: hit.foundBy,
      why: whyOf(hit, titles),
      graph_path: path.length > 0 ? path.map((item) => item.title) : undefined,
      entities: entities.get(hit.row.id) ?? [],
      people: hitFacts?.people ?? [],
      date: iso(hitFacts?.at ?? hit.at),
      project: hitFacts?.project ? projectRef(hitFacts.project) : undefined,
      place: hitFacts?.place ? hitFacts.place : undefined,
    })
  })
}

/** Ids of visible items with external text. */
export async function externalAmong(
  ctx: ReadContext,
  items: readonly AnyItem[],
): Promise<ReadonlySet<string>> {
  const external = new Set<string>()
  const searchables = ctx.catalogue.modules.flatMap((module) => module.searchables ?? [])
  for (const [resource, some] of Map.groupBy(items, (item) => item.resource)) {
    for (const { row } of some)
      if (resource.ref(row, ctx.baseUrl).trust === 'external') external.add(row.id)
    const searchable = searchables.find(({ kind }) => kind === resource.definition.type)
    const facts = await searchable?.facts?.(
      ctx,
      some.map((item) => item.row),
    )
    for (const [id, { trust }] of facts ?? []) if (trust === 'external') external.add(id)
  }
  return external
}

/** Facts that hits show besides their titles, by item. */
export async function hitFactsOf(
  ctx: ReadContext,
  hits: readonly ItemHit[],
): Promise<Map<string, HitFacts>> {
  const facts = new Map<string, HitFacts>()
  for (const [searchable, some] of Map.groupBy(hits, (hit) => hit.searchable)) {
    for (const [id, itemFacts] of (await searchable.facts?.(
      ctx,
      some.map((hit) => hit.row),
    )) ?? [])
      facts.set(id, itemFacts)
  }
  return facts
}

/** Titles of visible items through which hits were found. */
async function titlesOf(
  ctx: ReadContext,
  hits: readonly ItemHit[],
): Promise<Map<string, Reference>> {
  const ids = [...new Set(hits.flatMap((hit) => hit.via.map((via) => via.from)))]
  const titles = new Map<string, Reference>()
  for (const { resource } of ctx.catalogue.modules.flatMap((module) => module.searchables ?? [])) {
    const matchingIds = ids.filter((id) => id.startsWith(`${resource.definition.prefix}_`))
    for (const [id, row] of await resource.among(ctx, matchingIds))
      titles.set(id, resource.ref(row, ctx.baseUrl))
  }
  return titles
}

/** Reason in one readable sentence. */
function whyOf(
  { foundBy, terms, via }: Pick<ItemHit, 'foundBy' | 'terms' | 'via'>,
  titles: ReadonlyMap<string, Reference>,
): string {
  const linked = via.find((item) => titles.has(item.from))
  const title = linked && titles.get(linked.from)?.title
  const parts = [
    ...(foundBy.includes('keyword') && terms.length > 0
      ? [`has ${terms.slice(0, 6).join(', ')}`]
      : []),
    ...(foundBy.includes('vector') ? ['is similar in meaning'] : []),
    ...(linked ? [`is linked (${linked.kind}) to "${title}"`] : []),
  ]
  return parts.length > 0 ? `It ${parts.join(', ')}.` : 'It is linked to another match.'
}
