import { type Expression, type SqlBool, sql } from 'kysely'
import type { Id } from '../../kernel/ids.ts'
import { omitNullish } from '../../kernel/present.ts'
import { type AccessScope, type Viewer, accessScopeOf, withTrash } from '../access-scope.ts'
import type { ResourceDefinition } from '../resource-definition.ts'
import { extensionOf } from '../resource-extensions.ts'
import { type ItemTable, type Level, type Row, type Scoped, anyRows, wholeRows } from '../row.ts'

export interface ItemRef {
  type: string
  id: string
  key?: string
  title: string
  url: string
  trust?: 'external'
}

/** Access rules for the rows of one table, as queries, and the presentation of references to them. */
export class ResourceQueries<T extends ItemTable> {
  readonly table: T
  readonly definition: ResourceDefinition<T>
  readonly trashable: boolean

  constructor(table: T, definition: ResourceDefinition<T>, trashable: boolean) {
    this.table = table
    this.definition = definition
    this.trashable = trashable
  }

  /** The rows that the viewer can see, edit or delete; without the trash unless the scope includes it. */
  visibleTo(viewer: Viewer): Scoped<T> {
    return this.rows('see', viewer)
  }

  editableBy(reader: Viewer): Scoped<T> {
    return this.rows('edit', reader)
  }

  ownedBy(viewer: Viewer): Scoped<T> {
    return this.rows('own', viewer)
  }

  rows(level: Level, reader: Viewer): Scoped<T> {
    const s = accessScopeOf(reader)
    const query = this.definition[level]
    if (!query) return this.definition.see(s).where(sql<SqlBool>`1 = 0`)
    return this.live(query(s), s)
  }

  /** Rows in the trash that the actor may restore. */
  restorable(viewer: Viewer): Scoped<T> {
    const s = withTrash(viewer)
    const rows = (extensionOf(this, 'trash')?.restorable?.(s) ??
      this.rows(this.definition.own ? 'own' : 'edit', s)) as Scoped<T>
    return rows.where(sql.ref(`${this.table}.deleted_at`), 'is not', null)
  }

  async mayRestore(reader: Viewer, id: string): Promise<boolean> {
    const restorableRow = await this.restorable(reader)
      .where(sql.ref(`${this.table}.id`), '=', id)
      .select(sql<number>`1`.as('one'))
      .executeTakeFirst()
    return restorableRow !== undefined
  }

  live(query: Scoped<T>, scope: AccessScope): Scoped<T> {
    if (!this.trashable || scope.trash) return query
    return query.where(sql.ref(`${this.table}.deleted_at`), 'is', null)
  }

  /**
   * The rows that depend on these visible rows of another resource: `visibleTo` narrowed to them, without repeating
   * the check. The ids come from rows: external text does not compile.
   */
  of<I extends ItemTable>(viewer: Viewer, ids: readonly Id<I>[]): Scoped<T> {
    const { inheritsVisibilityFrom: follows } = this.definition
    if (!follows) throw new Error(`Rows of ${this.table} follow no other rows.`)
    const query = accessScopeOf(viewer).all.selectFrom(this.table as ItemTable) as Scoped<T>
    return this.live(query, accessScopeOf(viewer)).where(
      sql.ref(`${this.table}.${follows}`),
      'in',
      ids,
    )
  }

  /**
   * True if a column of another table refers to a row of a level: looked up per row, so the other table's index
   * drives.
   */
  holds(reader: Viewer, column: string, level: Level = 'see'): Expression<SqlBool> {
    const row = anyRows(this.rows(level, reader)).select(sql<number>`1`.as('one'))
    return sql<SqlBool>`exists ${row.where(sql.ref(`${this.table}.id`), '=', sql.ref(column))}`
  }

  /**
   * Like holds(), with a list that is built once per query: better if this resource has few rows and the other table
   * many. The column is concatenated with an empty string, so that no index on it drives the query and a list keeps
   * the order of its own index.
   */
  lists(viewer: Viewer, column: string, level: Level = 'see'): Expression<SqlBool> {
    const ids = anyRows(this.rows(level, viewer)).select(sql.ref(`${this.table}.id`).as('id'))
    return sql<SqlBool>`${sql.ref(column)} || '' in ${ids}`
  }

  /** Visible rows with these ids, by id; also by former ids if rows have moved. */
  async among(reader: Viewer, ids: readonly string[]): Promise<Map<string, Row<T>>> {
    if (ids.length === 0) return new Map()
    const query = this.rows('see', reader).where(sql.ref(`${this.table}.id`), 'in', [
      ...new Set(ids),
    ])
    const rows = await wholeRows(query, this.table)
    const rowsById = new Map(rows.map((row) => [(row as { id: string }).id, row]))
    const former = extensionOf(this, 'formerIds')
    const missing = former ? [...new Set(ids)].filter((id) => !rowsById.has(id)) : []
    if (!former || missing.length === 0) return rowsById
    const moved = await former.currentIds(accessScopeOf(reader), missing)
    const currentRows = await this.among(reader, [...moved.values()])
    for (const [former, id] of moved)
      if (currentRows.has(id)) rowsById.set(former, currentRows.get(id)!)
    return rowsById
  }

  /** Builds a reference to a row; the url is relative until the answer is sent. */
  ref(row: Row<T>, baseUrl: string): ItemRef {
    const { type, title, key, isExternal } = this.definition
    const id = (row as { id: string }).id
    const rowKey = key?.(row)
    return omitNullish({
      type,
      id,
      key: rowKey,
      title: title(row),
      url: this.url(row, baseUrl),
      trust: isExternal?.(row) ? ('external' as const) : undefined,
    })
  }

  url(row: Row<T>, baseUrl: string): string {
    const path =
      this.definition.path?.(row) ?? `${this.definition.type}/${(row as { id: string }).id}`
    return `${baseUrl}/${path}`
  }

  /** The name of such an item in messages. */
  get name(): string {
    return this.definition.type.replaceAll('_', ' ')
  }

  /** Describes the accepted alternatives to an id, for an argument's description; undefined: ids only. */
  get takes(): string | undefined {
    const { takes, names } = this.definition
    if (takes !== undefined || !names) return takes
    return names.columns[0] === 'title' ? 'id or title' : 'id or name'
  }
}
