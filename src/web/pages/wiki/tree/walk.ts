import type { TreeLine } from './lines.ts'
import type { PageNode } from './nodes.ts'
import type { TreeState } from './state.ts'

interface TreeNavigation extends Pick<TreeState, 'isOpen' | 'setOpen'> {
  roots: readonly PageNode[]
  line: TreeLine
  lines: readonly TreeLine[]
  focus: (node: PageNode | undefined) => void
  leave: () => void
}

/** Handles a key in a tree (WAI-ARIA); returns whether it did something. */
export function moveInTree(key: string, state: TreeNavigation): boolean {
  const { line, lines, focus, setOpen, roots } = state
  const index = lines.indexOf(line)
  const targets: Record<string, TreeLine | undefined> = {
    ArrowDown: lines[index + 1],
    ArrowUp: lines[index - 1],
    Home: lines[0],
    End: lines.at(-1),
  }
  if (key in targets) focus(targets[key]?.node)
  else if (key === 'ArrowRight') goIn(state)
  else if (key === 'ArrowLeft') goOut(state)
  else if (key === '*') setOpen(line.node.parent?.children ?? roots, true)
  else if (key === 'Escape') state.leave()
  else return false
  return true
}

function goIn({ line: { node }, focus, isOpen, setOpen }: TreeNavigation): void {
  if (isOpen(node)) focus(node.children[0])
  else setOpen([node], true)
}

function goOut({ line: { node }, focus, isOpen, setOpen }: TreeNavigation): void {
  if (node.children.length > 0 && isOpen(node)) setOpen([node], false)
  else focus(node.parent)
}
