import { wordFilter } from '../../../ui/work/text-filter.ts'
import type { PageNode } from './nodes.ts'

/** A filtered tree. */
export interface FilteredTree {
  roots: readonly PageNode[]
  /** Number of matching titles. */
  count: number
  /** The first match, from the top. */
  firstMatch: PageNode | undefined
}

/** Pages whose title contains all words of the query, with their ancestors. */
export function filterTree(nodes: readonly PageNode[], query: string): FilteredTree {
  const matches = wordFilter(query)
  const matching: PageNode[] = []
  const filterNodes = (nodes: readonly PageNode[], parent: PageNode | undefined): PageNode[] =>
    nodes.flatMap((node) => {
      const isMatch = matches(node.title)
      if (isMatch) matching.push(node)
      const copy = { ...node, parent }
      copy.children = filterNodes(node.children, copy)
      return isMatch || copy.children.length > 0 ? [copy] : []
    })
  return { roots: filterNodes(nodes, undefined), count: matching.length, firstMatch: matching[0] }
}
