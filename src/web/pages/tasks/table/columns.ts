import { isCustom, type TaskField } from '../data/fields.ts'

/** Column contents: a task value that cells can hold, or the author of the last change. */
export type ColumnId = TaskField | ReadOnlyColumn

/** A column of a table, as stored in addresses and saved views. */
export interface Column {
  id: ColumnId
  /** In pixels; undefined: the default width. */
  width?: number
  /** Stays visible while the others scroll. */
  isPinned?: boolean
}

/** Read-only columns. */
type ReadOnlyColumn = 'changed' | 'created'
export const isReadOnlyColumn = (id: ColumnId): id is ReadOnlyColumn =>
  id === 'changed' || id === 'created'

const minWidth = 48
const maxWidth = 1200
/** Step by which a key changes a column's width, in pixels. */
export const widthStep = 24
const maxColumns = 60

/** Every column except custom fields, with its default width, in the order in which they are offered. */
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
export const builtInColumns = Object.keys(defaultWidths) as Exclude<ColumnId, `c.${string}`>[]

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

/** Default columns of a table; without the project if there is only one. */
export const defaultColumns = (withProject: boolean): readonly Column[] =>
  withProject ? standardColumns : standardColumns.filter(({ id }) => id !== 'project')

export const widthOf = ({ id, width }: Column): number =>
  width ?? (isCustom(id) ? 140 : defaultWidths[id])

const isColumnId = (id: string): id is ColumnId =>
  (isCustom(id) && id.length > 2) || builtInColumns.some((columnId) => columnId === id)

/** Columns in an address, such as `title:320p,status:140`; invalid ones are ignored. */
export function readColumns(input: unknown): readonly Column[] | undefined {
  if (typeof input !== 'string' || input === '') return undefined
  const columnsById = new Map<string, Column>()
  for (const part of input.split(',').slice(0, maxColumns)) {
    const column = readColumn(part)
    if (column && !columnsById.has(column.id)) columnsById.set(column.id, column)
  }
  return columnsById.size === 0 ? undefined : [...columnsById.values()]
}

function readColumn(part: string): Column | undefined {
  const parsed = /^([^:]+)(?::(\d{1,4})?(p)?)?$/.exec(part)
  const id = parsed?.[1]?.startsWith('c.') ? decodeColumnId(parsed[1]) : parsed?.[1]
  if (!parsed || id === undefined || !isColumnId(id)) return undefined
  return {
    id,
    ...(parsed[2] === undefined ? {} : { width: clampWidth(Number(parsed[2])) }),
    ...(parsed[3] === undefined ? {} : { isPinned: true }),
  }
}

export const clampWidth = (width: number) =>
  Math.round(Math.min(maxWidth, Math.max(minWidth, width)))

function decodeColumnId(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Formats columns for `readColumns`; empty for the defaults. */
export function printColumns(columns: readonly Column[] | undefined): string {
  return (columns ?? []).map(printColumn).join(',')
}

function printColumn({ id, width, isPinned }: Column): string {
  const name = isCustom(id) ? encodeURIComponent(id) : id
  const suffix = `${width ?? ''}${isPinned ? 'p' : ''}`
  return suffix === '' ? name : `${name}:${suffix}`
}

/** The columns with pinned ones first, otherwise in order. */
export function visibleColumns(columns: readonly Column[]): readonly Column[] {
  return [...columns.filter(({ isPinned }) => isPinned), ...columns.filter((c) => !c.isPinned)]
}

/** Changes one column; stores the columns explicitly from then on. */
export function changeColumn(
  columns: readonly Column[],
  id: ColumnId,
  change: Partial<Column>,
): readonly Column[] {
  return columns.map((column) => (column.id === id ? { ...column, ...change } : column))
}

/** Moves a column by a number of steps to the right, or to the left if negative, within the pinned or unpinned ones. */
export function moveColumn(
  columns: readonly Column[],
  id: ColumnId,
  steps: number,
): readonly Column[] {
  const sorted = visibleColumns(columns)
  const index = sorted.findIndex((column) => column.id === id)
  const column = sorted[index]
  const targetIndex = index + steps
  if (!column || (sorted[targetIndex]?.isPinned ?? false) !== (column.isPinned ?? false))
    return columns
  if (!sorted[targetIndex]) return columns
  return sorted.toSpliced(index, 1).toSpliced(targetIndex, 0, column)
}

/** Appends a column, or hides it; the last one stays. */
export function toggleColumn(columns: readonly Column[], id: ColumnId): readonly Column[] {
  if (!columns.some((column) => column.id === id)) return [...columns, { id }]
  return columns.length === 1 ? columns : columns.filter((column) => column.id !== id)
}
