import type { PageNode } from './nodes.ts'

/** A page shown in the tree. */
export interface TreeLine {
  node: PageNode
  /** From 1 on. */
  level: number
  /** Number of siblings, including itself, and its position among them, from 1. */
  size: number
  position: number
}

/** Target position of a page: below a page or at the top level, after a sibling or first. */
export interface TreePosition {
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
  return nodes.flatMap((node, index) => [
    { node, level, size: nodes.length, position: index + 1 },
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
): TreePosition | undefined {
  const { parent } = node
  const siblings = parent?.children ?? roots
  const index = siblings.indexOf(node)
  const [previous, next] = [siblings[index - 1], siblings[index + 1]]
  if (step === 'up') return previous && { parent, after: siblings[index - 2] }
  if (step === 'down') return next && { parent, after: next }
  if (step === 'in') return previous && { parent: previous, after: previous.children.at(-1) }
  return parent && { parent: parent.parent, after: parent }
}

/** Target of a page dropped on another: before, after or below it; undefined if that is not possible. */
export function dropTarget(
  node: PageNode,
  target: { node: PageNode; edge: 'before' | 'behind' | 'below' },
  roots: readonly PageNode[],
): TreePosition | undefined {
  if (isInSubtree(target.node, node)) return undefined
  if (target.edge === 'below')
    return { parent: target.node, after: target.node.children.findLast((child) => child !== node) }
  const { parent } = target.node
  if (target.edge === 'behind') return { parent, after: target.node }
  const siblings = (parent?.children ?? roots).filter((other) => other !== node)
  return { parent, after: siblings[siblings.indexOf(target.node) - 1] }
}
