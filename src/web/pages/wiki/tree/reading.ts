import { useEffect, useMemo } from 'react'
import type { Output } from '../../../api/client.ts'
import {
  operationQuery,
  queries,
  invalidateOperations,
  useOperation,
} from '../../../api/queries.ts'
import { onEvent, type ServerEvent } from '../../../store/index.ts'
import { allNodes, nodesOf, type PageNode } from './nodes.ts'

const treeInput = { depth: 100 } as const
const treeQuery = operationQuery('get_page_tree', treeInput)

/** Maximum age of a loaded tree for title lookups, in milliseconds. */
const titlesStaleMs = 15_000

/** All visible pages, as of a moment ago. @throws ApiError */
export async function readPages(): Promise<PageNode[]> {
  const { nodes } = await queries.fetchQuery({ ...treeQuery, staleTime: titlesStaleMs })
  return [...allNodes(nodesOf(nodes))]
}

/** The tree as last loaded. */
export function cachedTree(): PageNode[] {
  return nodesOf(queries.getQueryData(treeQuery.queryKey)?.nodes ?? [])
}

/** Reloads the displayed tree. */
export const reloadPageTree = () => invalidateOperations('get_page_tree')

/**
 * Removes a page immediately when access to it is lost, with its subpages, without waiting for a reload of the tree.
 */
function removeInaccessible({ event, item }: ServerEvent): void {
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
  const query = useOperation('get_page_tree', treeInput, { staleTime: 0 }) // events arrive only while it is mounted
  useEffect(() => onEvent(removeInaccessible), [])
  const { data } = query
  const roots = useMemo(() => data && nodesOf(data.nodes), [data])
  return { ...query, data: roots }
}
