import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react'
import { t } from '../../../texts/index.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { GridRoot } from '../../../ui/work/grid.ts'
import { displayRefusals } from '../data/refusals.ts'
import type { TaskGroup } from '../list/arrange.ts'
import { GroupHead } from '../list/GroupHead.tsx'
import { keyOfLine, useLines, type ListLine } from '../list/lines.ts'
import { useFollowCursor, useRemeasure } from '../../../ui/work/table/follow.ts'
import { useOpenPicker } from '../pick/open.ts'
import { columnActionsOf } from './actions.ts'
import { isEditing, resetCell, useColumn } from './cell.ts'
import type { ColumnId } from './columns.ts'
import type { OpenMenu } from './ColumnMenu.tsx'
import { cellElement, createTableMoves, type TableMoves } from './moves.ts'
import { useTableColumns, type TableColumn } from './shown.ts'
import styles from '../../../ui/work/table/table.module.css'
import { TableHead, trackList } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import { pasteText, useTableCommands } from './useTableCommands.ts'

const ColumnMenu = onDemand(() => import('./ColumnMenu.tsx').then(({ ColumnMenu }) => ColumnMenu))

interface TableProps {
  groups: readonly TaskGroup[]
  withHeads: boolean
  create: (group: TaskGroup) => void
  /** Keeps the order of the rows for a while. */
  holdOrder: () => void
}

const headHeight = 34

/** The tasks of a view as a table with editable cells. Renders only visible ones. */
export function Table({ groups, withHeads, create, holdOrder }: TableProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenMenu>()
  const { columns, visibleColumns, all: allColumns, projects, setColumns } = useTableColumns()
  const ids = useMemo(() => visibleColumns.map(({ id }) => id), [visibleColumns])
  const moves = useMemo(
    () => createTableMoves(visibleColumns, projects, holdOrder),
    [visibleColumns, projects, holdOrder],
  )
  const actions = columnActionsOf(columns, setColumns)
  const openMenu = (id: ColumnId | undefined) => {
    const head = `[data-head="${CSS.escape(id ?? ids[0] ?? '')}"]`
    const anchor = grid.current?.querySelector(head)
    if (anchor) setMenu({ id, anchor })
  }
  useTableCommands({ columns: ids, moves, actions, openMenu })
  useHoldWhileEditing(holdOrder)
  useEffect(resetCell, [])
  useEffect(displayRefusals, [])
  return (
    <>
      <TableGrid
        grid={grid}
        groups={groups}
        withHeads={withHeads}
        create={create}
        columns={visibleColumns}
        moves={moves}
        head={
          <TableHead
            columns={visibleColumns}
            actions={actions}
            grid={grid}
            openMenu={(id, anchor) => setMenu({ id, anchor })}
          />
        }
        paste={(text) => pasteText(text, ids)}
      />
      {menu && (
        <ColumnMenu
          menu={menu}
          visibleColumns={ids}
          allColumns={allColumns}
          actions={actions}
          open={setMenu}
        />
      )}
    </>
  )
}

interface TableGridProps extends Pick<TableProps, 'groups' | 'withHeads' | 'create'> {
  grid: RefObject<HTMLDivElement | null>
  columns: readonly TableColumn[]
  moves: TableMoves
  head: ReactNode
  paste: (text: string) => void
}

/** The table rows below the header. */
function TableGrid(props: TableGridProps) {
  const { grid, groups, withHeads, create, columns, moves, head, paste } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const { lines, toggle } = useLines(groups, withHeads)
  const virtualizer = useVisibleRows(lines, scroller, isNarrow)
  const drawLine = (line: ListLine, index: number) =>
    'id' in line ? (
      <TableRow id={line.id} index={index + 2} columns={columns} moves={moves} />
    ) : (
      <GroupHead
        line={line}
        index={index + 2}
        toggle={() => toggle(line.group.key)}
        create={() => create(line.group)}
      />
    )
  return (
    <div ref={scroller} className={styles.scroller} style={isNarrow ? {} : pinStyle(columns)}>
      <GridRoot
        ref={grid}
        aria-label={t.tasks.title}
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        className={styles.grid}
        style={{ '--columns': trackList(columns, isNarrow) } as CSSProperties}
        onPaste={(event) => {
          if (isEditing()) return
          event.preventDefault()
          paste(event.clipboardData.getData('text/plain'))
        }}
      >
        {head}
        <div
          role="presentation"
          className={styles.body}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const line = lines[index]
            return (
              line && (
                <div
                  key={key}
                  role="presentation"
                  className={styles.line}
                  style={{ transform: `translateY(${start - headHeight}px)` }}
                >
                  {drawLine(line, index)}
                </div>
              )
            )
          })}
        </div>
      </GridRoot>
    </div>
  )
}

/** The visible lines; the current cell is scrolled into view and focused. */
function useVisibleRows(
  lines: readonly ListLine[],
  scroller: RefObject<HTMLDivElement | null>,
  isNarrow: boolean,
) {
  const column = useColumn()
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => tableLineHeight(lines[index], isNarrow),
    getItemKey: useCallback((index: number) => keyOfLine(lines[index]), [lines]),
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 6,
  })
  useRemeasure(virtualizer, isNarrow)
  useFollowCursor(
    {
      lines,
      scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
      findElement: (id) => cellElement(id, column),
    },
    column,
  )
  return virtualizer
}

/** Offset of each pinned column from the edge, and their total width. */
function pinStyle(columns: readonly TableColumn[]): CSSProperties {
  const pinnedColumns = columns.filter(({ isPinned }) => isPinned)
  const widthBefore = (index: number) =>
    pinnedColumns.slice(0, index).reduce((sum, { width }) => sum + width, 0)
  const offsetOf = (index: number) => `calc(var(--head-width) + ${widthBefore(index)}px)`
  return {
    ...Object.fromEntries(pinnedColumns.map((_, index) => [`--pin-${index}`, offsetOf(index)])),
    '--pinned': offsetOf(pinnedColumns.length),
  } as CSSProperties
}

function tableLineHeight(line: ListLine | undefined, isNarrow: boolean): number {
  if (isNarrow) return 44
  return line && 'group' in line ? 36 : 34
}

const holdIntervalMs = 2_000

/** Rows keep their place while a value is being edited or chosen. */
function useHoldWhileEditing(hold: () => void): void {
  const isChoosing = useOpenPicker() !== undefined
  useEffect(() => {
    const timer = setInterval(() => {
      if (isChoosing || isEditing()) hold()
    }, holdIntervalMs)
    return () => clearInterval(timer)
  }, [isChoosing, hold])
}
