import { useRef, type RefObject } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { destinationOf, type MoveStep } from './lines.ts'
import { movePage } from './moves.ts'
import { nodeWith } from './nodes.ts'
import { cachedTree } from './reading.ts'
import type { TreeState } from './state.ts'

/** Keyboard commands that move the current page; beside a page, only while the tree has the focus. */
export function useTreeMoves(
  { current, setOpen }: TreeState,
  movedId: RefObject<string | undefined>,
  viewedId: string | undefined,
): void {
  const lastMove = useRef<Promise<unknown>>(Promise.resolve())
  const move = async (id: string, moveStep: MoveStep) => {
    const tree = cachedTree()
    const node = nodeWith(id, tree)
    const target = node && destinationOf(node, tree, moveStep)
    if (!target) return
    if (target.parent)
      setOpen([{ ...target.parent, children: [...target.parent.children, node] }], true)
    if (isInTree()) movedId.current = id
    await movePage(node, target)
  }
  const moveCommand = (moveStep: MoveStep) => (event?: KeyboardEvent) => {
    const isElsewhere = viewedId !== undefined && !isInTree()
    if (isElsewhere && event) return false
    const id = isElsewhere ? viewedId : current
    if (id === undefined) return false
    lastMove.current = lastMove.current.then(() => move(id, moveStep)) // starts where the previous move ended
    return true
  }
  useCommands({
    'page.moveUp': moveCommand('up'),
    'page.moveDown': moveCommand('down'),
    'page.moveIn': moveCommand('in'),
    'page.moveOut': moveCommand('out'),
  })
}

const isInTree = () => document.activeElement?.closest('[role=tree]') != null
