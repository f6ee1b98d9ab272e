import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { iso } from '../../../kernel/time/times.ts'
import { indexStatusOf, modelOf, overviewCounts } from './access-overviews.ts'

const TypeCount = shape('TypeCount', { type: z.string(), count: z.int() })

export const getKnowledgeOverview = operation({
  name: 'get_knowledge_overview',
  searchHint: 'what is indexed, size of the knowledge graph',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/entities/overview',
  about:
    'Entity and relation types with counts, index freshness per source and what is not yet indexed',
  output: z.strictObject({
    entity_types: z.array(TypeCount),
    relation_types: z.array(TypeCount).describe('of current relations'),
    fact_count: z.int().describe('current facts'),
    index: z
      .array(
        z.strictObject({
          source: z.string(),
          indexed: z.int(),
          pending: z.int().describe('found by words, but not yet by meaning'),
          last_indexed_at: datetimeString().optional(),
          mode: z.enum(['vector', 'keyword']),
        }),
      )
      .describe('visible to you'),
    embedding_model: z.string().describe('model used to search by meaning'),
  }),
  async handle(_, ctx) {
    const { entities, relations, facts } = await overviewCounts(ctx, ctx.now)
    const hasVectorSearch = await ctx.searchEngine.vectorStatus().then(
      () => true,
      () => false,
    ) // without the vector thread, search uses keywords only
    const index = []
    for (const searchable of ctx.catalogue.modules.flatMap(
      (moduleView) => moduleView.searchables ?? [],
    )) {
      const { last_indexed_at, ...rest } = await indexStatusOf(ctx, searchable)
      index.push(
        omitNullish({
          ...rest,
          last_indexed_at: last_indexed_at === null ? undefined : iso(last_indexed_at),
          mode: hasVectorSearch ? ('vector' as const) : ('keyword' as const),
        }),
      )
    }
    return {
      entity_types: entities,
      relation_types: relations,
      fact_count: facts,
      index,
      embedding_model: await modelOf(ctx),
    }
  },
})
