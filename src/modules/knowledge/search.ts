import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, datetimeString, pageOf, paging } from '../../kernel/fields.ts'
import { searchItems } from '../../operations/search/search-items.ts'
import { maxHits } from '../../operations/search/results.ts'
import type { Searchable } from '../../operations/search/searchable.ts'
import { requireQuery, pageOfHits } from '../../operations/search/hits.ts'
import { operation } from '../../operations/operation.ts'
import { pageWithItems } from '../../records/paging.ts'
import { invalid } from '../../kernel/refusal.ts'
import { parseInstant, iso } from '../../kernel/time/times.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { entity } from './access.ts'
import { itemsOfEntity, wordsOfEntity } from './entities/mentions.ts'
import { searchedKinds, SearchHit, presentHits } from './hits.ts'

const SearchedWorkspace = shape('SearchedWorkspace', {
  types: z.array(z.enum(searchedKinds)),
  sources: z.array(z.string()),
  as_of: datetimeString(),
  by: z.enum(['words', 'words and meaning', 'meaning']),
  model: z
    .string()
    .optional()
    .describe('embedding model used: the built-in static-256 or a provider’s model'),
  hits_by_type: z
    .array(z.object({ type: z.enum(searchedKinds), count: z.int() }))
    .describe(`of the best ${maxHits} hits, on all pages`),
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
      .array(z.enum(searchedKinds))
      .min(1)
      .max(searchedKinds.length)
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
      project,
      entity: entityFilter,
      query,
      types,
      person: personInput,
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
      project,
      person:
        personInput === undefined
          ? undefined
          : await person.demand(ctx, personInput, 'see', 'person'),
    }
    const kindsToSearch = searchableKinds(ctx, types ?? searchedKinds)
    if (kindsToSearch.length === 0)
      throw invalid(
        'types',
        `no such items exist here yet; available kinds: ${kindNames(searchableKinds(ctx, searchedKinds)).join(', ')}.`,
      )
    const results = await searchItems(ctx, {
      mode: 'hybrid',
      kinds: kindsToSearch,
      filter,
      after: after === undefined ? undefined : parseInstant(after, zone, 'start', 'after'),
      before: before === undefined ? undefined : parseInstant(before, zone, 'end', 'before'),
      query: requireQuery(
        entityFilter ? `${query} ${await wordsOfEntity(ctx, entityFilter)}` : query,
      ),
      near: entityFilter ? await itemsOfEntity(ctx, entityFilter) : [],
      withLinks: graph_depth > 0,
      rerank: true,
      page: { limit, cursor },
    })
    const page = pageOfHits(
      results.hits.map((hit) => ({ id: hit.row.id, score: hit.score, hit })),
      { limit, cursor },
    )
    const searched = omitNullish({
      types: kindNames(kindsToSearch) as (typeof searchedKinds)[number][],
      sources: kindsToSearch.map((searchable) => searchable.source),
      as_of: iso(ctx.now),
      by: results.by,
      model: results.model,
      hits_by_type: searchedKinds.flatMap((type) => {
        const count = results.countByType[type]
        return count === undefined ? [] : [{ type, count }]
      }),
      pending: results.pending,
      note: results.note,
    })
    return {
      ...pageWithItems(
        page,
        await presentHits(
          ctx,
          page.items.map((item) => item.hit),
        ),
      ),
      searched,
    }
  },
})

/** Searchable item kinds of modules among those requested; all by default. */
export function searchableKinds(
  ctx: ReadContext,
  kinds: readonly string[] | undefined,
): Searchable[] {
  const all = ctx.catalogue.modules.flatMap((module) => module.searchables ?? [])
  return kinds ? all.filter((searchable) => kinds.includes(searchable.kind)) : all
}

function kindNames(searchables: ReturnType<typeof searchableKinds>): string[] {
  return searchables.map((searchable) => searchable.kind)
}
