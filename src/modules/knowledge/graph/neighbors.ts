import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, paging } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { badCursor, cut, decodeCursor, encodeCursor } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { ItemRef, Ref } from '../../../records/shapes.ts'
import { entity, fact, relation } from '../access.ts'
import { edgesOf, type Edge } from './access.ts'
import { readType } from '../entities/entities.ts'
import { itemsOfEntity, linksAt } from '../entities/mentions.ts'
import { entityRef, Fact, Relation, presentFacts, presentRelations } from '../shapes.ts'
import { itemRefs } from '../facts/sources.ts'

/** Maximum number of newest connections of a kind followed per entity; fewer at greater distance. */
const perNode = [2000, 100, 30]
const maxNodes = 5000
const maxEdges = 200

const Neighbor = shape('Neighbor', {
  entity: Ref.extend({ type: z.string() }).optional(),
  item: ItemRef.optional(),
  depth: z.int(),
})

const Neighborhood = shape('Neighborhood', {
  center: Ref,
  nodes: z.array(Neighbor).describe('nearest first; only items visible to you'),
  edges: z.array(Relation).describe('relations among these nodes and with nearer ones'),
  facts: z.array(Fact).describe('similarly, facts whose value is an entity'),
  bounded: z
    .boolean()
    .describe('true: there were too many connections to check; narrow by relation_type'),
  next_cursor: z.string().optional(),
  has_more: z.boolean(),
})

interface Node {
  id: string
  depth: number
}

export const getEntityNeighbors = operation({
  name: 'get_entity_neighbors',
  searchHint: 'graph around, what hangs together, network',
  kind: 'read',
  weight: 3,
  rest: 'GET /api/entities/{entity_id}/neighbors',
  about: 'Entities and workspace items near an entity up to a depth, by relation type',
  on: { entity: entity.see },
  input: {
    depth: z.int().min(1).max(3).default(1).describe('how many links away'),
    relation_type: z
      .array(z.string().min(1).max(60))
      .min(1)
      .max(20)
      .optional()
      .describe('only these; excludes items'),
    as_of: datetime().optional().describe('as of this time; default: now'),
    ...paging,
  },
  output: Neighborhood,
  async handle({ entity: center, depth, relation_type, as_of, limit, cursor }, ctx) {
    const at =
      as_of === undefined ? ctx.now : parseInstant(as_of, ctx.actor.timezone, 'end', 'as_of')
    const types = relation_type?.map((name, i) => readType(name, `relation_type[${i}]`))
    const exploration = await explore(ctx, center, depth, types, at)
    const items = types
      ? new Map<string, number>()
      : await itemsAround(ctx, center, depth, exploration.depths)
    const nodes = [...exploration.depths, ...items]
      .map(([id, far]): Node => ({ id, depth: far }))
      .filter((node) => node.id !== center.id)
      .sort(compareNodes)
    const page = cut(nodesAfter(nodes, cursor).slice(0, limit + 1), limit, (last) =>
      encodeCursor([last.depth, last.id]),
    )
    const entities = await entity.among(
      ctx,
      page.items.map((item) => item.id).filter((id) => exploration.depths.has(id)),
    )
    const refs = await itemRefs(
      ctx,
      page.items.map((item) => item.id).filter((id) => items.has(id)),
    )
    const edges = edgesAt(exploration, page.items)
    return omitNullish({
      center: entityRef(center),
      nodes: page.items.flatMap(({ id, depth: far }): z.infer<typeof Neighbor>[] => {
        const [row, item] = [entities.get(id), refs.get(id)]
        if (row) return [{ entity: { ...entityRef(row), type: row.type }, depth: far }]
        return item ? [{ item, depth: far }] : []
      }),
      edges: await presentRelations(ctx, await relationRowsOf(ctx, edges), at),
      facts: await presentFacts(ctx, await factRowsOf(ctx, edges), at),
      bounded: exploration.bounded,
      next_cursor: page.next_cursor,
      has_more: page.has_more,
    })
  },
})

function compareNodes(a: Node, b: Node): number {
  return a.depth - b.depth || (a.id < b.id ? -1 : 1)
}

function nodesAfter(nodes: readonly Node[], cursor: string | undefined): readonly Node[] {
  if (cursor === undefined) return nodes
  const [depth, id, ...more] = decodeCursor(cursor)
  if (typeof depth !== 'number' || typeof id !== 'string' || more.length > 0) throw badCursor()
  return nodes.filter((node) => compareNodes({ depth, id }, node) < 0 && node.id !== id)
}

