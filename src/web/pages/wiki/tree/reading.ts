import { useEffect, useMemo } from 'react'
import type { Output } from '../../../api/client.ts'
import { operationQuery, queries, readOperationAgain, useOperation } from '../../../api/queries.ts'
import { onEvent, type ServerEvent } from '../../../store/index.ts'
import { allNodes, nodesOf, type PageNode } from './nodes.ts'

const treeInput = { depth: 100 } as const
const treeQuery = operationQuery('get_page_tree', treeInput)

/** Maximum age of a loaded tree for title lookups, in milliseconds. */
const titlesFreshMs = 15_000

/** All visible pages, as of a moment ago. @throws ApiError */
export async function readPages(): Promise<PageNode[]> {
  const { nodes } = await queries.fetchQuery({ ...treeQuery, staleTime: titlesFreshMs })
  return [...allNodes(nodesOf(nodes))]
}

/** The tree as last loaded. */
export function heldTree(): PageNode[] {
  return nodesOf(queries.getQueryData(treeQuery.queryKey)?.nodes ?? [])
}

/** Reloads the displayed tree. */
export const treeChanged = () => readOperationAgain('get_page_tree')

/**
 * Removes a page immediately when access to it is lost, with its subpages, without waiting for a reload of the tree.
 */
function forgetLost({ event, item }: ServerEvent): void {
  if (event !== 'access.lost' || item?.type !== 'page') return
  queries.setQueryData(treeQuery.queryKey, (tree) => {
    return tree && { ...tree, nodes: without(tree.nodes, item.id) }
  })
}

const without = (nodes: Branches, id: string): Branches =>
  nodes
    .filter((node) => node.id !== id)
    .map((node) => ({ ...node, children: without(node.children, id) }))

type Branches = Output<'get_page_tree'>['nodes']

/** The tree of visible pages, kept up to date. */
export function usePageTree() {
  const treeQuery = useOperation('get_page_tree', treeInput, { staleTime: 0 }) // events come while it is shown
  useEffect(() => onEvent(forgetLost), [])
  const { data } = treeQuery
  const roots = useMemo(() => data && nodesOf(data.nodes), [data])
  return { ...treeQuery, data: roots }
}
