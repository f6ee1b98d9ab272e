import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type RefObject,
} from 'react'
import { PickerStartContext } from '../Picker.tsx'
import { GridColumnHead, GridRoot, GridRow } from '../grid.ts'
import { cellElement, cells, gridTemplate, type RowColumn } from './columns.ts'
import { useFollowCursor, useRemeasure } from './follow.ts'
import { rowMoves, type OpenList } from './row-moves.ts'
import { RowTableRow, type RowHead } from './RowTableRow.tsx'
import { pickNone, setCursor, setOrder } from './selection.ts'
import styles from './table.module.css'
import { useRowTableCommands } from './useRowTableCommands.ts'

export interface RowTableProps<R> extends RowHead<R> {
  label: string
  ids: readonly string[]
  columns: readonly RowColumn<R>[]
  /** The current row. */
  rowOf: (id: string) => R | undefined
  /** The current row for a component, which rerenders when it changes. */
  useRow: (id: string) => R | undefined
  open: (row: R) => void
  /** Keeps the order of the rows for a while. */
  holdOrder: () => void
}

const headHeight = 34

/** Rows as a table with editable cells. Renders only visible ones. */
export function RowTable<R>(props: RowTableProps<R>) {
  const { label, ids, columns, rowOf, useRow, open, holdOrder } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [list, setList] = useState<OpenList>()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const moves = useMemo(
    () => rowMoves({ columns, rowOf, holdOrder, openList: setList }),
    [columns, rowOf, holdOrder],
  )
  const virtualizer = useVisibleRows(ids, scroller, isNarrow)
  useRowTableCommands({ columns, moves, rowOf, open, holdOrder })
  useEffect(() => setOrder(ids), [ids])
  useEffect(() => {
    cells.resetCell()
    return () => {
      setCursor(undefined)
      pickNone()
    }
  }, [])
  return (
    <div
      ref={scroller}
      className={`${styles.scroller} ${styles.slim}`}
      style={isNarrow ? {} : pinStyle(columns)}
    >
      <GridRoot
        aria-label={label}
        aria-rowcount={ids.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        className={styles.grid}
        style={{ '--columns': gridTemplate(columns, isNarrow) } as CSSProperties}
      >
        <HeaderRow columns={columns} label={props.headLabel} />
        <div
          role="presentation"
          className={styles.body}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const id = ids[index]
            return (
              id !== undefined && (
                <div
                  key={key}
                  role="presentation"
                  className={styles.line}
                  style={{ transform: `translateY(${start - headHeight}px)` }}
                >
                  <RowTableRow {...props} id={id} index={index + 2} useRow={useRow} moves={moves} />
                </div>
              )
            )
          })}
        </div>
      </GridRoot>
      {list && <OpenCellList list={list} columns={columns} useRow={useRow} close={setList} />}
    </div>
  )
}

function HeaderRow<R>({ columns, label }: { columns: readonly RowColumn<R>[]; label: string }) {
  return (
    <GridRow aria-rowindex={1} className={styles.heads}>
      <GridColumnHead aria-colindex={1} className={styles.headOfHeads}>
        <span className={styles.hidden}>{label}</span>
      </GridColumnHead>
      {columns.map((column, index) => (
        <GridColumnHead
          key={column.id}
          aria-colindex={index + 2}
          data-number={column.isNumber || undefined}
          data-pinned={column.isPinned || undefined}
          className={styles.columnHead}
          style={column.isPinned ? { insetInlineStart: 'var(--pin)' } : undefined}
        >
          <span className={styles.columnLabel}>{column.label}</span>
        </GridColumnHead>
      ))}
    </GridRow>
  )
}

interface CellListProps<R> extends Pick<RowTableProps<R>, 'columns' | 'useRow'> {
  list: OpenList
  close: (list: undefined) => void
}

/** Offset of the pinned column from the edge; on phones it scrolls with the others. */
function pinStyle<R>(columns: readonly RowColumn<R>[]): CSSProperties {
  const width = columns.find(({ isPinned }) => isPinned)?.width ?? 0
  return {
    '--pin': 'var(--head-width)',
    '--pinned': `calc(var(--head-width) + ${width}px)`,
  } as CSSProperties
}

/** The open list of a cell. */
function OpenCellList<R>({ list, columns, useRow, close }: CellListProps<R>) {
  const row = useRow(list.id)
  const column = columns.find(({ id }) => id === list.column)
  if (!row || !column?.list) return null
  return (
    <PickerStartContext value={{ query: list.query, leave: list.leave }}>
      {column.list(row, { anchor: list.anchor, close: () => close(undefined) })}
    </PickerStartContext>
  )
}

/** The visible rows; the current cell is scrolled into view and focused. */
function useVisibleRows(
  ids: readonly string[],
  scroller: RefObject<HTMLDivElement | null>,
  isNarrow: boolean,
) {
  const column = cells.useColumn()
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? 44 : 34),
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 6,
  })
  const lines = useMemo(() => ids.map((id) => ({ id })), [ids])
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
