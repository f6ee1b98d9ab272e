import { call } from '../../../api/client.ts'
import { queries } from '../../../api/queries.ts'
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

/** Has the tree read again where it is shown. */
export const treeChanged = () => queries.invalidateQueries({ queryKey: ['call', 'get_page_tree'] })
