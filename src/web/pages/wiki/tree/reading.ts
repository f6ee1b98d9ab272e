import { useMemo } from 'react'
import { call, type Output } from '../../../api/client.ts'
import { queries, useOperation } from '../../../api/queries.ts'
import { useEventsOfTypes } from '../../../store/index.ts'
import { allNodes, nodesOf, type PageNode } from './nodes.ts'

const treeInput = { depth: 100 } as const

/** How long a tree that was read is good enough to look titles up in. */
const titlesFreshMs = 15_000

/** All pages that the person sees, as they were a moment ago. @throws ApiError */
export async function readPages(): Promise<PageNode[]> {
  const { nodes } = await queries.fetchQuery({
    queryKey: ['call', 'get_page_tree', treeInput],
    queryFn: ({ signal }) => call('get_page_tree', treeInput, signal),
    staleTime: titlesFreshMs,
  })
  return [...allNodes(nodesOf(nodes))]
}

/** The tree as it was read last. */
export function heldTree(): PageNode[] {
  const held = queries.getQueryData<Output<'get_page_tree'>>(['call', 'get_page_tree', treeInput])
  return nodesOf(held?.nodes ?? [])
}

/** Has the tree read again where it is shown. */
export const treeChanged = () => queries.invalidateQueries({ queryKey: ['call', 'get_page_tree'] })

const pageTypes = ['page']
const readAgain = () => void treeChanged()

/** The tree of the pages that the person sees, kept true. */
export function usePageTree() {
  const found = useOperation('get_page_tree', treeInput, { staleTime: 0 }) // events come while it is shown
  useEventsOfTypes(pageTypes, readAgain)
  const { data } = found
  const roots = useMemo(() => data && nodesOf(data.nodes), [data])
  return { ...found, data: roots }
}
