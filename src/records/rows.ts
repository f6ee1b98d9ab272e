import { CompiledQuery, type SqlBool, sql } from 'kysely'
import { columns } from '../db/tables.ts'
import type { Actor } from '../kernel/actor.ts'
import { newId } from '../kernel/ids.ts'
import { type AccessScope, accessScope } from './access-scope.ts'
import { findPart } from './part.ts'
import type { PartOf } from './resource-definition.ts'
import { extensionOf } from './resource-extensions.ts'
import {
  type ItemTable,
  type Resource,
  type TableName,
  allResources,
  resourceOf,
} from './resource.ts'
import {
  type ItemChange,
  type Values,
  blank,
  differences,
  fieldChanges,
  imageOf,
  isSameOutside,
} from './row-images.ts'
import type { SearchLine, TextIndex } from './search-text.ts'
import { known, matching, columnNames, nullsOf, quoted } from './statements.ts'

/**
 * The only writer of guarded tables: stamps rows, counts revisions, keeps what was before and after, and refreshes
 * search. One for each call; `flush` writes what it collected into `changes`.
 */
export class Rows {
  readonly #sight: AccessScope
  readonly #actor: Actor
  readonly #search: TextIndex
  readonly #items = new Map<string, ItemChange>()
  readonly #touched = new Set<string>()
  /** Items made or changed by this call, as they are now. */
  readonly #rows = new Map<string, Values>()
  readonly #watchesOutside: boolean
  #sends = false
  #changesOutside = false

  /** `watchesOutside`: whether to find out if a change is visible outside. */
  constructor(on: AccessScope, search: TextIndex, { watchesOutside = false } = {}) {
    this.#watchesOutside = watchesOutside
    this.#sight = accessScope({ all: on.all, actor: on.actor, now: on.now, trash: true })
    this.#actor = on.actor
    this.#search = search
  }

  async add(table: TableName, values: object): Promise<Values> {
    const part = findPart(table)
    const row = part ? this.#stampPart(values) : this.#stampItem(resourceOf(table), values)
    const defaults = part ? row : { ...nullsOf(table), ...row }
    await this.#insert(table, defaults)
    if (part) await this.#tellPart(part.definition as PartOf<TableName>, table, undefined, defaults)
    else await this.#tellItem(table as ItemTable, 'created', undefined, defaults)
    if (!part) this.#touched.add(defaults.id as string) // what the same call still changes of it is part of its making
    return defaults
  }

  async change(table: ItemTable, given: object, patch: object): Promise<Values> {
    const row = given as Values
    const changed = differences(row, patch as Values)
    if (Object.keys(changed).length === 0) return row
    const resource = resourceOf(table)
    const stamp = known(table, {
      updated_at: this.#sight.now,
      revision: await this.#nextRevision(table, row.id as string),
    })
    await this.#update(table, { id: row.id as string }, { ...changed, ...stamp })
    const after = { ...row, ...changed, ...stamp }
    this.#touched.add(row.id as string)
    await this.#tellItem(resource.table, 'updated', row, after)
    return after
  }

  async changePart(table: TableName, given: object, patch: object): Promise<Values> {
    const row = given as Values
    const part = findPart(table)
    if (!part) throw new Error(`${table} is no part table.`)
    const changed = differences(row, patch as Values)
    if (Object.keys(changed).length === 0) return row
    await this.#update(table, this.#partKey(table, row), changed)
    const after = { ...row, ...changed }
    await this.#tellPart(part.definition as PartOf<TableName>, table, row, after)
    return after
  }

  async remove(table: TableName, given: object): Promise<void> {
    const row = given as Values
    const part = findPart(table)
    const key = part ? this.#partKey(table, row) : { id: row.id as string }
    await this.#delete(table, key)
    if (part) await this.#tellPart(part.definition as PartOf<TableName>, table, row, undefined)
    else await this.#tellItem(table as ItemTable, 'deleted', row, undefined)
  }

  async trash(table: ItemTable, given: object, along: object[] = []): Promise<void> {
    const row = given as Values
    const root = row.id as string
    for (const values of [row, ...along] as Values[]) {
      const stamp = {
        deleted_at: this.#sight.now,
        deleted_by: this.#actor.id,
        deleted_with: root,
        updated_at: this.#sight.now,
        revision: await this.#nextRevision(table, values.id as string),
      }
      await this.#update(table, { id: values.id }, stamp)
      await this.#tellItem(table, 'deleted', values, { ...values, ...stamp })
    }
  }

