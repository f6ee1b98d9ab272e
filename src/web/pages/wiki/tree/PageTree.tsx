import { IconChevronRight, IconFileText } from '@tabler/icons-react'
import {
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { wiki } from '../../../texts/en/wiki.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { dropped, treeLines, type TreePlace, type TreeLine } from './lines.ts'
import { movePage } from './moves.ts'
import type { PageNode } from './nodes.ts'
import styles from './tree.module.css'

/** Which pages of the tree are open, and at which one is. */
export interface TreeState {
  isOpen: (node: PageNode) => boolean
  setOpen: (node: PageNode, isOpen: boolean) => void
  current: string | undefined
  setCurrent: (id: string) => void
}

interface PageTreeProps extends TreeState {
  roots: readonly PageNode[]
  /** The page that was moved by keys last: it keeps the focus, wherever it stands then. */
  moved: RefObject<string | undefined>
}

/** The pages as a tree: arrows walk in it, Enter opens a page, and pages are dragged to where they belong. */
export function PageTree(props: PageTreeProps) {
  const { roots, isOpen, current, setCurrent, moved } = props
  const tree = useRef<HTMLDivElement>(null)
  const drag = useDrag(roots)
  const lines = treeLines(roots, isOpen)
  const stop = lines.some(({ node }) => node.id === current) ? current : lines[0]?.node.id
  const focus = (node: PageNode | undefined) => {
    if (!node) return
    setCurrent(node.id)
    tree.current?.querySelector<HTMLElement>(`[data-page="${node.id}"]`)?.focus()
  }
  useEffect(() => {
    if (roots.length > 0 && moved.current !== undefined)
      tree.current?.querySelector<HTMLElement>(`[data-page="${moved.current}"]`)?.focus()
  }, [roots, moved])
  const pressed = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const line = lines.find(({ node }) => node.id === stop)
    if (!line || !walk(event.key, { ...props, line, lines, focus })) return
    event.preventDefault()
  }
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={wiki.tree.title}
      className={styles.tree}
      onKeyDown={pressed}
    >
      {lines.map((line) => (
        <Line
          key={line.node.id}
          line={line}
          isStop={line.node.id === stop}
          isOpen={line.node.children.length > 0 ? isOpen(line.node) : undefined}
          toggle={() => props.setOpen(line.node, !isOpen(line.node))}
          enter={() => {
            if (moved.current !== line.node.id) moved.current = undefined
            setCurrent(line.node.id)
          }}
          drag={drag}
        />
      ))}
    </div>
  )
}

interface Walk extends PageTreeProps {
  line: TreeLine
  lines: readonly TreeLine[]
  focus: (node: PageNode | undefined) => void
}

/** What a key does in a tree (WAI-ARIA); whether it does something. */
function walk(key: string, of: Walk): boolean {
  const { line, lines, focus, setOpen, roots } = of
  const at = lines.indexOf(line)
  const targets: Record<string, TreeLine | undefined> = {
    ArrowDown: lines[at + 1],
    ArrowUp: lines[at - 1],
    Home: lines[0],
    End: lines.at(-1),
  }
  if (key in targets) focus(targets[key]?.node)
  else if (key === 'ArrowRight') goIn(of)
  else if (key === 'ArrowLeft') goOut(of)
  else if (key === '*')
    for (const other of line.node.parent?.children ?? roots) setOpen(other, true)
  else return false
  return true
}

function goIn({ line: { node }, focus, isOpen, setOpen }: Walk): void {
  if (isOpen(node)) focus(node.children[0])
  else setOpen(node, true)
}

function goOut({ line: { node }, focus, isOpen, setOpen }: Walk): void {
  if (node.children.length > 0 && isOpen(node)) setOpen(node, false)
  else focus(node.parent)
}

interface LineProps {
  line: TreeLine
  isStop: boolean
  /** Undefined where nothing is below it. */
  isOpen: boolean | undefined
  toggle: () => void
  enter: () => void
  drag: Drag
}

function Line({ line, isStop, isOpen, toggle, enter, drag }: LineProps) {
  const { node, level, size, place } = line
  return (
    <RouterLink
      to={`/pages/${node.id}`}
      role="treeitem"
      aria-level={level}
      aria-setsize={size}
      aria-posinset={place}
      aria-expanded={isOpen}
      aria-selected={isStop}
      tabIndex={isStop ? 0 : -1}
      className={styles.line}
      style={{ '--level': Math.min(level, 12) } as CSSProperties}
      data-page={node.id}
      data-drop={drag.edgeAt(node)}
      onFocus={enter}
      onDragStart={(event) => drag.start(event, node)}
      onDragOver={(event) => drag.over(event, node)}
      onDragLeave={drag.leave}
      onDragEnd={drag.end}
      onDrop={(event) => drag.drop(event, node)}
    >
      <span
        className={styles.fold}
        data-open={isOpen || undefined}
        aria-hidden
        onClick={(event) => {
          if (isOpen === undefined) return
          event.preventDefault() // the page is not opened
          toggle()
        }}
      >
        {isOpen !== undefined && <IconChevronRight size={14} />}
      </span>
      <span className={styles.icon} aria-hidden>
        {node.icon ?? <IconFileText size={15} stroke={1.6} />}
      </span>
      <span className={styles.title} dir="auto">
        {node.title}
      </span>
    </RouterLink>
  )
}

type Edge = 'before' | 'behind' | 'below'
type Drag = ReturnType<typeof useDrag>

/** Dragging pages within a tree: what is dragged, and the place above which it is. */
function useDrag(roots: readonly PageNode[]) {
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

/** The upper and the lower quarter of a line are beside it, its middle is below it. */
function edgeOf({ currentTarget, clientY }: DragEvent): Edge {
  const { top, height } = currentTarget.getBoundingClientRect()
  const at = (clientY - top) / height
  if (at < 0.25) return 'before'
  return at > 0.75 ? 'behind' : 'below'
}
