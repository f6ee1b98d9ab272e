import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { memo, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { CellInput } from '../../../ui/work/table/CellInput.tsx'
import { isWriting } from '../../../ui/work/table/moves.ts'
import { GridCell, GridRow, GridRowHead } from '../../../ui/work/grid.ts'
import { useRefusals } from '../data/refusals.ts'
import { useRow, type TaskRow as Row } from '../data/rows.ts'
import {
  pickTo,
  setCursor,
  togglePicked,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import { rowMenuOf } from '../menu/open.ts'
import { CellContent } from './CellContent.tsx'
import {
  isAt,
  setColumn,
  stopEditing,
  useColumnOf,
  useEditing,
  type CellColumn,
  type Editing,
} from './cell.ts'
import { isOnlyShown } from './columns.ts'
import type { TableMoves } from './moves.ts'
import type { ShownColumn } from './shown.ts'
import styles from '../../../ui/work/table/table.module.css'

interface TableRowProps {
  id: string
  /** Its position in the whole table, for screen readers. */
  index: number
  columns: readonly ShownColumn[]
  moves: TableMoves
}

/** A task as a row of cells. */
export const TableRow = memo(function TableRow({ id, index, columns, moves }: TableRowProps) {
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  const isPicked = useIsPicked(id)
  const at = useColumnOf(isCursor || isTabStop || isPicked)
  const editing = useEditing(id)
  const refusals = useRefusals(id)
  if (!row) return null
  const [first, last] = isPicked || at?.column !== at?.from ? endsOf(columns, at) : nothing
  const stop = columns.some((column) => column.id === at?.column) ? at?.column : 'head'
  return (
    <GridRow
      aria-rowindex={index}
      aria-selected={isPicked}
      data-task={id}
      data-cursor={isCursor || undefined}
      className={styles.row}
      onContextMenu={(event) => rowMenuOf(id, event)}
    >
      <HeadCell row={row} isPicked={isPicked} isStop={isTabStop && stop === 'head'} />
      {columns.map((column, n) => (
        <Cell
          key={column.id}
          row={row}
          column={column}
          place={n}
          isStop={isTabStop && stop === column.id}
          isMarked={n >= first && n <= last}
          editing={editing?.column === column.id ? editing : undefined}
          refusal={isOnlyShown(column.id) ? undefined : refusals.get(column.id)}
          moves={moves}
        />
      ))}
    </GridRow>
  )
})

const nothing = [0, -1] as const

/** The first and last column of a range. */
function endsOf(
  columns: readonly ShownColumn[],
  at: { column: CellColumn; from: CellColumn } | undefined,
): readonly [first: number, last: number] {
  if (!at || at.column === 'head') return nothing
  const ends = [at.from, at.column].map((id) => columns.findIndex((column) => column.id === id))
  return [Math.min(...ends), Math.max(...ends)]
}

function clicked(id: string, column: CellColumn, event: MouseEvent): boolean {
  if (event.shiftKey) pickTo(id)
  else if (event.ctrlKey || event.metaKey) togglePicked(id)
  else return false
  event.preventDefault()
  setColumn(column)
  return true
}

function focusTaskCell(id: string, column: CellColumn): void {
  if (isAt(id, column)) return
  setCursor(id)
  setColumn(column)
}

interface HeadCellProps {
  row: Row
  isPicked: boolean
  isStop: boolean
}

/** The row header with the key. Here, letters are commands. */
function HeadCell({ row, isPicked, isStop }: HeadCellProps) {
  return (
    <GridRowHead
      aria-colindex={1}
      data-column="head"
      tabIndex={isStop ? 0 : -1}
      className={styles.head}
      onFocus={() => focusTaskCell(row.id, 'head')}
      onClick={(event) => clicked(row.id, 'head', event)}
    >
      <button
        type="button"
        tabIndex={-1}
        className={styles.check}
        aria-label={t.tasks.pickTask(row.key)}
        aria-pressed={isPicked}
        onClick={(event) => {
          event.stopPropagation()
          if (event.shiftKey) pickTo(row.id)
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
  column: ShownColumn
  place: number
  isStop: boolean
  isMarked: boolean
  editing: Editing | undefined
  refusal: string | undefined
  moves: TableMoves
}

function Cell({ row, column, place, isStop, isMarked, editing, refusal, moves }: CellProps) {
  const { id } = column
  const wasHere = useRef(false)
  const typed = (event: KeyboardEvent) => {
    if (editing || !isWriting(event)) return
    if (moves.edit(event.key)) event.preventDefault()
  }
  return (
    <GridCell
      aria-colindex={place + 2}
      aria-readonly={column.editor === 'none'}
      aria-invalid={refusal === undefined ? undefined : true}
      data-column={id}
      data-anchor={id === 'title' || undefined}
      data-pinned={column.isPinned || undefined}
      data-number={column.isNumber || undefined}
      data-marked={isMarked || undefined}
      tabIndex={isStop ? 0 : -1}
      className={styles.cell}
      style={column.isPinned ? { insetInlineStart: `var(--pin-${place})` } : undefined}
      onFocus={() => focusTaskCell(row.id, id)}
      onPointerDown={() => {
        wasHere.current = isAt(row.id, id)
      }}
      onClick={(event) => {
        if (!clicked(row.id, id, event) && wasHere.current && !editing) moves.edit()
      }}
      onKeyDown={typed}
    >
      {editing ? (
        <CellInput
          text={editing.text}
          label={column.label}
          moves={moves}
          end={(text) => {
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
          {isStop ? (
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