interface Exploration {
  depths: Map<string, number>
  edges: Edge[]
  bounded: boolean
}

/** Entities by distance, level by level. */
async function explore(
  ctx: ReadContext,
  center: Row<'entities'>,
  depth: number,
  types: readonly string[] | undefined,
  at: number,
): Promise<Exploration> {
  const exploration: Exploration = { depths: new Map([[center.id, 0]]), edges: [], bounded: false }
  let frontier: Id<'entities'>[] = [center.id]
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const edges = await edgesOf(ctx, frontier, {
      perNode: perNode[distance - 1]!,
      maxEdges: 2 * maxNodes,
      types,
      at,
    })
    exploration.bounded ||= isBounded(frontier, edges, perNode[distance - 1]!)
    exploration.edges.push(...edges)
    const next = new Set(
      edges
        .flatMap((edge) => [edge.from_id, edge.to_id])
        .filter((id) => !exploration.depths.has(id)),
    )
    if (exploration.depths.size + next.size > maxNodes) exploration.bounded = true
    frontier = [...next]
      .sort()
      .reverse()
      .slice(0, Math.max(0, maxNodes - exploration.depths.size))
    for (const id of frontier) exploration.depths.set(id, distance)
  }
  return exploration
}

/** Whether an entity has reached the limit of connections of a kind and direction. */
function isBounded(ids: readonly string[], edges: readonly Edge[], limit: number): boolean {
  const requestedIds = new Set(ids)
  const counts = new Map<string, number>()
  for (const { kind, from_id, to_id } of edges) {
    for (const name of [
      ...(requestedIds.has(from_id) ? [`${kind} > ${from_id}`] : []),
      ...(requestedIds.has(to_id) ? [`${kind} < ${to_id}`] : []),
    ]) {
      const n = (counts.get(name) ?? 0) + 1
      if (n >= limit) return true
      counts.set(name, n)
    }
  }
  return edges.length >= 2 * maxNodes
}

/** Items with distance: those of the entity, then linked ones, and those of the nearest entities. */
async function itemsAround(
  ctx: ReadContext,
  center: Row<'entities'>,
  depth: number,
  depths: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const ownItems = (await itemsOfEntity(ctx, center)).filter((id) => !id.startsWith('ent_'))
  const items = new Map(ownItems.map((id) => [id, 1]))
  if (depth < 2) return items
  const nearestIds = [...depths]
    .filter(([, far]) => far === 1)
    .map(([id]) => id)
    .slice(0, 200)
  const representedItems = [...(await entity.among(ctx, nearestIds)).values()].flatMap(
    (row) => row.item_id ?? [],
  )
  const linkedIds =
    ownItems.length === 0
      ? []
      : (await linksAt(ctx, ownItems.slice(0, 200)))
          .flatMap((link) => [link.from_id, link.to_id])
          .filter((id) => !id.startsWith('ent_'))
  const visibleRefs = await itemRefs(ctx, [...representedItems, ...linkedIds])
  for (const { id } of visibleRefs.values()) if (!items.has(id)) items.set(id, 2)
  return items
}

/** Connections of a page's nodes with each other and with nearer ones. */
function edgesAt({ edges, depths }: Exploration, nodes: readonly Node[]): Edge[] {
  const visibleIds = new Set(nodes.map((node) => node.id))
  const far = nodes.at(-1)?.depth ?? 0
  const isNearer = (id: string) => visibleIds.has(id) || (depths.get(id) ?? Infinity) < far
  return [
    ...new Map(
      edges
        .filter(
          (edge) =>
            (visibleIds.has(edge.from_id) || visibleIds.has(edge.to_id)) &&
            isNearer(edge.from_id) &&
            isNearer(edge.to_id),
        )
        .map((edge) => [edge.id, edge]),
    ).values(),
  ].slice(0, maxEdges)
}

async function relationRowsOf(
  ctx: ReadContext,
  edges: readonly Edge[],
): Promise<Row<'relations'>[]> {
  return [
    ...(
      await relation.among(
        ctx,
        edges.flatMap((edge) => (edge.kind === 'relation' ? [edge.id] : [])),
      )
    ).values(),
  ]
}

async function factRowsOf(ctx: ReadContext, edges: readonly Edge[]): Promise<Row<'facts'>[]> {
  return [
    ...(
      await fact.among(
        ctx,
        edges.flatMap((edge) => (edge.kind === 'fact' ? [edge.id] : [])),
      )
    ).values(),
  ]
}
