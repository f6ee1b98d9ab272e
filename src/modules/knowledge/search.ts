import { itemRow } from '../../records/row.ts'
import { shape } from '../../kernel/shape.ts'
import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, datetimeString, pageOf, paging } from '../../kernel/fields.ts'
import { searchItems } from '../../operations/search/search-items.ts'
import type { ItemHit } from '../../operations/search/results.ts'
import type { HitFacts, Searchable } from '../../operations/search/searchable.ts'
import { demandQuery, pageOfHits } from '../../operations/search/hits.ts'
import { operation } from '../../operations/operation.ts'
import { shown } from '../../records/paging.ts'
import { invalid } from '../../kernel/refusal.ts'
import { instant, iso } from '../../kernel/time/times.ts'
import { person } from '../directory/access.ts'
import { ItemRef, Ref } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { projectRef } from '../portfolio/shapes.ts'
import { entity } from './access.ts'
import { entitiesOf, itemsOfEntity, wordsOfEntity } from './entities/mentions.ts'

/** Kinds that search_workspace looks through; those whose module is there. */
const kinds = [
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
  date: datetimeString(),
  project: Ref.optional(),
  place: ItemRef.optional().describe(
    'what it is in: channel, folder, form, meeting, calendar, company',
  ),
})

const SearchedWorkspace = shape('SearchedWorkspace', {
  types: z.array(z.enum(kinds)),
  sources: z.array(z.string()),
  as_of: datetimeString(),
  by: z.enum(['words', 'words and meaning', 'meaning']),
  model: z
    .string()
    .optional()
    .describe('embedding model used: the built-in static-256 or a provider’s model'),
  pending: z.int().describe('visible items found by words but not yet by meaning, up to 500'),
  note: z.string().optional(),
})

export const searchWorkspace = operation({
  name: 'search_workspace',
  searchHint:
    'find anything, what do we know about, look everywhere, search all, where was that, ' +
    'did anybody mention or complain',
  kind: 'read',
  weight: 10,
  rest: 'GET /api/search',
  about:
    'Search everything visible to you by words, meaning and links; each hit says why it matched. To filter one kind, use search_tasks, search_emails, …',
  on: {
    project: project.see.maybe.describe('only items of this project'),
    entity: entity.see.maybe.describe('only items about this entity and items linked to them'),
  },
  input: {
    query: z
      .string()
      .min(1)
      .max(2000)
      .describe('a question, words or a sentence; exact matches of "quoted phrases" come first'),
    types: z
      .array(z.enum(kinds))
      .min(1)
      .max(kinds.length)
      .optional()
      .describe('only these kinds; default: all'),
    person: z
      .string()
      .min(1)
      .max(320)
      .optional()
      .describe(
        'only what this person created, is assigned, wrote or took part in: id, email address or me',
      ),
    after: datetime().optional(),
    before: datetime().optional(),
    graph_depth: z.int().min(0).max(1).default(1).describe('0: ignore links'),
    ...paging,
  },
  output: pageOf(SearchHit).extend({ searched: SearchedWorkspace }),
  async handle(
    {
      project: of,
      entity: about,
      query,
      types,
      person: who,
      after,
      before,
      graph_depth,
      limit,
      cursor,
    },
    ctx,
  ) {
    const zone = ctx.actor.timezone
    const filter = {
      project: of,
      person: who === undefined ? undefined : await person.demand(ctx, who, 'see', 'person'),
    }
    const looked = searchableKinds(ctx, types ?? kinds)
    if (looked.length === 0)
      throw invalid(
        'types',
        `no such items exist here yet; available kinds: ${searchableKinds(ctx, kinds)
          .map((searchableKind) => searchableKind.kind)
          .join(', ')}.`,
      )
    const found = await searchItems(ctx, {
      mode: 'hybrid',
      kinds: looked,
      filter,
      after: after === undefined ? undefined : instant(after, zone, 'start', 'after'),
      before: before === undefined ? undefined : instant(before, zone, 'end', 'before'),
      query: demandQuery(about ? `${query} ${await wordsOfEntity(ctx, about)}` : query),
      near: about ? await itemsOfEntity(ctx, about) : [],
      withLinks: graph_depth > 0,
      rerank: true,
      page: { limit, cursor },
    })
    const page = pageOfHits(
      found.hits.map((hit) => ({ id: hit.row.id, score: hit.score, hit })),
      { limit, cursor },
    )
    const searched = present({
      types: looked.map((searchable) => searchable.kind as (typeof kinds)[number]),
      sources: looked.map((searchable) => searchable.source),
      as_of: iso(ctx.now),
      by: found.by,
      model: found.model,
      pending: found.pending,
      note: found.note,
    })
    return {
      ...shown(
        page,
        await showHits(
          ctx,
          page.items.map((item) => item.hit),
        ),
      ),
      searched,
    }
  },
})

