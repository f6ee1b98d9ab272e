import { isCustom, type TaskField } from '../data/fields.ts'

/** Column contents: a task value that cells can hold, or the author of the last change. */
export type ColumnId = TaskField | ShownOnly

/** A column of a table, as its address and saved views keep it. */
export interface Column {
  id: ColumnId
  /** In pixels; undefined: as wide as such columns usually are. */
  width?: number
  /** Stays visible while the others scroll. */
  isPinned?: boolean
}

/** The columns whose cells only show something. */
type ShownOnly = 'changed' | 'created'
export const isOnlyShown = (id: ColumnId): id is ShownOnly => id === 'changed' || id === 'created'

const minWidth = 48
const maxWidth = 1200
/** Step by which a key changes a column's width, in pixels. */
export const widthStep = 24
const maxColumns = 60

/** Every column but those of custom fields, with its usual width, in the order in which they are offered. */
const defaultWidths: Readonly<Record<Exclude<ColumnId, `c.${string}`>, number>> = {
  title: 320,
  status: 130,
  priority: 110,
  assignees: 160,
  delegate: 160,
  due: 100,
  start: 100,
  labels: 160,
  project: 140,
  sprint: 130,
  milestone: 140,
  estimate: 90,
  points: 70,
  changed: 190,
  created: 110,
}
export const plainColumns = Object.keys(defaultWidths) as Exclude<ColumnId, `c.${string}`>[]

const standardColumns: readonly Column[] = [
  { id: 'title', isPinned: true },
  { id: 'status' },
  { id: 'priority' },
  { id: 'assignees' },
  { id: 'due' },
  { id: 'labels' },
  { id: 'project' },
  { id: 'estimate' },
  { id: 'points' },
  { id: 'changed' },
]

/** The columns of a table that no one has arranged; without the project where there is only one. */
export const defaultColumns = (withProject: boolean): readonly Column[] =>
  withProject ? standardColumns : standardColumns.filter(({ id }) => id !== 'project')

export const widthOf = ({ id, width }: Column): number =>
  width ?? (isCustom(id) ? 140 : defaultWidths[id])

const isColumnId = (id: string): id is ColumnId =>
  (isCustom(id) && id.length > 2) || plainColumns.some((columnId) => columnId === id)

/** Columns as an address says them, such as `title:320p,status:140`: what it says wrongly is left out. */
export function readColumns(input: unknown): readonly Column[] | undefined {
  if (typeof input !== 'string' || input === '') return undefined
  const seen = new Map<string, Column>()
  for (const part of input.split(',').slice(0, maxColumns)) {
    const column = readColumn(part)
    if (column && !seen.has(column.id)) seen.set(column.id, column)
  }
  return seen.size === 0 ? undefined : [...seen.values()]
}

function readColumn(part: string): Column | undefined {
  const parsed = /^([^:]+)(?::(\d{1,4})?(p)?)?$/.exec(part)
  const id = parsed?.[1]?.startsWith('c.') ? decodeColumnId(parsed[1]) : parsed?.[1]
  if (!parsed || id === undefined || !isColumnId(id)) return undefined
  return {
    id,
    ...(parsed[2] === undefined ? {} : { width: withinBounds(Number(parsed[2])) }),
    ...(parsed[3] === undefined ? {} : { isPinned: true }),
  }
}

export const withinBounds = (width: number) =>
  Math.round(Math.min(maxWidth, Math.max(minWidth, width)))

function decodeColumnId(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same as `readColumns` reads it back; empty where no one has arranged them. */
export function printColumns(columns: readonly Column[] | undefined): string {
  return (columns ?? []).map(printColumn).join(',')
}

function printColumn({ id, width, isPinned }: Column): string {
  const name = isCustom(id) ? encodeURIComponent(id) : id
  const how = `${width ?? ''}${isPinned ? 'p' : ''}`
  return how === '' ? name : `${name}:${how}`
}

/** Pinned columns come first, each in the order in which they were. */
export function visibleColumns(columns: readonly Column[]): readonly Column[] {
  return [...columns.filter(({ isPinned }) => isPinned), ...columns.filter((c) => !c.isPinned)]
}

/** The columns with one changed; those that were not arranged before are from then on. */
export function changeColumn(
  columns: readonly Column[],
  id: ColumnId,
  change: Partial<Column>,
): readonly Column[] {
  return columns.map((column) => (column.id === id ? { ...column, ...change } : column))
}

/** Moves a column by steps to the right, or to the left where they are negative, among those that are pinned as it is. */
export function moveColumn(
  columns: readonly Column[],
  id: ColumnId,
  steps: number,
): readonly Column[] {
  const sorted = visibleColumns(columns)
  const at = sorted.findIndex((column) => column.id === id)
  const column = sorted[at]
  const to = at + steps
  if (!column || (sorted[to]?.isPinned ?? false) !== (column.isPinned ?? false)) return columns
  if (!sorted[to]) return columns
  return sorted.toSpliced(at, 1).toSpliced(to, 0, column)
}

/** Shows a column at the end, or hides it; the last one stays. */
export function toggleColumn(columns: readonly Column[], id: ColumnId): readonly Column[] {
  if (!columns.some((column) => column.id === id)) return [...columns, { id }]
  return columns.length === 1 ? columns : columns.filter((column) => column.id !== id)
}
