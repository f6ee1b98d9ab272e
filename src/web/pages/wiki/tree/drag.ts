import { useRef, useState, type DragEvent } from 'react'
import { dropTarget, type TreePosition } from './lines.ts'
import { movePage } from './moves.ts'
import type { PageNode } from './nodes.ts'

type Edge = 'before' | 'behind' | 'below'
export type Drag = ReturnType<typeof useDrag>

/** Dragging of pages within a tree: the dragged page, and the drop position. */
export function useDrag(roots: readonly PageNode[]) {
  const draggedPage = useRef<PageNode>(undefined)
  const [hover, setHover] = useState<{ id: string; edge: Edge }>()
  const destination = (event: DragEvent, node: PageNode): [Edge, TreePosition] | undefined => {
    if (!draggedPage.current) return undefined
    const edge = edgeOf(event)
    const target = dropTarget(draggedPage.current, { node, edge }, roots)
    return target && [edge, target]
  }
  return {
    edgeAt: (node: PageNode) => (hover?.id === node.id ? hover.edge : undefined),
    start(event: DragEvent, node: PageNode) {
      draggedPage.current = node
      event.dataTransfer.effectAllowed = 'copyMove'
    },
    over(event: DragEvent, node: PageNode) {
      const [edge] = destination(event, node) ?? []
      if (edge) event.preventDefault() // it can be dropped here
      if (hover?.id !== node.id || hover.edge !== edge) setHover(edge && { id: node.id, edge })
    },
    leave: () => setHover(undefined),
    end() {
      draggedPage.current = undefined
      setHover(undefined)
    },
    drop(event: DragEvent, node: PageNode) {
      const [, target] = destination(event, node) ?? []
      event.preventDefault()
      setHover(undefined)
      if (target && draggedPage.current) void movePage(draggedPage.current, target)
    },
  }
}

/** The upper and lower quarters of a line mean beside it, its middle means below it. */
function edgeOf({ currentTarget, clientY }: DragEvent): Edge {
  const { top, height } = currentTarget.getBoundingClientRect()
  const fraction = (clientY - top) / height
  if (fraction < 0.25) return 'before'
  return fraction > 0.75 ? 'behind' : 'below'
}
