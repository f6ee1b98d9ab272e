import type { Sort } from '../list/view.ts'
import {
  clampWidth,
  changeColumn,
  moveColumn,
  toggleColumn,
  widthOf,
  widthStep,
  type Column,
  type ColumnId,
} from './columns.ts'

export interface ColumnActions {
  resize: (id: ColumnId, width: number) => void
  widen: (id: ColumnId, steps: number) => void
  move: (id: ColumnId, steps: number) => void
  /** Moves a column to the position of another one; it becomes pinned among pinned ones. */
  moveOnto: (id: ColumnId, targetId: ColumnId) => void
  pin: (id: ColumnId) => void
  /** Hides a column, or appends it. */
  toggle: (id: ColumnId) => void
}

export function columnActionsOf(
  columns: readonly Column[],
  setColumns: (columns: readonly Column[]) => void,
): ColumnActions {
  const find = (id: ColumnId) => columns.find((column) => column.id === id)
  const resize = (id: ColumnId, width: number) =>
    setColumns(changeColumn(columns, id, { width: clampWidth(width) }))
  return {
    resize,
    widen: (id, steps) => {
      const column = find(id)
      if (column) resize(id, widthOf(column) + steps * widthStep)
    },
    move: (id, steps) => setColumns(moveColumn(columns, id, steps)),
    moveOnto: (id, targetId) => {
      const [movedColumn, target] = [find(id), find(targetId)]
      if (!movedColumn || !target || id === targetId) return
      const others = columns.filter((column) => column !== movedColumn)
      const isRight = columns.indexOf(movedColumn) < columns.indexOf(target)
      const targetIndex = others.indexOf(target) + (isRight ? 1 : 0)
      setColumns(
        others.toSpliced(targetIndex, 0, { ...movedColumn, isPinned: target.isPinned ?? false }),
      )
    },
    pin: (id) => setColumns(changeColumn(columns, id, { isPinned: !find(id)?.isPinned })),
    toggle: (id) => setColumns(toggleColumn(columns, id)),
  }
}

/** The sort order for a column, if any. */
export const sortOf: Partial<Record<ColumnId, Sort>> = {
  title: 'title',
  priority: 'priority',
  due: 'due',
  changed: 'updated',
  created: 'created',
}
