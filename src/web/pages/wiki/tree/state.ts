import { useMemo, useState, type RefObject } from 'react'
import { allNodes, type PageNode } from './nodes.ts'

export interface TreeState {
  isOpen: (node: PageNode) => boolean
  setOpen: (nodes: readonly PageNode[], isOpen: boolean) => void
  current: string | undefined
  setCurrent: (id: string) => void
}

/** Above this number of pages, initially only the top level is open. */
const maxOpenAtFirst = 100

/** Pages that were opened or closed manually, for as long as the app is open. */
const turned = new Map<string, boolean>()

/**
 * A tree with open and closed pages. For a query's result, all pages are initially open, for each new query. `at`
 * holds the current position.
 */
export function useTreeState(
  roots: readonly PageNode[],
  query: string,
  at: RefObject<string | undefined> | undefined,
): TreeState {
  const [current, setCurrent] = useState<string>()
  const [, redraw] = useState(0)
  const byHand = useMemo(() => (query === '' ? turned : new Map<string, boolean>()), [query])
  const isSmall = useMemo(() => [...allNodes(roots)].length <= maxOpenAtFirst, [roots])
  const isOpenAtFirst = query !== '' || isSmall
  return {
    isOpen: ({ id }) => byHand.get(id) ?? isOpenAtFirst,
    setOpen(nodes, isOpen) {
      for (const { id, children } of nodes) if (children.length > 0) byHand.set(id, isOpen)
      redraw((count) => count + 1)
    },
    current,
    setCurrent(id) {
      if (at) at.current = id
      setCurrent(id)
    },
  }
}
