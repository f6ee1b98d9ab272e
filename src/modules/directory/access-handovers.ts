import { sql, type SqlBool } from 'kysely'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { resourceOf, type ItemTable, type Row } from '../../records/resource.ts'
import { anyRows } from '../../records/row.ts'
import type { HeldItem } from './handovers.ts'

/**
 * Rows of the organization with a person in a column, whether or not the caller sees them, without those in the trash. Only a hand-over by
 * administrators or the person reads them: it names those alone that the caller sees.
 */
export async function rowsHeld<T extends ItemTable>(
  viewer: Viewer,
  table: T,
  { column, person }: { column: string; person: Row<'users'>['id'] },
): Promise<Row<T>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = anyRows(all.selectFrom(table as ItemTable).selectAll())
    .where(sql<SqlBool>`${sql.ref(`${table}.org_id`)} = ${actor.org_id}`)
    .where(sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${person}`)
    .orderBy(sql.ref(`${table}.id`))
  const there = resourceOf(table).trashable
    ? rows.where(sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`)
    : rows
  return (await there.execute()) as object[] as Row<T>[]
}

/** Such rows as a hand-over takes them: the heir takes the place of the person in the column. */
export async function heldInColumn<T extends ItemTable>(
  reader: Viewer,
  table: T,
  {
    column,
    person,
    isHeld,
  }: {
    column: keyof Row<T> & string
    person: Row<'users'>['id']
    /** Leaves out what is over. */
    isHeld?: (row: Row<T>) => boolean
  },
): Promise<HeldItem[]> {
  const rows = await rowsHeld(reader, table, { column, person })
  return rows
    .filter((row) => isHeld?.(row) ?? true)
    .map((row) => ({
      table,
      id: String(Reflect.get(row as object, 'id')),
      async give(ctx, heir) {
        await ctx.change(table, row, { [column]: heir.id } as Partial<Row<T>>)
      },
    }))
}
