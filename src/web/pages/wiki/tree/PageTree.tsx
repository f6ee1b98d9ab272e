import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { wiki } from '../../../texts/en/wiki.ts'
import { useMeasuredAgain } from '../../../ui/work/table/follow.ts'
import { useRangeWith } from '../../../ui/work/virtual/virtual-range.ts'
import { useDrag } from './drag.ts'
import { treeLines, type TreeLine } from './lines.ts'
import type { PageNode } from './nodes.ts'
import type { TreeState } from './state.ts'
import { TreeRow } from './TreeRow.tsx'
import { typedLine, typeOn, type Typed } from './typeahead.ts'
import { moveInTree } from './walk.ts'
import styles from './tree.module.css'

interface PageTreeProps extends TreeState {
  roots: readonly PageNode[]
  /** True if the query hides some pages: the others cannot be dragged. */
  isFiltered: boolean
  /** The last page moved by keyboard: it keeps the focus at its new position. */
  moved: RefObject<string | undefined>
  /** Moves out of the tree. */
  leave: () => void
  /**
   * The current page beside the tree, which is kept visible; letters then select pages, otherwise they are commands.
   */
  pageId?: string | undefined
  /** The initial tab stop, instead of the first page. */
  first: string | undefined
}

/**
 * The pages as a tree: arrows move within it, Enter opens a page, and pages can be dragged. Renders only visible
 * rows.
 */
export function PageTree(props: PageTreeProps) {
  const { roots, isOpen, setOpen, current, setCurrent, moved, pageId, first, isFiltered, leave } =
    props
  const scroller = useRef<HTMLDivElement>(null)
  const drag = useDrag(roots)
  const lines = treeLines(roots, isOpen)
  const here = indexOf(lines, current)
  const at = Math.max(0, here === -1 ? indexOf(lines, first) : here)
  const stop = lines[at]
  const rows = useTreeRows(scroller, lines, at)
  const focus = useFocus(scroller, setCurrent)
  useKeptFocus(roots, moved, (id) => focus({ id }))
  useSeen(pageId, indexOf(lines, pageId), (index) => rows.scrollToIndex(index, { align: 'auto' }))
  const typeTo = useTyping(lines, at)
  const pressed = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !stop) return
    const typed = pageId === undefined ? undefined : typeTo(event.key)
    if (typed) focus(typed.node)
    else if (event.shiftKey && event.key !== '*') return
    else if (!moveInTree(event.key, { roots, isOpen, setOpen, line: stop, lines, focus, leave }))
      return
    event.preventDefault()
  }
  return (
    <div ref={scroller} className={styles.scroller}>
      <div
        role="tree"
        aria-label={wiki.tree.title}
        className={styles.tree}
        style={{ height: rows.getTotalSize() }}
        onKeyDown={pressed}
      >
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <div
              key={key}
              role="presentation"
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <TreeRow
                line={line}
                isStop={line === stop}
                isShown={line.node.id === pageId}
                isOpen={line.node.children.length > 0 ? isOpen(line.node) : undefined}
                toggle={() => setOpen([line.node], !isOpen(line.node))}
                enter={() => {
                  if (moved.current !== line.node.id) moved.current = undefined
                  setCurrent(line.node.id)
                }}
                drag={isFiltered ? undefined : drag}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

const indexOf = (lines: readonly TreeLine[], id: string | undefined) =>
  lines.findIndex(({ node }) => node.id === id)

/** The visible rows, and always the tab stop. */
function useTreeRows(
  scroller: RefObject<HTMLDivElement | null>,
  lines: readonly TreeLine[],
  stop: number,
) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const ids = useMemo(() => lines.map(({ node }) => node.id), [lines])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? 44 : 34),
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    rangeExtractor: useRangeWith(stop),
    overscan: 8,
  })
  useMeasuredAgain(rows, isNarrow)
  return rows
}

/** Focuses a page once its row is rendered. */
function useFocus(scroller: RefObject<HTMLDivElement | null>, setCurrent: (id: string) => void) {
  const wanted = useRef<string>(undefined)
  const take = () => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-page="${wanted.current}"]`)
    if (!row) return
    wanted.current = undefined
    row.focus()
  }
  useEffect(() => {
    if (wanted.current !== undefined) take()
  })
  return (node: { id: string } | undefined) => {
    if (!node) return
    wanted.current = node.id
    setCurrent(node.id)
    take()
  }
}

/** Keeps the focus on a moved page when the tree is reloaded. */
function useKeptFocus(
  roots: readonly PageNode[],
  moved: RefObject<string | undefined>,
  focus: (id: string) => void,
): void {
  const latest = useRef(focus)
  useLayoutEffect(() => {
    latest.current = focus
  })
  useEffect(() => {
    const { activeElement: active } = document
    const isHere = active === document.body || active?.closest('[role=tree]') != null
    if (isHere && roots.length > 0 && moved.current !== undefined) latest.current(moved.current)
  }, [roots, moved])
}

/** Scrolls a page into view when it is opened, and once it is in the tree. */
function useSeen(id: string | undefined, index: number, bring: (index: number) => void): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    if (index === -1 || id === done.current) return
    done.current = id
    bring(index)
  })
}

/** Target of typing ahead; undefined for a key that types nothing. */
function useTyping(lines: readonly TreeLine[], at: number) {
  const typed = useRef<Typed>({ text: '', at: -Infinity })
  return (key: string) => {
    const next = typeOn(typed.current, key, performance.now())
    if (!next) return undefined
    typed.current = next
    return typedLine(lines, at, typed.current.text) ?? lines[at]
  }
}