/**
 * The kinds of items that modules let be found, of those that were asked for; all of them where
 * none was.
 */
export function searchableKinds(
  ctx: ReadContext,
  asked: readonly string[] | undefined,
): Searchable[] {
  const all = ctx.catalogue.modules.flatMap((module) => module.searchables ?? [])
  return asked ? all.filter((searchable) => asked.includes(searchable.kind)) : all
}

async function showHits(
  ctx: ReadContext,
  hits: readonly ItemHit[],
): Promise<z.input<typeof SearchHit>[]> {
  const facts = await factsOf(ctx, hits)
  const entities = await entitiesOf(
    ctx,
    hits.map((hit) => hit.row.id),
  )
  const titles = await titlesOf(ctx, hits)
  return hits.map((hit) => {
    const known = facts.get(hit.row.id)
    const path = hit.via.flatMap((item) => titles.get(item.from) ?? [])
    return present({
      item: hit.searchable.resource.ref(itemRow(hit.row), ctx.baseUrl),
      snippet: hit.snippet,
      ranges: hit.ranges,
      trust: hit.searchable.isForeign?.(hit.ref) ? 'external' : (known?.trust ?? 'internal'),
      score: hit.score,
      matched_by: hit.by,
      why: whyOf(hit, titles),
      graph_path: path.length > 0 ? path : undefined,
      entities: entities.get(hit.row.id) ?? [],
      people: known?.people ?? [],
      date: iso(hit.at),
      project: known?.project ? projectRef(known.project) : undefined,
      place: known?.place ? known.place : undefined,
    })
  })
}

/** What hits show besides their titles, by item. */
export async function factsOf(
  ctx: ReadContext,
  hits: readonly ItemHit[],
): Promise<Map<string, HitFacts>> {
  const facts = new Map<string, HitFacts>()
  for (const [found, some] of Map.groupBy(hits, (hit) => hit.searchable)) {
    for (const [id, one] of (await found.facts?.(
      ctx,
      some.map((hit) => hit.row),
    )) ?? [])
      facts.set(id, one)
  }
  return facts
}

/** Titles of the items through which hits were found: they were among the seen ones. */
async function titlesOf(ctx: ReadContext, hits: readonly ItemHit[]): Promise<Map<string, string>> {
  const ids = [...new Set(hits.flatMap((hit) => hit.via.map((via) => via.from)))]
  const titles = new Map<string, string>()
  for (const { resource } of ctx.catalogue.modules.flatMap((module) => module.searchables ?? [])) {
    const own = ids.filter((id) => id.startsWith(`${resource.definition.prefix}_`))
    for (const [id, row] of await resource.among(ctx, own))
      titles.set(id, resource.ref(row, ctx.baseUrl).title)
  }
  return titles
}

/** In one sentence, for people. */
function whyOf(
  { by, terms, via }: Pick<ItemHit, 'by' | 'terms' | 'via'>,
  titles: ReadonlyMap<string, string>,
): string {
  const linked = via.find((item) => titles.has(item.from))
  const parts = [
    ...(by.includes('keyword') && terms.length > 0 ? [`has ${terms.slice(0, 6).join(', ')}`] : []),
    ...(by.includes('vector') ? ['is similar in meaning'] : []),
    ...(linked ? [`is linked (${linked.kind}) to "${titles.get(linked.from)}"`] : []),
  ]
  return parts.length > 0 ? `It ${parts.join(', ')}.` : 'It is linked to another match.'
}