  async restore(table: ItemTable, given: object): Promise<Values> {
    const row = given as Values
    const root = row.id as string
    const rows = (await this.#all
      .selectFrom(table as never)
      .selectAll()
      .where(sql<SqlBool>`deleted_with = ${root}`)
      .execute()) as Values[]
    let restored = row
    for (const values of rows) {
      const stamp = {
        deleted_at: null,
        deleted_by: null,
        deleted_with: null,
        updated_at: this.#sight.now,
        revision: await this.#nextRevision(table, values.id as string),
      }
      await this.#update(table, { id: values.id }, stamp)
      const after = { ...values, ...stamp }
      if (values.id === root) restored = after
      await this.#tellItem(table, 'restored', values, after)
      await this.#findPartsAgain(table, values.id as string)
    }
    return restored
  }

  /** Puts a row back that was removed, as it was: for undo. */
  async putBack(table: TableName, given: object): Promise<Values> {
    const row = given as Values
    await this.#insert(table, row)
    const part = findPart(table)
    if (part) await this.#tellPart(part.definition as PartOf<TableName>, table, undefined, row)
    else await this.#tellItem(table as ItemTable, 'restored', undefined, row)
    return row
  }

  /** Does work as a whole or not at all: where it throws, the rows and what was collected of them are as before. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const items = structuredClone(this.#items)
    const touched = new Set(this.#touched)
    const sends = this.#sends
    const changesOutside = this.#changesOutside
    await sql`savepoint attempt`.execute(this.#all)
    try {
      return await work()
    } catch (error) {
      await sql`rollback to attempt`.execute(this.#all)
      this.#items.clear()
      this.#touched.clear()
      this.#rows.clear()
      this.#sends = sends
      this.#changesOutside = changesOutside
      for (const [id, item] of items) this.#items.set(id, item)
      for (const id of touched) this.#touched.add(id)
      throw error
    } finally {
      await sql`release attempt`.execute(this.#all)
    }
  }

  event(name: string, table: ItemTable, given: object, personId?: string): void {
    const resource = resourceOf(table)
    const item =
      personId === undefined
        ? this.#itemOf(resource, given as Values, 'updated')
        : this.#itemFor(personId, resource, given as Values)
    item.events.add(name)
  }

  access(
    op: 'access_gained' | 'access_lost',
    table: ItemTable,
    given: object,
    personId: string,
  ): void {
    const row = given as Values
    const resource = resourceOf(table)
    const id = row.id as string
    this.#items.set(`${op} ${id} ${personId}`, {
      ...blank(op, resource.definition.type, id),
      for_person_id: personId,
      project_id: resource.definition.project?.(row as never) ?? null,
    })
  }

  /** Whether one of the items came to send something outside. */
  get sends(): boolean {
    return this.#sends
  }

  /** Whether something changed that people outside see; false where nobody watches. */
  get changesOutside(): boolean {
    return this.#changesOutside
  }

  /** The items changed so far. */
  get changed(): ItemChange[] {
    return [...this.#items.values()].filter(
      (item) => item.op !== 'updated' || item.images.length > 0 || item.events.size > 0,
    )
  }

