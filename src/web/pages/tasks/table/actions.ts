import type { Sort } from '../list/view.ts'
import {
  withinBounds,
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
  place: (id: ColumnId, at: ColumnId) => void
  pin: (id: ColumnId) => void
  /** Hides a column, or appends it. */
  toggle: (id: ColumnId) => void
}

export function columnActionsOf(
  columns: readonly Column[],
  set: (columns: readonly Column[]) => void,
): ColumnActions {
  const find = (id: ColumnId) => columns.find((column) => column.id === id)
  const resize = (id: ColumnId, width: number) =>
    set(changeColumn(columns, id, { width: withinBounds(width) }))
  return {
    resize,
    widen: (id, steps) => {
      const column = find(id)
      if (column) resize(id, widthOf(column) + steps * widthStep)
    },
    move: (id, steps) => set(moveColumn(columns, id, steps)),
    place: (id, at) => {
      const [moved, target] = [find(id), find(at)]
      if (!moved || !target || id === at) return
      const others = columns.filter((column) => column !== moved)
      const isRight = columns.indexOf(moved) < columns.indexOf(target)
      const to = others.indexOf(target) + (isRight ? 1 : 0)
      set(others.toSpliced(to, 0, { ...moved, isPinned: target.isPinned ?? false }))
    },
    pin: (id) => set(changeColumn(columns, id, { isPinned: !find(id)?.isPinned })),
    toggle: (id) => set(toggleColumn(columns, id)),
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
