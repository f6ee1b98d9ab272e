import { Box } from '@mantine/core'
import { useRef, useState, type DragEvent, type PointerEvent, type RefObject } from 'react'
import { t } from '../../../texts/index.ts'
import { GridColumnHead, GridRow } from '../../../ui/work/grid.ts'
import { sortOf, type ColumnActions } from './actions.ts'
import { withinBounds, type ColumnId } from './columns.ts'
import type { ShownColumn } from './shown.ts'
import styles from '../../../ui/work/table/table.module.css'
import { useView } from '../list/view.ts'

interface TableHeadProps {
  columns: readonly ShownColumn[]
  actions: ColumnActions
  /** The element whose grid columns change during a resize. */
  grid: RefObject<HTMLDivElement | null>
  openMenu: (id: ColumnId, anchor: Element) => void
}

const dragType = 'text/x-workspace-column'

/** The column headers: dragged to reorder, and at their edges to resize. */
export function TableHead({ columns, actions, grid, openMenu }: TableHeadProps) {
  return (
    <GridRow aria-rowindex={1} className={styles.heads}>
      <GridColumnHead aria-colindex={1} className={styles.headOfHeads}>
        {t.tasks.table.key}
      </GridColumnHead>
      {columns.map((column, n) => (
        <ColumnHead
          key={column.id}
          column={column}
          place={n}
          actions={actions}
          openMenu={openMenu}
          preview={(width) =>
            grid.current?.style.setProperty(
              '--columns',
              trackList(columns.map((other) => (other === column ? { width } : other))),
            )
          }
        />
      ))}
    </GridRow>
  )
}

/** Maximum column width on a phone. */
const narrowWidth = 200

/** The column widths as a CSS value. */
export function trackList(columns: readonly { width: number }[], isNarrow = false): string {
  const maxWidth = isNarrow ? narrowWidth : Infinity
  return `var(--head-width) ${columns.map(({ width }) => `${Math.min(width, maxWidth)}px`).join(' ')}`
}

interface ColumnHeadProps {
  column: ShownColumn
  place: number
  actions: ColumnActions
  openMenu: (id: ColumnId, anchor: Element) => void
  preview: (width: number) => void
}

function ColumnHead({ column, place, actions, openMenu, preview }: ColumnHeadProps) {
  const { view } = useView()
  const [isOver, setOver] = useState(false)
  const { id, label } = column
  const isSorted = sortOf[id] !== undefined && sortOf[id] === view.sort
  const dropped = (event: DragEvent) => {
    setOver(false)
    const moved = event.dataTransfer.getData(dragType)
    if (moved !== '') actions.place(moved as ColumnId, id)
  }
  return (
    <GridColumnHead
      aria-colindex={place + 2}
      aria-sort={isSorted ? sortDirection(id) : undefined}
      data-head={id}
      data-pinned={column.isPinned || undefined}
      data-number={column.isNumber || undefined}
      data-over={isOver || undefined}
      className={styles.columnHead}
      style={column.isPinned ? { insetInlineStart: `var(--pin-${place})` } : undefined}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, id)
        event.dataTransfer.effectAllowed = 'move'
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <button
        type="button"
        tabIndex={-1}
        className={styles.columnName}
        aria-haspopup="dialog"
        title={label}
        onClick={(event) => openMenu(id, event.currentTarget)}
      >
        <span dir="auto">{label}</span>
      </button>
      <Edge column={column} actions={actions} preview={preview} />
    </GridColumnHead>
  )
}

const sortDirection = (id: ColumnId) =>
  id === 'changed' || id === 'created' ? 'descending' : 'ascending'

type EdgeProps = Pick<ColumnHeadProps, 'column' | 'actions' | 'preview'>

/** Resizes the column by dragging; by keyboard, a column command does that. */
function Edge({ column, actions, preview }: EdgeProps) {
  const drag = useRef<{ from: number; width: number }>(undefined)
  const widthAt = (event: PointerEvent) =>
    withinBounds((drag.current?.width ?? 0) + event.clientX - (drag.current?.from ?? 0))
  return (
    <Box
      component="span"
      className={styles.edge}
      data-edge={column.id}
      title={t.tasks.table.resize(column.label)}
      onMouseDown={(event) => event.preventDefault()} // else the column is dragged
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { from: event.clientX, width: column.width }
      }}
      onPointerMove={(event) => {
        if (drag.current) preview(widthAt(event))
      }}
      onPointerUp={(event) => {
        if (!drag.current) return
        actions.resize(column.id, widthAt(event))
        drag.current = undefined
      }}
      onPointerCancel={() => {
        if (drag.current) preview(column.width)
        drag.current = undefined
      }}
    />
  )
}
