import type { Scoped, ItemTable, Row } from '../../records/resource.ts'
import type { Searchable } from './searchable.ts'

export type Narrow = (rows: Scoped<ItemTable>) => Scoped<ItemTable>

export interface VisibleRow {
  searchable: Searchable
  row: Row<ItemTable> & { id: string }
}
