import type { Output } from '../../../../api/client.ts'
import type { ItemReference } from '../../../../ui/ItemLink.tsx'

type Answer = Output<'get_entity_neighbors'>
type Relation = Answer['edges'][number]

/** The central entity, or one near it. */
export interface GraphNode {
  id: string
  title: string
  /** Undefined for the central one. */
  type: string | undefined
  /** Distance from the central entity, in links. */
  depth: number
}

/** A relation, or a fact whose value is an entity. */
export interface GraphEdge {
  id: string
  from: ItemReference
  to: ItemReference
  type: string
  source: ItemReference | undefined
  /** Undefined for a fact. */
  relation: Relation | undefined
}

/** Part of the graph around an entity that both the picture and the tree show. */
export interface Neighborhood {
  /** The central entity first, then by distance. */
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
  /** Number of entities that were found but left out. */
  omittedCount: number
  /** True if the server left out more entities, without a number. */
  isTruncated: boolean
}

/** Maximum number of drawn entities, including the central one. */
export const maxNodes = 60

/** The entities of an answer and their connections. */
export function neighborhoodOf(answer: Answer): Neighborhood {
  const { center, has_more, bounded } = answer
  const neighbors = answer.nodes.flatMap(({ entity, depth }): GraphNode[] =>
    entity ? [{ id: entity.id, title: entity.title, type: entity.type, depth }] : [],
  )
  const nodes = [{ ...center, type: undefined, depth: 0 }, ...neighbors].slice(0, maxNodes)
  const nodeIds = new Set(nodes.map(({ id }) => id))
  const edges = [
    ...answer.edges.map(edgeOfRelation),
    ...answer.facts.flatMap((fact): GraphEdge[] => {
      const { id, entity: from, value_entity: to, predicate: type } = fact
      return to
        ? [{ id, from, to, type, source: visibleSource(fact.source), relation: undefined }]
        : []
    }),
  ].filter(({ from, to }) => nodeIds.has(from.id) && nodeIds.has(to.id) && from.id !== to.id)
  const leftOut = neighbors.length + 1 - nodes.length
  return { nodes, edges, omittedCount: leftOut, isTruncated: has_more || bounded }
}

function edgeOfRelation(relation: Relation): GraphEdge {
  const { id, from, to, type, source } = relation
  return { id, from, to, type, source: visibleSource(source), relation }
}

const visibleSource = (source: Relation['source']) =>
  source === undefined || source === 'hidden' ? undefined : source

/** The other end of an edge; undefined if neither end is this entity. */
export function otherEnd({ from, to }: GraphEdge, id: string): ItemReference | undefined {
  if (from.id === id) return to
  return to.id === id ? from : undefined
}

/** A relation in the tree, with those of the related entity below. */
export interface Branch {
  edge: GraphEdge
  /** The end of the relation that is the child in the tree. */
  to: ItemReference
  branches: readonly Branch[]
}

/** The neighborhood as a tree: each relation once, below the nearer of its two entities. */
export function treeOf({ nodes, edges }: Neighborhood): Branch[] {
  const remainingEdges = new Set(edges)
  const reachedIds = new Set(nodes.slice(0, 1).map(({ id }) => id))
  const roots: Branch[] = []
  let level = nodes.slice(0, 1).map(({ id }) => ({ id, branches: roots }))
  while (level.length > 0) {
    const next: typeof level = []
    for (const { id, branches } of level)
      for (const edge of remainingEdges) {
        const to = otherEnd(edge, id)
        if (!to) continue
        remainingEdges.delete(edge)
        const childBranches: Branch[] = []
        branches.push({ edge, to, branches: childBranches })
        if (!reachedIds.has(to.id)) next.push({ id: to.id, branches: childBranches })
        reachedIds.add(to.id)
      }
    level = next
  }
  return roots
}
