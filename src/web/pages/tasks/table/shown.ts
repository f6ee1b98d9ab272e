import { useMemo } from 'react'
import { columnLabel } from './labels.ts'
import { customName, isCustom } from '../data/fields.ts'
import { fieldsByName } from '../data/custom-fields.ts'
import { useProjects, type CustomField } from '../data/lists.ts'
import { projectsMeant } from '../filter/filter.ts'
import { useView } from '../list/view.ts'
import {
  visibleColumns,
  isOnlyShown,
  plainColumns,
  defaultColumns,
  widthOf,
  type Column,
  type ColumnId,
} from './columns.ts'

/** Editor of a cell: a list that opens, text in place, or none. */
type Editor = 'list' | 'text' | 'none'

/** A column as rendered. */
export interface ShownColumn {
  id: ColumnId
  label: string
  width: number
  isPinned: boolean
  editor: Editor
  /** Numbers are aligned to the end of their cell. */
  isNumber: boolean
}

const inText: readonly ColumnId[] = ['title', 'estimate', 'points']
const textTypes: readonly CustomField['type'][] = ['text', 'number', 'url']

function editorOf(id: ColumnId, fields: ReadonlyMap<string, CustomField>): Editor {
  if (isOnlyShown(id)) return 'none'
  if (inText.includes(id)) return 'text'
  if (!isCustom(id)) return 'list'
  const field = fields.get(customName(id))
  return field === undefined || textTypes.includes(field.type) ? 'text' : 'list'
}

/** The columns of the view, other available ones, and functions to change them. */
export function useTableColumns() {
  const { view, change } = useView()
  const projects = useProjects()
  const fields = useMemo(() => fieldsByName(projects, projectsMeant(view.filter)), [projects, view])
  const withProject = projectsMeant(view.filter).length !== 1
  const columns = useMemo(
    () => visibleColumns(view.columns ?? defaultColumns(withProject)),
    [view.columns, withProject],
  )
  const tableColumns = useMemo(
    () => columns.map((column) => shownColumn(column, fields)),
    [columns, fields],
  )
  const all = useMemo(
    () => [...plainColumns, ...[...fields.keys()].map((name): ColumnId => `c.${name}`)],
    [fields],
  )
  return {
    columns,
    shown: tableColumns,
    all,
    projects,
    set: (next: readonly Column[]) => {
      if (next !== columns) change({ columns: next })
    },
  }
}

function shownColumn(column: Column, fields: ReadonlyMap<string, CustomField>): ShownColumn {
  const { id, isPinned = false } = column
  return {
    id,
    label: columnLabel(id),
    width: widthOf(column),
    isPinned,
    editor: editorOf(id, fields),
    isNumber:
      id === 'points' ||
      id === 'estimate' ||
      (isCustom(id) && fields.get(customName(id))?.type === 'number'),
  }
}
