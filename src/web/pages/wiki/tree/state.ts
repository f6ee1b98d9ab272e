import { useMemo, useState, type RefObject } from 'react'
import { allNodes, type PageNode } from './nodes.ts'

export interface TreeState {
  isOpen: (node: PageNode) => boolean
  setOpen: (nodes: readonly PageNode[], isOpen: boolean) => void
  current: string | undefined
  setCurrent: (id: string) => void
}

/** From how many pages on only the highest are shown at first. */
const maxOpenAtFirst = 100

/** Pages that were opened or closed; they stay so while the app is open. */
const turned = new Map<string, boolean>()

/** A tree whose pages are opened and closed. Of one that a query made, all are open at first, for each query anew. `at` holds at which page one is. */
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
