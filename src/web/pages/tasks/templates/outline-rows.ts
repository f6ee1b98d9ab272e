import { readOutlineTask } from './outline.ts'

/** A template task in a flat list, followed by its subtasks. */
export interface OutlineRow {
  /** Identifies the row during editing. */
  id: number
  /** Depth below the first task, which is at 0. */
  level: number
  title: string
  /** Days after the start day, as typed; '': none. */
  due: string
  /** Further fields, such as labels, kept unchanged. */
  rest: Record<string, unknown>
}

type Rows = readonly OutlineRow[]

/** Maximum depth of a task below the first. */
const maxLevel = 4
let count = 0

const emptyRow = (level: number): OutlineRow => ({
  ...{ id: ++count, level, title: '', due: '' },
  rest: {},
})

/** The tasks of an outline from the server. */
export function outlineRows(outline: unknown, level = 0): OutlineRow[] {
  const { title, dueOffset, subtasks, rest } = readOutlineTask(outline)
  const row = {
    id: ++count,
    level,
    title,
    due: dueOffset === undefined ? '' : String(dueOffset),
    rest,
  }
  return [row, ...subtasks.flatMap((subtask) => outlineRows(subtask, level + 1))]
}

/** The outline for rows, in the server's format. */
export function outlineOf(rows: Rows): Record<string, unknown> {
  const [firstRow, ...others] = rows
  return firstRow ? nodeOf(firstRow, others) : {}
}

function nodeOf({ level, title, due, rest }: OutlineRow, following: Rows): Record<string, unknown> {
  const descendants = following.slice(0, countDescendants(following, level))
  const subtasks = descendants.flatMap((row, index) =>
    row.level === level + 1 ? [nodeOf(row, descendants.slice(index + 1))] : [],
  )
  return {
    ...rest,
    title: title.trim(),
    ...(due !== '' && { due_offset_days: Number(due) }),
    ...(subtasks.length > 0 && { subtasks }),
  }
}

/** Counts the following rows that are below a row of this level. */
function countDescendants(following: Rows, level: number): number {
  const end = following.findIndex((row) => row.level <= level)
  return end === -1 ? following.length : end
}

/** The index after a row and its subtree. */
const subtreeEndOf = (rows: Rows, index: number) =>
  index + 1 + countDescendants(rows.slice(index + 1), rows[index]?.level ?? 0)

/** Adds a task after another one, or below it if it already has subtasks. */
export function addRow(rows: Rows, index: number): OutlineRow[] {
  const level = rows[index]?.level ?? 0
  const hasSubtasks = index === 0 || subtreeEndOf(rows, index) > index + 1
  return rows.toSpliced(index + 1, 0, emptyRow(hasSubtasks ? level + 1 : level))
}

/** Removes a task with its subtree; the first one stays. */
export const removeRow = (rows: Rows, index: number): OutlineRow[] =>
  index === 0 ? [...rows] : rows.toSpliced(index, subtreeEndOf(rows, index) - index)

/** Moves a task with its subtree one level deeper (1) or up (-1), if possible. */
export function shiftRow(rows: Rows, index: number, step: 1 | -1): OutlineRow[] {
  const [row, previous] = [rows[index], rows[index - 1]]
  if (!row || !previous) return [...rows]
  const end = subtreeEndOf(rows, index)
  const subtree = rows.slice(index, end)
  const deepestLevel = Math.max(...subtree.map(({ level }) => level)) + step
  const level = row.level + step
  const isPossible =
    step === 1 ? level <= previous.level + 1 && deepestLevel <= maxLevel : level >= 1
  if (!isPossible) return [...rows]
  return rows.toSpliced(
    index,
    end - index,
    ...subtree.map((subtreeRow) => ({ ...subtreeRow, level: subtreeRow.level + step })),
  )
}

/** Moves a task with its subtree before (-1) or after (1) its sibling. */
export function moveRow(rows: Rows, index: number, step: 1 | -1): OutlineRow[] {
  const row = rows[index]
  if (!row || index === 0) return [...rows]
  const end = subtreeEndOf(rows, index)
  const siblingIndex =
    step === 1
      ? end
      : rows.findLastIndex(({ level }, rowIndex) => rowIndex < index && level <= row.level)
  if (rows[siblingIndex]?.level !== row.level) return [...rows]
  const targetIndex = step === 1 ? subtreeEndOf(rows, siblingIndex) - (end - index) : siblingIndex
  return rows.toSpliced(index, end - index).toSpliced(targetIndex, 0, ...rows.slice(index, end))
}
