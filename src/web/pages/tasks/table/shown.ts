import { useMemo } from 'react'
import { columnLabel } from './labels.ts'
import { customName, isCustom } from '../data/fields.ts'
import { fieldsByName } from '../data/custom-fields.ts'
import { useProjects, type CustomField } from '../data/lists.ts'
import { includedProjects } from '../filter/filter.ts'
import { useView } from '../list/view.ts'
import {
  visibleColumns,
  isReadOnlyColumn,
  builtInColumns,
  defaultColumns,
  widthOf,
  type Column,
  type ColumnId,
} from './columns.ts'

/** Editor of a cell: a list that opens, text in place, or none. */
type Editor = 'list' | 'text' | 'none'

/** A column as rendered. */
export interface TableColumn {
  id: ColumnId
  label: string
  width: number
  isPinned: boolean
  editor: Editor
  /** Numbers are aligned to the end of their cell. */
  isNumber: boolean
}

const textColumns: readonly ColumnId[] = ['title', 'estimate', 'points']
const textTypes: readonly CustomField['type'][] = ['text', 'number', 'url']

function editorOf(id: ColumnId, fields: ReadonlyMap<string, CustomField>): Editor {
  if (isReadOnlyColumn(id)) return 'none'
  if (textColumns.includes(id)) return 'text'
  if (!isCustom(id)) return 'list'
  const field = fields.get(customName(id))
  return field === undefined || textTypes.includes(field.type) ? 'text' : 'list'
}

/** The columns of the view, other available ones, and functions to change them. */
export function useTableColumns() {
  const { view, change } = useView()
  const projects = useProjects()
  const fields = useMemo(
    () => fieldsByName(projects, includedProjects(view.filter)),
    [projects, view],
  )
  const withProject = includedProjects(view.filter).length !== 1
  const columns = useMemo(
    () => visibleColumns(view.columns ?? defaultColumns(withProject)),
    [view.columns, withProject],
  )
  const tableColumns = useMemo(
    () => columns.map((column) => toTableColumn(column, fields)),
    [columns, fields],
  )
  const allColumns = useMemo(
    () => [...builtInColumns, ...[...fields.keys()].map((name): ColumnId => `c.${name}`)],
    [fields],
  )
  return {
    columns,
    visibleColumns: tableColumns,
    all: allColumns,
    projects,
    setColumns: (newColumns: readonly Column[]) => {
      if (newColumns !== columns) change({ columns: newColumns })
    },
  }
}

function toTableColumn(column: Column, fields: ReadonlyMap<string, CustomField>): TableColumn {
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
