import { sql, type SqlBool } from 'kysely'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { resourceOf, type ItemTable, type Row } from '../../records/resource.ts'
import { anyRows } from '../../records/row.ts'
import type { HandoverItem } from './handovers.ts'

/**
 * Rows of the organization outside the trash with a person in a column, whether or not the caller can see them. Only for handovers, which
 * administrators or the person may do; their result must list only the items that the caller can see.
 */
export async function rowsOfPerson<T extends ItemTable>(
  viewer: Viewer,
  table: T,
  { column, person }: { column: string; person: Row<'users'>['id'] },
): Promise<Row<T>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = anyRows(all.selectFrom(table as ItemTable).selectAll())
    .where(sql<SqlBool>`${sql.ref(`${table}.org_id`)} = ${actor.org_id}`)
    .where(sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${person}`)
    .orderBy(sql.ref(`${table}.id`))
  const untrashed = resourceOf(table).trashable
    ? rows.where(sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`)
    : rows
  return (await untrashed.execute()) as object[] as Row<T>[]
}

/** These rows as items of a handover, which replaces the person in the column by the heir. */
export async function itemsOfPerson<T extends ItemTable>(
  reader: Viewer,
  table: T,
  {
    column,
    person,
    isRelevant,
  }: {
    column: keyof Row<T> & string
    person: Row<'users'>['id']
    /** Excludes rows that need no handover, such as past ones. */
    isRelevant?: (row: Row<T>) => boolean
  },
): Promise<HandoverItem[]> {
  const rows = await rowsOfPerson(reader, table, { column, person })
  return rows
    .filter((row) => isRelevant?.(row) ?? true)
    .map((row) => ({
      table,
      id: String(Reflect.get(row as object, 'id')),
      async transfer(ctx, heir) {
        await ctx.change(table, row, { [column]: heir.id } as Partial<Row<T>>)
      },
    }))
}
