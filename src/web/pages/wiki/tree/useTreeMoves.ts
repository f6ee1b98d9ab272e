import { useRef, type RefObject } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { destinationOf, type MoveStep } from './lines.ts'
import { movePage } from './moves.ts'
import { nodeWith } from './nodes.ts'
import { heldTree } from './reading.ts'
import type { TreeState } from './state.ts'

/** Keyboard commands that move the current page; beside a page, only while the tree has the focus. */
export function useTreeMoves(
  { current, setOpen }: TreeState,
  moved: RefObject<string | undefined>,
  viewedId: string | undefined,
): void {
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const move = async (id: string, moveStep: MoveStep) => {
    const tree = heldTree()
    const node = nodeWith(id, tree)
    const to = node && destinationOf(node, tree, moveStep)
    if (!to) return
    if (to.parent) setOpen([{ ...to.parent, children: [...to.parent.children, node] }], true)
    if (isInTree()) moved.current = id
    await movePage(node, to)
  }
  const step = (moveStep: MoveStep) => (event?: KeyboardEvent) => {
    const isElsewhere = viewedId !== undefined && !isInTree()
    if (isElsewhere && event) return false
    const id = isElsewhere ? viewedId : current
    if (id === undefined) return false
    before.current = before.current.then(() => move(id, moveStep)) // from where the step before has led
    return true
  }
  useCommands({
    'page.moveUp': step('up'),
    'page.moveDown': step('down'),
    'page.moveIn': step('in'),
    'page.moveOut': step('out'),
  })
}

const isInTree = () => document.activeElement?.closest('[role=tree]') != null
