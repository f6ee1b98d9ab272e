import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { memo, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { CellInput } from '../../../ui/work/table/CellInput.tsx'
import { isCharacterKey } from '../../../ui/work/table/moves.ts'
import { GridCell, GridRow, GridRowHead } from '../../../ui/work/grid.ts'
import { useRefusals } from '../data/refusals.ts'
import { useRow, type TaskRow as Row } from '../data/rows.ts'
import {
  pickRangeTo,
  setCursor,
  togglePicked,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import { openRowMenuFor } from '../menu/open.ts'
import { CellContent } from './CellContent.tsx'
import {
  isCurrentCell,
  setColumn,
  stopEditing,
  useCellRange,
  useEditing,
  type CellColumn,
  type Editing,
} from './cell.ts'
import { isReadOnlyColumn } from './columns.ts'
import type { TableMoves } from './moves.ts'
import type { TableColumn } from './shown.ts'
import styles from '../../../ui/work/table/table.module.css'

interface TableRowProps {
  id: string
  /** Its position in the whole table, for screen readers. */
  index: number
  columns: readonly TableColumn[]
  moves: TableMoves
}

/** A task as a row of cells. */
export const TableRow = memo(function TableRow({ id, index, columns, moves }: TableRowProps) {
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  const isPicked = useIsPicked(id)
  const range = useCellRange(isCursor || isTabStop || isPicked)
  const editing = useEditing(id)
  const refusals = useRefusals(id)
  if (!row) return null
  const [firstIndex, lastIndex] =
    isPicked || range?.column !== range?.startColumn ? rangeBounds(columns, range) : emptyRange
  const tabStopColumn = columns.some((column) => column.id === range?.column)
    ? range?.column
    : 'head'
  return (
    <GridRow
      aria-rowindex={index}
      aria-selected={isPicked}
      data-task={id}
      data-cursor={isCursor || undefined}
      className={styles.row}
      onContextMenu={(event) => openRowMenuFor(id, event)}
    >
      <HeadCell row={row} isPicked={isPicked} isTabStop={isTabStop && tabStopColumn === 'head'} />
      {columns.map((column, columnIndex) => (
        <Cell
          key={column.id}
          row={row}
          column={column}
          columnIndex={columnIndex}
          isTabStop={isTabStop && tabStopColumn === column.id}
          isMarked={columnIndex >= firstIndex && columnIndex <= lastIndex}
          editing={editing?.column === column.id ? editing : undefined}
          refusal={isReadOnlyColumn(column.id) ? undefined : refusals.get(column.id)}
          moves={moves}
        />
      ))}
    </GridRow>
  )
})

const emptyRange = [0, -1] as const

/** The first and last column of a range. */
function rangeBounds(
  columns: readonly TableColumn[],
  range: { column: CellColumn; startColumn: CellColumn } | undefined,
): readonly [first: number, last: number] {
  if (!range || range.column === 'head') return emptyRange
  const indexes = [range.startColumn, range.column].map((id) =>
    columns.findIndex((column) => column.id === id),
  )
  return [Math.min(...indexes), Math.max(...indexes)]
}

function handleModifierClick(id: string, column: CellColumn, event: MouseEvent): boolean {
  if (event.shiftKey) pickRangeTo(id)
  else if (event.ctrlKey || event.metaKey) togglePicked(id)
  else return false
  event.preventDefault()
  setColumn(column)
  return true
}

function focusTaskCell(id: string, column: CellColumn): void {
  if (isCurrentCell(id, column)) return
  setCursor(id)
  setColumn(column)
}

interface HeadCellProps {
  row: Row
  isPicked: boolean
  isTabStop: boolean
}

/** The row header with the key. Here, letters are commands. */
function HeadCell({ row, isPicked, isTabStop }: HeadCellProps) {
  return (
    <GridRowHead
      aria-colindex={1}
      data-column="head"
      tabIndex={isTabStop ? 0 : -1}
      className={styles.head}
      onFocus={() => focusTaskCell(row.id, 'head')}
      onClick={(event) => handleModifierClick(row.id, 'head', event)}
    >
      <button
        type="button"
        tabIndex={-1}
        className={styles.check}
        aria-label={t.tasks.pickTask(row.key)}
        aria-pressed={isPicked}
        onClick={(event) => {
          event.stopPropagation()
          if (event.shiftKey) pickRangeTo(row.id)
          else togglePicked(row.id)
        }}
      >
        {isPicked && <IconCheck size={12} stroke={3} aria-hidden />}
      </button>
      <RouterLink to={`/tasks/${row.key}`} tabIndex={-1} className={styles.key}>
        {row.key}
      </RouterLink>
    </GridRowHead>
  )
}

interface CellProps {
  row: Row
  column: TableColumn
  columnIndex: number
  isTabStop: boolean
  isMarked: boolean
  editing: Editing | undefined
  refusal: string | undefined
  moves: TableMoves
}

function Cell({
  row,
  column,
  columnIndex,
  isTabStop,
  isMarked,
  editing,
  refusal,
  moves,
}: CellProps) {
  const { id } = column
  const wasCurrent = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing || !isCharacterKey(event)) return
    if (moves.edit(event.key)) event.preventDefault()
  }
  return (
    <GridCell
      aria-colindex={columnIndex + 2}
      aria-readonly={column.editor === 'none'}
      aria-invalid={refusal === undefined ? undefined : true}
      data-column={id}
      data-anchor={id === 'title' || undefined}
      data-pinned={column.isPinned || undefined}
      data-number={column.isNumber || undefined}
      data-marked={isMarked || undefined}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.cell}
      style={column.isPinned ? { insetInlineStart: `var(--pin-${columnIndex})` } : undefined}
      onFocus={() => focusTaskCell(row.id, id)}
      onPointerDown={() => {
        wasCurrent.current = isCurrentCell(row.id, id)
      }}
      onClick={(event) => {
        if (!handleModifierClick(row.id, id, event) && wasCurrent.current && !editing) moves.edit()
      }}
      onKeyDown={onKeyDown}
    >
      {editing ? (
        <CellInput
          text={editing.text}
          label={column.label}
          moves={moves}
          onEnd={(text) => {
            stopEditing()
            if (text !== undefined) moves.write({ row, column: editing.column, text })
          }}
        />
      ) : (
        <CellContent row={row} column={id} />
      )}
      {refusal !== undefined && (
        <>
          <IconAlertTriangle size={14} className={styles.refused} aria-hidden />
          {isTabStop ? (
            <span role="alert" className={styles.refusal}>
              {refusal}
            </span>
          ) : (
            <span className={styles.hidden}>{refusal}</span>
          )}
        </>
      )}
    </GridCell>
  )
}
