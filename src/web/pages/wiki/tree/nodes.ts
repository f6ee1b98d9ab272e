import type { Output } from '../../../api/client.ts'

/** A page in the tree. */
export interface PageNode {
  id: string
  title: string
  icon: string | undefined
  parent: PageNode | undefined
  children: readonly PageNode[]
}

type Branch = Output<'get_page_tree'>['nodes'][number]

/** The roots of a tree. */
export function nodesOf(branches: readonly Branch[], parent?: PageNode): PageNode[] {
  return branches.map(({ id, title, icon, children }) => {
    const node = { id, title, icon, parent, children: [] as readonly PageNode[] }
    node.children = nodesOf(children, node)
    return node
  })
}

/** All pages of a tree, ancestors first. */
export function* allNodes(nodes: readonly PageNode[]): Generator<PageNode> {
  for (const node of nodes) {
    yield node
    yield* allNodes(node.children)
  }
}

/** The page of a tree with this id. */
export const nodeWith = (id: string | undefined, nodes: readonly PageNode[]) =>
  [...allNodes(nodes)].find((node) => node.id === id)

/** The ancestors of a page, topmost first. */
export function ancestorsOf({ parent }: PageNode): PageNode[] {
  return parent ? [...ancestorsOf(parent), parent] : []
}
