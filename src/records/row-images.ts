import { findPart } from './part.ts'
import { resourceOf } from './resource.ts'
import type { Values } from './row.ts'

/** One row before and after, for undo. A change holds only the changed columns; a removal the whole row. */
export interface Image {
  table: string
  op: 'add' | 'change' | 'remove'
  key: Values
  before?: Values
  after?: Values
}

export interface FieldChange {
  field: string
  from: unknown
  to: unknown
}

/** All changes of one item in one call. */
export interface ItemChange {
  op: 'created' | 'updated' | 'deleted' | 'restored' | 'access_gained' | 'access_lost'
  item_type: string
  item_id: string
  project_id: string | null
  for_person_id: string | null
  events: Set<string>
  fields: FieldChange[]
  images: Image[]
}

/** Columns common to all rows, or only for sorting and caching: changes to them are not reported. */
const silent = new Set([
  'id',
  'org_id',
  'revision',
  'created_at',
  'updated_at',
  'created_by',
  'created_via',
  'trust',
  'added_at',
  'deleted_at',
  'deleted_by',
  'deleted_with',
])
const longText = 200

export function blank(op: ItemChange['op'], type: string, id: string): ItemChange {
  return {
    op,
    item_type: type,
    item_id: id,
    project_id: null,
    for_person_id: null,
    events: new Set(),
    fields: [],
    images: [],
  }
}

export function differences(row: Values, patch: Values): Values {
  return Object.fromEntries(
    Object.entries(patch).filter(([column, value]) => value !== undefined && row[column] !== value),
  )
}

function isErased(table: string): boolean {
  return !findPart(table) && resourceOf(table).definition.hardDelete === true
}

export function imageOf(
  table: string,
  key: Values,
  before: Values | undefined,
  after: Values | undefined,
): Image {
  if (!before) return { table, op: 'add', key }
  if (!after)
    return isErased(table) ? { table, op: 'remove', key } : { table, op: 'remove', key, before }
  const columns = Object.keys(after).filter(
    (column) =>
      before[column] !== after[column] && column !== 'revision' && column !== 'updated_at',
  )
  const pick = (row: Values) => Object.fromEntries(columns.map((column) => [column, row[column]]))
  return { table, op: 'change', key, before: pick(before), after: pick(after) }
}

/** Columns that visitors never see; deletion is visible through absence. */
const stamps = new Set(['revision', 'updated_at', 'deleted_by', 'deleted_with'])

export function isSameOutside(before: Values, after: Values, unseen: readonly string[]): boolean {
  return Object.keys(after).every(
    (column) => before[column] === after[column] || stamps.has(column) || unseen.includes(column),
  )
}

export function fieldChanges(
  before: Values,
  after: Values,
  quiet: readonly string[] = [],
): FieldChange[] {
  return Object.keys(after)
    .filter(
      (column) =>
        before[column] !== after[column] && !silent.has(column) && !quiet.includes(column),
    )
    .map((column) => ({
      field: fieldName(column),
      from: brief(before[column]),
      to: brief(after[column]),
    }))
}

function fieldName(column: string): string {
  return column.replace(/_json$/, '')
}

/** Shortens a long text to its beginning, for activity. */
function brief(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longText) return value ?? null
  return `${value.slice(0, longText)}…`
}
