import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { pageOfHits } from '../../../operations/search/hits.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { pageWithItems } from '../../../records/paging.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { Ref } from '../../../records/shapes.ts'
import { entity } from '../access.ts'
import { edgesOf, type Edge } from './access.ts'
import { shortestChains, type PathStep } from './chains.ts'
import { isTrueAt } from '../facts/validity.ts'
import { entityRefs } from '../shapes.ts'
import { byScore } from '../../../kernel/text/order.ts'

/** Maximum number of newest connections followed per entity. */
const perNode = 300
const maxNodes = 20_000
const maxChains = 100
/** Milliseconds after which the search stops. */
const searchBudgetMs = 400

const GraphPath = shape('GraphPath', {
  length: z.int().describe('steps'),
  steps: z.array(
    z.strictObject({
      from: Ref,
      relation: z.string().describe('as it was stated'),
      reversed: z.boolean().describe('true: stated from the second to the first'),
      to: Ref,
      valid_now: z.boolean(),
    }),
  ),
  confidence: z.number().describe('product of its steps'),
})

export const findEntityPath = operation({
  name: 'find_entity_path',
  searchHint: 'how are they connected, degrees of separation, chain between',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/entities/paths',
  about: 'Shortest chains that connect two entities',
  on: { from: entity.see.named('from_entity_id'), to: entity.see.named('to_entity_id') },
  input: {
    max_depth: z.int().min(1).max(6).default(4).describe('links in a chain'),
    as_of: datetime()
      .optional()
      .describe('only what was true then; default: also what has since ended'),
    ...paging,
  },
  output: pageOf(GraphPath).extend({
    complete: z.boolean().describe('false: there were too many connections to check them all'),
  }),
  async handle({ from, to, max_depth, as_of, limit, cursor }, ctx) {
    const at =
      as_of === undefined ? undefined : parseInstant(as_of, ctx.actor.timezone, 'end', 'as_of')
    const expand = async (ids: string[]) =>
      pathSteps(
        ids,
        await edgesOf(ctx, ids as Id<'entities'>[], { perNode, maxEdges: maxNodes, at }),
      )
    const { chains, complete } = await shortestChains(from.id, to.id, expand, {
      depth: max_depth,
      nodes: maxNodes,
      chains: maxChains,
      until: Date.now() + searchBudgetMs,
    })
    const scored = chains
      .map((chain) => ({
        id: chain.map((step) => step.edge.id).join(' '),
        score: confidenceOf(chain),
        chain,
      }))
      .sort(byScore)
    const page = pageOfHits(scored, { limit, cursor })
    const refs = await entityRefs(
      ctx,
      page.items.flatMap((item) => item.chain.flatMap((step) => [step.from, step.to])),
    )
    return {
      ...pageWithItems(
        page,
        page.items.map(({ chain, score }) => ({
          length: chain.length,
          steps: chain.map((step) => presentStep(step, refs, ctx.now)),
          confidence: score,
        })),
      ),
      complete,
    }
  },
})

/** Connections as steps from the queried nodes. */
export function pathSteps(ids: readonly string[], edges: readonly Edge[]): PathStep<Edge>[] {
  const requestedIds = new Set(ids)
  return edges.flatMap((edge) => [
    ...(requestedIds.has(edge.from_id) ? [{ from: edge.from_id, to: edge.to_id, edge }] : []),
    ...(requestedIds.has(edge.to_id) ? [{ from: edge.to_id, to: edge.from_id, edge }] : []),
  ])
}

function confidenceOf(chain: readonly PathStep<Edge>[]): number {
  return (
    Math.round(chain.reduce((product, step) => product * step.edge.confidence, 1) * 10_000) / 10_000
  )
}

function presentStep(
  { from, to, edge }: PathStep<Edge>,
  refs: ReadonlyMap<string, Ref>,
  now: number,
) {
  return {
    from: refs.get(from)!,
    relation: edge.type,
    reversed: edge.from_id !== from,
    to: refs.get(to)!,
    valid_now: isTrueAt({ valid_from: edge.valid_from ?? -Infinity, valid_to: edge.valid_to }, now),
  }
}
