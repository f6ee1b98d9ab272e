import type { PageNode } from './nodes.ts'

/** A page shown in the tree. */
export interface TreeLine {
  node: PageNode
  /** From 1 on. */
  level: number
  /** Number of siblings, including itself, and its position among them, from 1. */
  size: number
  place: number
}

/** Target position of a page: below a page or at the top level, after a sibling or first. */
export interface TreePlace {
  parent: PageNode | undefined
  after: PageNode | undefined
}

export type MoveStep = 'up' | 'down' | 'in' | 'out'

/** The visible pages for a set of open ones, from top to bottom. */
export function treeLines(
  nodes: readonly PageNode[],
  isOpen: (node: PageNode) => boolean,
  level = 1,
): TreeLine[] {
  return nodes.flatMap((node, n) => [
    { node, level, size: nodes.length, place: n + 1 },
    ...(isOpen(node) ? treeLines(node.children, isOpen, level + 1) : []),
  ])
}

/** True if a page is another one or its descendant. */
export const isInSubtree = (node: PageNode | undefined, other: PageNode): boolean =>
  node !== undefined && (node.id === other.id || isInSubtree(node.parent, other))

/**
 * Target of a step: one position up or down, below the previous sibling, or out after the parent; undefined if there
 * is none.
 */
export function destinationOf(
  node: PageNode,
  roots: readonly PageNode[],
  step: MoveStep,
): TreePlace | undefined {
  const { parent } = node
  const beside = parent?.children ?? roots
  const at = beside.indexOf(node)
  const [before, next] = [beside[at - 1], beside[at + 1]]
  if (step === 'up') return before && { parent, after: beside[at - 2] }
  if (step === 'down') return next && { parent, after: next }
  if (step === 'in') return before && { parent: before, after: before.children.at(-1) }
  return parent && { parent: parent.parent, after: parent }
}

/** Target of a page dropped on another: before, after or below it; undefined if that is not possible. */
export function dropped(
  node: PageNode,
  on: { node: PageNode; edge: 'before' | 'behind' | 'below' },
  roots: readonly PageNode[],
): TreePlace | undefined {
  if (isInSubtree(on.node, node)) return undefined
  if (on.edge === 'below')
    return { parent: on.node, after: on.node.children.findLast((child) => child !== node) }
  const { parent } = on.node
  if (on.edge === 'behind') return { parent, after: on.node }
  const beside = (parent?.children ?? roots).filter((other) => other !== node)
  return { parent, after: beside[beside.indexOf(on.node) - 1] }
}
