import { t } from '../../../texts/index.ts'
import { fieldLabel } from '../data/field-text.ts'
import type { ColumnId } from './columns.ts'

export const columnLabel = (column: ColumnId): string =>
  column === 'changed' || column === 'created' ? t.tasks.table[column] : fieldLabel(column)
