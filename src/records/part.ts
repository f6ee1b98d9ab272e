import { sql } from 'kysely'
import type { Id } from '../kernel/ids.ts'
import { type Viewer, accessScopeOf } from './access-scope.ts'
import type { PartOf } from './resource-definition.ts'
import type { ItemTable, Row, Scoped, TableName } from './row.ts'

/** Tables without ids of their own whose rows belong to an item: members, assignees, links. */
export interface PartDefinition<T extends TableName> extends PartOf<T> {
  /** The columns that make a row unique. */
  unique: readonly (keyof Row<T> & string)[]
}

export class Part<T extends TableName> {
  readonly table: T
  readonly definition: PartDefinition<T>

  constructor(table: T, definition: PartDefinition<T>) {
    this.table = table
    this.definition = definition
  }

  /** The rows of these items. The ids come from visible rows: external text does not compile. */
  of<I extends ItemTable>(
    viewer: Viewer,
    ids: readonly Id<I>[],
    by: string = this.definition.by,
  ): Scoped<T> {
    const query = accessScopeOf(viewer).all.selectFrom(this.table as TableName) as Scoped<T>
    return query.where(sql.ref(`${this.table}.${by}`), 'in', ids)
  }
}

const parts = new Map<string, Part<TableName>>()

/** Defines a part table. Called once per table, in its module's access.ts. */
export function part<T extends TableName>(table: T, definition: PartDefinition<T>): Part<T> {
  const definedPart = new Part(table, definition)
  parts.set(table, definedPart as unknown as Part<TableName>)
  return definedPart
}

export function findPart(table: string): Part<TableName> | undefined {
  return parts.get(table)
}