  /** Writes the collected changes, in the order in which items were first touched. */
  async flush(
    callId: string,
    keyId: string | null,
    runId: string | null = null,
  ): Promise<ItemChange[]> {
    const changed = this.changed
    if (changed.length === 0) return changed
    const last = await this.#all
      .selectFrom('changes')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .executeTakeFirst()
    let seq = Number(last?.seq ?? 0)
    for (const itemChange of changed) {
      seq++
      await this.#insert('changes', {
        seq,
        org_id: this.#actor.org_id,
        call_id: callId,
        at: this.#sight.now,
        actor_id: this.#actor.id,
        key_id: keyId,
        via: this.#actor.via,
        op: itemChange.op,
        events_json: JSON.stringify(this.#events(itemChange)),
        item_type: itemChange.item_type,
        item_id: itemChange.item_id,
        project_id: itemChange.project_id,
        for_person_id: itemChange.for_person_id,
        fields_json: JSON.stringify(itemChange.fields),
        images_json: JSON.stringify(itemChange.images),
        run_id: runId,
      })
    }
    return changed
  }

  #events(itemChange: ItemChange): string[] {
    if (itemChange.for_person_id !== null) return [...itemChange.events]
    return [...new Set([`${itemChange.item_type}.${itemChange.op}`, ...itemChange.events])]
  }

  get #all() {
    return this.#sight.all
  }

  #stampItem(resource: Resource<ItemTable>, values: object): Values {
    const now = this.#sight.now
    const stamp = {
      id: newId(resource.definition.prefix, now),
      org_id: this.#actor.org_id,
      revision: 1,
      created_at: now,
      updated_at: now,
      created_by: this.#actor.id,
      created_via: this.#actor.via,
    }
    return { ...values, ...known(resource.table, stamp) }
  }

  #stampPart(values: object): Values {
    return { ...values, org_id: this.#actor.org_id, added_at: this.#sight.now }
  }

  #partKey(table: TableName, row: Values): Values {
    return Object.fromEntries(
      findPart(table)!.definition.unique.map((column) => [column, row[column]]),
    )
  }

  /** One more than the stored revision, once a call. */
  async #nextRevision(table: TableName, id: string): Promise<number> {
    if (!columns[table].includes('revision')) return 0
    const row = this.#rows.get(id) ?? (await this.#read(table, id))
    return ((row?.revision as number | undefined) ?? 0) + (this.#touched.has(id) ? 0 : 1)
  }

  /** The three writing statements, made once a table and set of columns: a builder would cost more than they do. Column names are the schema's. */
  #insert(table: TableName, values: Values): Promise<unknown> {
    const names = columnNames(table, values)
    return this.#run(
      `insert into "${table}" (${names.map(quoted).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      Object.values(values),
    )
  }

  #update(table: TableName, key: Values, values: Values): Promise<unknown> {
    const set = columnNames(table, values)
      .map((name) => `${quoted(name)} = ?`)
      .join(', ')
    return this.#run(`update "${table}" set ${set} where ${matching(table, key)}`, [
      ...Object.values(values),
      ...Object.values(key),
    ])
  }

  #delete(table: TableName, key: Values): Promise<unknown> {
    return this.#run(`delete from "${table}" where ${matching(table, key)}`, Object.values(key))
  }

  #run(text: string, parameters: unknown[]): Promise<unknown> {
    return this.#all.executeQuery(CompiledQuery.raw(text, parameters))
  }

  /** Records a row of a resource: as an item, or as part of its item. */
  async #tellItem(
    table: ItemTable,
    op: 'created' | 'updated' | 'deleted' | 'restored',
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    const resource = resourceOf(table)
    const row = (after ?? before)!
    const { partOf, isOutbound: sends } = resource.definition
    if (after && (await sends?.(after as never, before as never, this.#sight))) this.#sends = true
    if (this.#watchesOutside && !this.#changesOutside)
      this.#changesOutside = await this.#isVisibleChange(resource, before, after)
    if (after) this.#rows.set(row.id as string, after)
    else this.#rows.delete(row.id as string)
    await this.#refreshSearch(resource, op, before, after)
    if (partOf)
      return void (await this.#tellPart(
        partOf as unknown as PartOf<TableName>,
        table,
        before,
        after,
      ))
    const item = this.#itemOf(resource, row, op)
    if (op !== 'updated') item.op = op
    const quiet = resource.definition.unaudited as readonly string[] | undefined
    if (before && after) item.fields.push(...fieldChanges(before, after, quiet))
    item.images.push(imageOf(table, { id: row.id }, before, after))
    await extensionOf(resource, 'changes')?.afterChange(
      after as never,
      before as never,
      this.#sight,
      this,
    )
  }

  async #isVisibleChange(
    resource: Resource<ItemTable>,
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<boolean> {
    const { outside } = resource.definition
    if (!outside || (before && after && isSameOutside(before, after, outside.unseen))) return false
    const isVisible = async (row: Values | undefined) =>
      row !== undefined && (await outside.isVisible(row as never, this.#sight))
    return (await isVisible(after)) || (await isVisible(before))
  }

  async #tellPart(
    partOf: PartOf<TableName>,
    table: TableName,
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<ItemChange | undefined> {
    const row = (after ?? before)!
    const owner = resourceOf(partOf.table)
    const itemRow =
      this.#rows.get(row[partOf.by] as string) ?? (await this.#read(partOf.table, row[partOf.by]))
    if (!itemRow) return undefined
    const personId = partOf.personal?.(row as never)
    if (personId === undefined) await this.#touch(partOf, itemRow)
    const item =
      personId === undefined
        ? this.#itemOf(owner, itemRow, 'updated')
        : this.#itemFor(personId, owner, itemRow)
    const field = typeof partOf.field === 'string' ? partOf.field : partOf.field(row as never)
    const value = (of: Values | undefined) => {
      if (!of) return null
      return partOf.value ? partOf.value(of as never) : (of.id ?? null)
    }
    item.fields.push({ field, from: value(before), to: value(after) })
    const key = findPart(table) ? this.#partKey(table, row) : { id: row.id }
    item.images.push(imageOf(table, key, before, after))
    await partOf.settle?.(after as never, before as never, this.#sight, this)
    return item
  }

  /** A change of a part counts as a change of its item, once a call. */
  async #touch(partOf: PartOf<TableName>, itemRow: Values): Promise<void> {
    const id = itemRow.id as string
    if (this.#touched.has(id)) return
    if (this.#items.get(id)?.op === 'created') return
    const stamp: Values = { updated_at: this.#sight.now }
    if (partOf.touch === 'revision') {
      stamp.revision = (itemRow.revision as number) + 1
      this.#touched.add(id)
    }
    await this.#update(partOf.table, { id }, stamp)
    this.#rows.set(id, { ...itemRow, ...stamp })
  }

  async #read(table: TableName, id: unknown): Promise<Values | undefined> {
    const { rows } = await this.#all.executeQuery<Values>(
      CompiledQuery.raw(`select * from "${table}" where id = ?`, [id]),
    )
    return rows[0]
  }

  #itemOf(resource: Resource<ItemTable>, row: Values, op: ItemChange['op']): ItemChange {
    const id = row.id as string
    let item = this.#items.get(id)
    if (!item) {
      item = {
        ...blank(op, resource.definition.type, id),
        project_id: resource.definition.project?.(row as never) ?? null,
      }
      this.#items.set(id, item)
    }
    return item
  }

  /** What of an item is told to one person alone. */
  #itemFor(personId: string, resource: Resource<ItemTable>, row: Values): ItemChange {
    const id = row.id as string
    const name = `for ${id} ${personId}`
    const item = this.#items.get(name) ?? {
      ...blank('updated', resource.definition.type, id),
      for_person_id: personId,
      project_id: resource.definition.project?.(row as never) ?? null,
    }
    this.#items.set(name, item)
    return item
  }

  async #refreshSearch(
    resource: Resource<ItemTable>,
    op: string,
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    const { search } = resource.definition
    const id = (after ?? before)!.id as string
    const lines = extensionOf(resource, 'searchLines')
    if (lines)
      return this.#refreshTexts(id, op, after && (await lines.linesOf(after as never, this.#sight)))
    if (!search) return
    const text =
      after && after.deleted_at == null ? await search(after as never, this.#sight) : undefined
    if (op === 'created') return text && this.#search.add(this.#all, id, this.#actor.org_id, text)
    if (!text) return this.#search.remove(this.#all, id)
    const was = op === 'updated' && before ? await search(before as never, this.#sight) : undefined
    if (
      was &&
      was.title === text.title &&
      was.body === text.body &&
      was.container === text.container &&
      was.item_id === text.item_id
    )
      return
    await this.#search.put(this.#all, id, this.#actor.org_id, text)
    if (was && was.container !== text.container)
      await this.#search.recontain(this.#all, id, text.container)
  }

  async #refreshTexts(
    id: string,
    op: string,
    texts: readonly SearchLine[] | undefined,
  ): Promise<void> {
    if (!texts) return this.#search.remove(this.#all, id)
    if (op === 'restored') await this.#search.addAll(this.#all, this.#actor.org_id, texts)
  }

  /** Comments and the like left search with their item; they come back with it. */
  async #findPartsAgain(table: ItemTable, id: string): Promise<void> {
    for (const part of allResources()) {
      const { partOf, search } = part.definition
      if (partOf?.table !== table || !(search ?? extensionOf(part, 'searchLines'))) continue
      const rows = (await this.#all
        .selectFrom(part.table as never)
        .selectAll()
        .where(partOf.by as never, '=', id as never)
        .execute()) as Values[]
      for (const row of rows) await this.#refreshSearch(part, 'restored', undefined, row)
    }
  }
}
