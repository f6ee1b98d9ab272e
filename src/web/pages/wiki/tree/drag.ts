import { useRef, useState, type DragEvent } from 'react'
import { dropped, type TreePlace } from './lines.ts'
import { movePage } from './moves.ts'
import type { PageNode } from './nodes.ts'

type Edge = 'before' | 'behind' | 'below'
export type Drag = ReturnType<typeof useDrag>

/** Dragging of pages within a tree: the dragged page, and the drop position. */
export function useDrag(roots: readonly PageNode[]) {
  const dragged = useRef<PageNode>(undefined)
  const [over, setOver] = useState<{ id: string; edge: Edge }>()
  const destination = (event: DragEvent, node: PageNode): [Edge, TreePlace] | undefined => {
    if (!dragged.current) return undefined
    const edge = edgeOf(event)
    const to = dropped(dragged.current, { node, edge }, roots)
    return to && [edge, to]
  }
  return {
    edgeAt: (node: PageNode) => (over?.id === node.id ? over.edge : undefined),
    start(event: DragEvent, node: PageNode) {
      dragged.current = node
      event.dataTransfer.effectAllowed = 'copyMove'
    },
    over(event: DragEvent, node: PageNode) {
      const [edge] = destination(event, node) ?? []
      if (edge) event.preventDefault() // it can be dropped here
      if (over?.id !== node.id || over.edge !== edge) setOver(edge && { id: node.id, edge })
    },
    leave: () => setOver(undefined),
    end() {
      dragged.current = undefined
      setOver(undefined)
    },
    drop(event: DragEvent, node: PageNode) {
      const [, to] = destination(event, node) ?? []
      event.preventDefault()
      setOver(undefined)
      if (to && dragged.current) void movePage(dragged.current, to)
    },
  }
}

/** The upper and lower quarters of a line mean beside it, its middle means below it. */
function edgeOf({ currentTarget, clientY }: DragEvent): Edge {
  const { top, height } = currentTarget.getBoundingClientRect()
  const at = (clientY - top) / height
  if (at < 0.25) return 'before'
  return at > 0.75 ? 'behind' : 'below'
}
