import { IconCheck } from '@tabler/icons-react'
import { useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { RouterLink } from '../../AppLink.tsx'
import { GridCell, GridRow, GridRowHead } from '../grid.ts'
import type { CellEditing } from './cell.ts'
import { CellInput } from './CellInput.tsx'
import { cells, type RowColumn } from './columns.ts'
import { isCharacterKey } from './moves.ts'
import type { RowMoves } from './row-moves.ts'
import {
  pickRangeTo,
  setCursor,
  togglePicked,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from './selection.ts'
import styles from './table.module.css'

export interface RowHead<R> {
  headLabel: string
  head: (row: R) => ReactNode
  /** Address of the row's page. */
  pathOf: (row: R) => string
  pickLabel: (row: R) => string
}

interface RowTableRowProps<R> extends RowHead<R> {
  id: string
  /** Its position in the whole table, for screen readers. */
  index: number
  columns: readonly RowColumn<R>[]
  useRow: (id: string) => R | undefined
  moves: RowMoves
}

export function RowTableRow<R>(props: RowTableRowProps<R>) {
  const { id, index, columns, useRow, moves } = props
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  const isPicked = useIsPicked(id)
  const range = cells.useRange(isCursor || isTabStop)
  const editing = cells.useEditing(id)
  if (row === undefined) return null
  const tabStopColumn = range?.column ?? 'head'
  return (
    <GridRow
      aria-rowindex={index}
      aria-selected={isPicked}
      data-row-id={id}
      data-cursor={isCursor || undefined}
      className={styles.row}
    >
      <HeadCell
        {...props}
        row={row}
        isPicked={isPicked}
        isTabStop={isTabStop && tabStopColumn === 'head'}
      />
      {columns.map((column, columnIndex) => (
        <Cell
          key={column.id}
          id={id}
          row={row}
          column={column}
          columnIndex={columnIndex}
          isTabStop={isTabStop && tabStopColumn === column.id}
          editing={editing?.column === column.id ? editing : undefined}
          moves={moves}
        />
      ))}
    </GridRow>
  )
}

function handleModifierClick(id: string, column: string, event: MouseEvent): boolean {
  if (event.shiftKey) pickRangeTo(id)
  else if (event.ctrlKey || event.metaKey) togglePicked(id)
  else return false
  event.preventDefault()
  cells.setColumn(column)
  return true
}

function focusTableCell(id: string, column: string): void {
  if (cells.isCurrent(id, column)) return
  setCursor(id)
  cells.setColumn(column)
}

interface HeadCellProps<R> extends RowHead<R> {
  id: string
  row: R
  isPicked: boolean
  isTabStop: boolean
}

/** The row header. Here, letters are commands. */
function HeadCell<R>(props: HeadCellProps<R>) {
  const { id, row, isPicked, isTabStop, head, pathOf, pickLabel } = props
  return (
    <GridRowHead
      aria-colindex={1}
      data-column="head"
      tabIndex={isTabStop ? 0 : -1}
      className={styles.head}
      onFocus={() => focusTableCell(id, 'head')}
      onClick={(event) => handleModifierClick(id, 'head', event)}
    >
      <button
        type="button"
        tabIndex={-1}
        className={styles.check}
        aria-label={pickLabel(row)}
        aria-pressed={isPicked}
        onClick={(event) => {
          event.stopPropagation()
          if (event.shiftKey) pickRangeTo(id)
          else togglePicked(id)
        }}
      >
        {isPicked && <IconCheck size={12} stroke={3} aria-hidden />}
      </button>
      <RouterLink to={pathOf(row)} tabIndex={-1} className={styles.key}>
        {head(row)}
      </RouterLink>
    </GridRowHead>
  )
}

interface CellProps<R> {
  id: string
  row: R
  column: RowColumn<R>
  columnIndex: number
  isTabStop: boolean
  editing: CellEditing<string> | undefined
  moves: RowMoves
}

function Cell<R>({ id, row, column, columnIndex, isTabStop, editing, moves }: CellProps<R>) {
  const wasCurrent = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing || !isCharacterKey(event)) return
    if (moves.edit(event.key)) event.preventDefault()
  }
  return (
    <GridCell
      aria-colindex={columnIndex + 2}
      aria-readonly={!column.write && !column.list}
      data-column={column.id}
      data-number={column.isNumber || undefined}
      data-pinned={column.isPinned || undefined}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.cell}
      style={column.isPinned ? { insetInlineStart: 'var(--pin)' } : undefined}
      onFocus={() => focusTableCell(id, column.id)}
      onPointerDown={() => {
        wasCurrent.current = cells.isCurrent(id, column.id)
      }}
      onClick={(event) => {
        if (!handleModifierClick(id, column.id, event) && wasCurrent.current && !editing)
          moves.edit()
      }}
      onKeyDown={onKeyDown}
    >
      {editing ? (
        <CellInput
          text={editing.text}
          label={column.label}
          moves={moves}
          onEnd={(text) => {
            cells.stopEditing()
            if (text !== undefined && text !== column.text(row)) column.write?.(row, text)
          }}
        />
      ) : (
        column.content(row)
      )}
    </GridCell>
  )
}
