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
import { useRemeasure } from '../../../ui/work/table/follow.ts'
import { useRangeWith } from '../../../ui/work/virtual/virtual-range.ts'
import { useDrag } from './drag.ts'
import { treeLines, type TreeLine } from './lines.ts'
import type { PageNode } from './nodes.ts'
import type { TreeState } from './state.ts'
import { TreeRow } from './TreeRow.tsx'
import { matchingLine, appendKey, type TypeaheadState } from './typeahead.ts'
import { moveInTree } from './walk.ts'
import styles from './tree.module.css'

interface PageTreeProps extends TreeState {
  roots: readonly PageNode[]
  /** True if the query hides some pages: the others cannot be dragged. */
  isFiltered: boolean
  /** The last page moved by keyboard: it keeps the focus at its new position. */
  movedId: RefObject<string | undefined>
  /** Moves out of the tree. */
  leave: () => void
  /**
   * The current page beside the tree, which is kept visible; letters then select pages, otherwise they are commands.
   */
  pageId?: string | undefined
  /** The initial tab stop, instead of the first page. */
  initialId: string | undefined
}

/**
 * The pages as a tree: arrows move within it, Enter opens a page, and pages can be dragged. Renders only visible
 * rows.
 */
export function PageTree(props: PageTreeProps) {
  const { roots, isOpen, setOpen, current, setCurrent, movedId, pageId } = props
  const scroller = useRef<HTMLDivElement>(null)
  const drag = useDrag(roots)
  const lines = treeLines(roots, isOpen)
  const rowIndex = indexOf(lines, current)
  const stopIndex = Math.max(0, rowIndex === -1 ? indexOf(lines, props.initialId) : rowIndex)
  const stopLine = lines[stopIndex]
  const rows = useTreeRows(scroller, lines, stopIndex)
  const focus = useFocus(scroller, setCurrent)
  useMovedFocus(roots, movedId, (id) => focus({ id }))
  useScrollToPage(pageId, indexOf(lines, pageId), rows)
  const lineForKey = useTypeahead(lines, stopIndex)
  const tree = { roots, isOpen, setOpen, lines, focus, leave: props.leave }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !stopLine) return
    const typeaheadLine = pageId === undefined ? undefined : lineForKey(event.key)
    if (typeaheadLine) focus(typeaheadLine.node)
    else if (event.shiftKey && event.key !== '*') return
    else if (!moveInTree(event.key, { ...tree, line: stopLine })) return
    event.preventDefault()
  }
  return (
    <div ref={scroller} className={styles.scroller}>
      <div
        role="tree"
        aria-label={wiki.tree.title}
        className={styles.tree}
        style={{ height: rows.getTotalSize() }}
        onKeyDown={onKeyDown}
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
                isStop={line === stopLine}
                isCurrentPage={line.node.id === pageId}
                isOpen={line.node.children.length > 0 ? isOpen(line.node) : undefined}
                toggle={() => setOpen([line.node], !isOpen(line.node))}
                onFocus={() => {
                  if (movedId.current !== line.node.id) movedId.current = undefined
                  setCurrent(line.node.id)
                }}
                drag={props.isFiltered ? undefined : drag}
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
  stopIndex: number,
) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const ids = useMemo(() => lines.map(({ node }) => node.id), [lines])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? 44 : 34),
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    rangeExtractor: useRangeWith(stopIndex),
    overscan: 8,
  })
  useRemeasure(rows, isNarrow)
  return rows
}

/** Focuses a page once its row is rendered. */
function useFocus(scroller: RefObject<HTMLDivElement | null>, setCurrent: (id: string) => void) {
  const pendingId = useRef<string>(undefined)
  const focusPending = () => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-page="${pendingId.current}"]`)
    if (!row) return
    pendingId.current = undefined
    row.focus()
  }
  useEffect(() => {
    if (pendingId.current !== undefined) focusPending()
  })
  return (node: { id: string } | undefined) => {
    if (!node) return
    pendingId.current = node.id
    setCurrent(node.id)
    focusPending()
  }
}

/** Keeps the focus on a moved page when the tree is reloaded. */
function useMovedFocus(
  roots: readonly PageNode[],
  movedId: RefObject<string | undefined>,
  focus: (id: string) => void,
): void {
  const latest = useRef(focus)
  useLayoutEffect(() => {
    latest.current = focus
  })
  useEffect(() => {
    const { activeElement: active } = document
    const canTakeFocus = active === document.body || active?.closest('[role=tree]') != null
    if (canTakeFocus && roots.length > 0 && movedId.current !== undefined)
      latest.current(movedId.current)
  }, [roots, movedId])
}

/** Scrolls a page into view when it is opened, and once it is in the tree. */
function useScrollToPage(
  id: string | undefined,
  index: number,
  rows: ReturnType<typeof useTreeRows>,
): void {
  const scrolledId = useRef<string>(undefined)
  useEffect(() => {
    if (index === -1 || id === scrolledId.current) return
    scrolledId.current = id
    rows.scrollToIndex(index, { align: 'auto' })
  })
}

/** Typeahead: returns a function from a key to the line it selects; undefined for a key that types nothing. */
function useTypeahead(lines: readonly TreeLine[], currentIndex: number) {
  const state = useRef<TypeaheadState>({ text: '', typedAt: -Infinity })
  return (key: string) => {
    const nextState = appendKey(state.current, key, performance.now())
    if (!nextState) return undefined
    state.current = nextState
    return matchingLine(lines, currentIndex, state.current.text) ?? lines[currentIndex]
  }
}
