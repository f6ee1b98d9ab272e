import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { anyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { iso } from '../../../kernel/time/times.ts'
import { contentStems } from '../../../search/query.ts'
import { snippet } from '../../../search/text.ts'
import { ItemRef, trust, trustOf } from '../../../records/shapes.ts'
import { entity } from '../access.ts'
import { entityIdsOf, sourceIds } from '../entities/access-counts.ts'
import { itemTextsOf } from '../facts/access.ts'
import { edgesOf, typedLinks } from './access.ts'
import { shortestChains, type PathStep } from './chains.ts'
import { asWords } from '../entities/keys.ts'
import { linksAt } from '../entities/mentions.ts'
import { externalAmong } from '../hits.ts'
import { pathSteps } from './paths.ts'
import { itemsAmong } from '../facts/sources.ts'

const perNode = 100
const maxNodes = 3000
const maxDepth = 5
const searchBudgetMs = 400
/** Maximum number of items examined per entity. */
const maxSources = 30

const Explanation = shape('Explanation', {
  from: ItemRef,
  to: ItemRef,
  connected: z.boolean(),
  steps: z.array(
    z.strictObject({
      statement: z.string(),
      trust,
      evidence: z.array(
        z.strictObject({
          item: z.union([ItemRef, z.literal('hidden')]),
          quote: z.string().optional(),
          trust,
          date: datetimeString(),
        }),
      ),
    }),
  ),
  hidden_evidence: z.boolean().describe('true: you cannot see some of the evidence'),
  complete: z.boolean().describe('false: there were too many connections to check them all'),
})

type Evidence = z.infer<typeof Explanation>['steps'][number]['evidence'][number]

/** Reason for a connection between neighbors. */
interface Reason {
  /** With placeholders {a} and {b} for the names of both ends. */
  statement: string
  a: string
  b: string
  quote: string | null
  source_id: string | null
  at: number | undefined
}

export const explainConnection = operation({
  name: 'explain_connection',
  searchHint: 'how do they know each other, why are these connected, proof of a link',
  kind: 'read',
  weight: 10,
  rest: 'GET /api/entities/explain',
  about:
    'Why two things are connected: each step with the message, page, task or meeting that proves it',
  on: { from: anyItem.see.named('from_id'), to: anyItem.see.named('to_id') },
  input: { max_evidence: z.int().min(0).max(20).default(3).describe('of each step') },
  output: Explanation,
  async handle({ from, to, max_evidence }, ctx) {
    const bounds = {
      depth: maxDepth,
      nodes: maxNodes,
      chains: 1,
      until: Date.now() + searchBudgetMs,
    }
    const { chains, complete } = await shortestChains(
      from.row.id,
      to.row.id,
      (ids) => expand(ctx, ids),
      bounds,
    )
    const steps = chains[0] === undefined ? [] : await presentSteps(ctx, chains[0], max_evidence)
    return {
      from: from.resource.ref(from.row, ctx.baseUrl),
      to: to.resource.ref(to.row, ctx.baseUrl),
      connected: chains.length > 0,
      steps,
      hidden_evidence: steps.some((step) => step.evidence.some((item) => item.item === 'hidden')),
      complete,
    }
  },
})

/**
 * Neighbors of entities and items: by relations and facts, by links between items, and by the items that entities
 * represent or come from. Only through nodes that the caller sees.
 */
async function expand(ctx: ReadContext, ids: readonly string[]): Promise<PathStep<Reason>[]> {
  const entities = ids.filter((id) => id.startsWith('ent_')) as Id<'entities'>[]
  const items = ids.filter((id) => !id.startsWith('ent_'))
  const steps = [
    ...(await byKnowledge(ctx, entities)),
    ...(await bySources(ctx, entities)),
    ...(await byEntities(ctx, items)),
    ...(await byLinks(ctx, ids)),
    ...(await byTypedLinks(ctx, items)),
  ]
  const visible = await itemsAmong(
    ctx,
    steps.map((step) => step.to),
  )
  return steps.filter((step) => visible.has(step.to))
}

async function byKnowledge(
  ctx: ReadContext,
  ids: readonly Id<'entities'>[],
): Promise<PathStep<Reason>[]> {
  if (ids.length === 0) return []
  const steps = pathSteps(ids, await edgesOf(ctx, ids, { perNode, maxEdges: maxNodes }))
  return steps.map(({ from, to, edge }) => ({
    from,
    to,
    edge: {
      statement: `{a} ${asWords(edge.type)} {b}${edge.valid_to !== null && edge.valid_to <= ctx.now ? ` (until ${iso(edge.valid_to).slice(0, 10)})` : ''}.`,
      a: edge.from_id,
      b: edge.to_id,
      quote: edge.note,
      source_id: edge.source_id,
      at: edge.valid_from ?? edge.created_at,
    },
  }))
}

/** From entities to their items and sources. */
async function bySources(
  ctx: ReadContext,
  ids: readonly Id<'entities'>[],
): Promise<PathStep<Reason>[]> {
  const rows = await entity.among(ctx, ids)
  const sources = await sourceIds(
    ctx,
    [...rows.values()].map((row) => row.id),
    maxSources,
  )
  return [...rows].flatMap(([id, row]) => [
    ...(row.item_id === null ? [] : [representationStep(id, row.item_id, id, row.item_id)]),
    ...sources.get(row.id)!.map((source) => sourceStep(id, source, id, source)),
  ])
}

/** From items to entities that represent them or have them as source. */
async function byEntities(ctx: ReadContext, items: readonly string[]): Promise<PathStep<Reason>[]> {
  const entitiesByItem = await entityIdsOf(ctx, items)
  const rows = await entity.among(
    ctx,
    [...entitiesByItem.values()].flatMap((ids) => [...ids]),
  )
  return [...entitiesByItem].flatMap(([item, some]) =>
    [...some].flatMap((id) =>
      rows.has(id)
        ? [
            rows.get(id)!.item_id === item
              ? representationStep(item, id, id, item)
              : sourceStep(item, id, id, item),
          ]
        : [],
    ),
  )
}

function representationStep(from: string, to: string, a: string, b: string): PathStep<Reason> {
  return {
    from,
    to,
    edge: {
      statement: '{a} in the knowledge graph represents {b}.',
      a,
      b,
      quote: null,
      source_id: b,
      at: undefined,
    },
  }
}

function sourceStep(from: string, to: string, a: string, b: string): PathStep<Reason> {
  return {
    from,
    to,
    edge: {
      statement: 'Information about {a} comes from {b}.',
      a,
      b,
      quote: null,
      source_id: b,
      at: undefined,
    },
  }
}

async function byLinks(ctx: ReadContext, ids: readonly string[]): Promise<PathStep<Reason>[]> {
  const requestedIds = new Set(ids)
  return (await linksAt(ctx, ids)).flatMap((link) => {
    const edge = {
      statement: `{a} ${asWords(link.kind)} {b}: they were linked.`,
      a: link.from_id,
      b: link.to_id,
      quote: link.note,
      source_id: link.from_id,
      at: link.created_at,
    }
    return [
      ...(requestedIds.has(link.from_id) ? [{ from: link.from_id, to: link.to_id, edge }] : []),
      ...(requestedIds.has(link.to_id) ? [{ from: link.to_id, to: link.from_id, edge }] : []),
    ]
  })
}

async function byTypedLinks(
  ctx: ReadContext,
  items: readonly string[],
): Promise<PathStep<Reason>[]> {
  const links = (await typedLinks(ctx, items)).filter((typedLink) => typedLink.kind !== 'linked')
  return links.map((link) => ({
    from: link.from,
    to: link.to,
    edge: {
      statement: `{a} and {b} are related (${link.kind}).`,
      a: link.from,
      b: link.to,
      quote: null,
      source_id: link.from,
      at: undefined,
    },
  }))
}

async function presentSteps(
  ctx: ReadContext,
  chain: readonly PathStep<Reason>[],
  maxEvidence: number,
): Promise<z.infer<typeof Explanation>['steps']> {
  const reasonsByStep = await reasonsBetween(ctx, chain)
  const items = await itemsAmong(
    ctx,
    reasonsByStep.flat().flatMap((reason) => [reason.a, reason.b, reason.source_id]),
  )
  const texts = await itemTextsOf(ctx, [...items.keys()])
  const name = (id: string) => {
    const item = items.get(id)
    return item ? `"${item.resource.ref(item.row, ctx.baseUrl).title}"` : 'something'
  }
  const external = await externalAmong(ctx, [...items.values()])
  return reasonsByStep.map((reasons) => {
    const statements = reasons.map((reason) =>
      reason.statement.replace('{a}', () => name(reason.a)).replace('{b}', () => name(reason.b)),
    )
    const evidence = reasons.flatMap((reason, i): Evidence[] => {
      if (reason.source_id === null) return []
      const item = items.get(reason.source_id)
      const date = iso(
        reason.at ?? (item?.row as { created_at?: number } | undefined)?.created_at ?? ctx.now,
      )
      if (!item) return [{ item: 'hidden', date }]
      const quote =
        reason.quote ?? snippet(texts.get(reason.source_id) ?? '', contentStems(statements[i]!))
      return [
        omitNullish({
          item: item.resource.ref(item.row, ctx.baseUrl),
          quote: quote === '' ? undefined : quote,
          ...trustOf(external.has(reason.source_id)),
          date,
        }),
      ]
    })
    const isExternal = reasons.slice(0, 1).some(({ a, b }) => external.has(a) || external.has(b))
    return {
      statement: statements[0]!,
      ...trustOf(isExternal),
      evidence: distinct(evidence).slice(0, maxEvidence),
    }
  })
}

/** All connections between neighbors of a chain, the chain's own first. */
async function reasonsBetween(
  ctx: ReadContext,
  chain: readonly PathStep<Reason>[],
): Promise<Reason[][]> {
  const steps = await expand(ctx, [...new Set(chain.map((step) => step.from))])
  return chain.map(({ from, to, edge }) => {
    const others = steps
      .filter(
        (step) =>
          step.from === from &&
          step.to === to &&
          JSON.stringify(step.edge) !== JSON.stringify(edge),
      )
      .map((step) => step.edge)
    return [edge, ...others]
  })
}

function distinct(evidence: readonly Evidence[]): Evidence[] {
  return [
    ...new Map(evidence.map((item) => [JSON.stringify([item.item, item.quote]), item])).values(),
  ]
}
