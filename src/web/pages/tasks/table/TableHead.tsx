import { Box } from '@mantine/core'
import { useRef, useState, type DragEvent, type PointerEvent, type RefObject } from 'react'
import { t } from '../../../texts/index.ts'
import { GridColumnHead, GridRow } from '../../../ui/work/grid.ts'
import { sortOf, type ColumnActions } from './actions.ts'
import { clampWidth, type ColumnId } from './columns.ts'
import type { TableColumn } from './shown.ts'
import styles from '../../../ui/work/table/table.module.css'
import { useView } from '../list/view.ts'

interface TableHeadProps {
  columns: readonly TableColumn[]
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
      {columns.map((column, index) => (
        <ColumnHead
          key={column.id}
          column={column}
          index={index}
          actions={actions}
          openMenu={openMenu}
          previewWidth={(width) =>
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
  column: TableColumn
  index: number
  actions: ColumnActions
  openMenu: (id: ColumnId, anchor: Element) => void
  previewWidth: (width: number) => void
}

function ColumnHead({ column, index, actions, openMenu, previewWidth }: ColumnHeadProps) {
  const { view } = useView()
  const [isOver, setOver] = useState(false)
  const { id, label } = column
  const isSorted = sortOf[id] !== undefined && sortOf[id] === view.sort
  const onDrop = (event: DragEvent) => {
    setOver(false)
    const movedId = event.dataTransfer.getData(dragType)
    if (movedId !== '') actions.moveOnto(movedId as ColumnId, id)
  }
  return (
    <GridColumnHead
      aria-colindex={index + 2}
      aria-sort={isSorted ? sortDirection(id) : undefined}
      data-head={id}
      data-pinned={column.isPinned || undefined}
      data-number={column.isNumber || undefined}
      data-over={isOver || undefined}
      className={styles.columnHead}
      style={column.isPinned ? { insetInlineStart: `var(--pin-${index})` } : undefined}
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
      onDrop={onDrop}
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
      <ResizeHandle column={column} actions={actions} previewWidth={previewWidth} />
    </GridColumnHead>
  )
}

const sortDirection = (id: ColumnId) =>
  id === 'changed' || id === 'created' ? 'descending' : 'ascending'

type EdgeProps = Pick<ColumnHeadProps, 'column' | 'actions' | 'previewWidth'>

/** Resizes the column by dragging; by keyboard, a column command does that. */
function ResizeHandle({ column, actions, previewWidth }: EdgeProps) {
  const resizeStart = useRef<{ startX: number; width: number }>(undefined)
  const widthAt = (event: PointerEvent) =>
    clampWidth(
      (resizeStart.current?.width ?? 0) + event.clientX - (resizeStart.current?.startX ?? 0),
    )
  return (
    <Box
      component="span"
      className={styles.edge}
      data-edge={column.id}
      title={t.tasks.table.resize(column.label)}
      onMouseDown={(event) => event.preventDefault()} // otherwise the column would be dragged
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        resizeStart.current = { startX: event.clientX, width: column.width }
      }}
      onPointerMove={(event) => {
        if (resizeStart.current) previewWidth(widthAt(event))
      }}
      onPointerUp={(event) => {
        if (!resizeStart.current) return
        actions.resize(column.id, widthAt(event))
        resizeStart.current = undefined
      }}
      onPointerCancel={() => {
        if (resizeStart.current) previewWidth(column.width)
        resizeStart.current = undefined
      }}
    />
  )
}
