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
const deepest = 4
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
  const [first, ...others] = rows
  return first ? nodeOf(first, others) : {}
}

function nodeOf({ level, title, due, rest }: OutlineRow, after: Rows): Record<string, unknown> {
  const below = after.slice(0, lengthBelow(after, level))
  const subtasks = below.flatMap((row, n) =>
    row.level === level + 1 ? [nodeOf(row, below.slice(n + 1))] : [],
  )
  return {
    ...rest,
    title: title.trim(),
    ...(due !== '' && { due_offset_days: Number(due) }),
    ...(subtasks.length > 0 && { subtasks }),
  }
}

/** Counts the following rows that are below a row of this level. */
function lengthBelow(after: Rows, level: number): number {
  const end = after.findIndex((row) => row.level <= level)
  return end === -1 ? after.length : end
}

/** The index after a row and its subtree. */
const subtreeEndOf = (rows: Rows, at: number) =>
  at + 1 + lengthBelow(rows.slice(at + 1), rows[at]?.level ?? 0)

/** Adds a task after another one, or below it if it already has subtasks. */
export function addRow(rows: Rows, at: number): OutlineRow[] {
  const level = rows[at]?.level ?? 0
  const isAbove = at === 0 || subtreeEndOf(rows, at) > at + 1
  return rows.toSpliced(at + 1, 0, emptyRow(isAbove ? level + 1 : level))
}

/** Removes a task with its subtree; the first one stays. */
export const removeRow = (rows: Rows, at: number): OutlineRow[] =>
  at === 0 ? [...rows] : rows.toSpliced(at, subtreeEndOf(rows, at) - at)

/** Moves a task with its subtree one level deeper (1) or up (-1), if possible. */
export function shiftRow(rows: Rows, at: number, by: 1 | -1): OutlineRow[] {
  const [row, before] = [rows[at], rows[at - 1]]
  if (!row || !before) return [...rows]
  const end = subtreeEndOf(rows, at)
  const moved = rows.slice(at, end)
  const lowest = Math.max(...moved.map(({ level }) => level)) + by
  const level = row.level + by
  const isPossible = by === 1 ? level <= before.level + 1 && lowest <= deepest : level >= 1
  if (!isPossible) return [...rows]
  return rows.toSpliced(
    at,
    end - at,
    ...moved.map((below) => ({ ...below, level: below.level + by })),
  )
}

/** Moves a task with its subtree before (-1) or after (1) its sibling. */
export function moveRow(rows: Rows, at: number, by: 1 | -1): OutlineRow[] {
  const row = rows[at]
  if (!row || at === 0) return [...rows]
  const end = subtreeEndOf(rows, at)
  const other = by === 1 ? end : rows.findLastIndex(({ level }, n) => n < at && level <= row.level)
  if (rows[other]?.level !== row.level) return [...rows]
  const to = by === 1 ? subtreeEndOf(rows, other) - (end - at) : other
  return rows.toSpliced(at, end - at).toSpliced(to, 0, ...rows.slice(at, end))
}
