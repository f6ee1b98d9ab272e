import { useMemo, useState, type RefObject } from 'react'
import { allNodes, type PageNode } from './nodes.ts'

export interface TreeState {
  isOpen: (node: PageNode) => boolean
  setOpen: (nodes: readonly PageNode[], isOpen: boolean) => void
  current: string | undefined
  setCurrent: (id: string) => void
}

/** Above this number of pages, initially only the top level is open. */
const maxInitiallyOpen = 100

/** Pages that were opened or closed manually, for as long as the app is open. */
const toggledPages = new Map<string, boolean>()

/**
 * A tree with open and closed pages. For a query's result, all pages are initially open, for each new query.
 * `currentRef` receives the id of the current page.
 */
export function useTreeState(
  roots: readonly PageNode[],
  query: string,
  currentRef: RefObject<string | undefined> | undefined,
): TreeState {
  const [current, setCurrent] = useState<string>()
  const [, rerender] = useState(0)
  const toggled = useMemo(() => (query === '' ? toggledPages : new Map<string, boolean>()), [query])
  const isSmall = useMemo(() => [...allNodes(roots)].length <= maxInitiallyOpen, [roots])
  const isInitiallyOpen = query !== '' || isSmall
  return {
    isOpen: ({ id }) => toggled.get(id) ?? isInitiallyOpen,
    setOpen(nodes, isOpen) {
      for (const { id, children } of nodes) if (children.length > 0) toggled.set(id, isOpen)
      rerender((count) => count + 1)
    },
    current,
    setCurrent(id) {
      if (currentRef) currentRef.current = id
      setCurrent(id)
    },
  }
}
