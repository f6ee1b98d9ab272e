import type { Actor } from '../kernel/actor.ts'
import { type AccessScope, accessScope } from './access-scope.ts'
import { ChangeRecorder } from './changes/change-recorder.ts'
import { ChangeSet } from './changes/change-set.ts'
import { CurrentRows } from './changes/current-rows.ts'
import { OutsideWatch } from './changes/outside-watch.ts'
import { RowStatements, rowKey } from './changes/row-statements.ts'
import { SearchRefresh } from './changes/search-refresh.ts'
import { stampedItem, stampedPart } from './changes/stamps.ts'
import { findPart } from './part.ts'
import { extensionOf } from './resource-extensions.ts'
import { resourceOf } from './resource.ts'
import { type ItemTable, type TableName, type Values, itemRow } from './row.ts'
import { type ItemChange, differences } from './row-images.ts'
import type { TextIndex } from './search-text.ts'
import { known, nullsOf } from './statements.ts'

/**
 * The only writer of guarded tables: sets common columns, increases revisions, records rows before and after, and
 * updates search. One per call; `flush` writes the collected changes to `changes`.
 */
export class Rows {
  readonly #scope: AccessScope
  readonly #actor: Actor
  readonly #isExternal: boolean
  readonly #statements: RowStatements
  readonly #search: SearchRefresh
  readonly #changes = new ChangeSet()
  readonly #rows: CurrentRows
  readonly #outside: OutsideWatch
  readonly #recorder: ChangeRecorder

  /**
   * `watchesOutside`: whether to detect externally visible changes. `isExternal`: the call was triggered from outside,
   * so texts that it writes are marked.
   */
  constructor(
    on: AccessScope,
    search: TextIndex,
    { watchesOutside = false, isExternal = false } = {},
  ) {
    this.#isExternal = isExternal
    this.#scope = accessScope({ all: on.all, actor: on.actor, now: on.now, trash: true })
    this.#actor = on.actor
    this.#outside = new OutsideWatch(this.#scope, { watchesVisible: watchesOutside })
    this.#statements = new RowStatements(on.all)
    this.#rows = new CurrentRows(this.#statements)
    this.#search = new SearchRefresh(this.#scope, search, this.#statements)
    this.#recorder = new ChangeRecorder(this.#scope, this, {
      statements: this.#statements,
      search: this.#search,
      changes: this.#changes,
      rows: this.#rows,
      outside: this.#outside,
    })
  }

  async add(table: TableName, values: object): Promise<Values> {
    const part = findPart(table)
    const row = part
      ? stampedPart(values, this.#scope)
      : stampedItem(resourceOf(table), this.#withTrust(table, values), this.#scope)
    const defaults = part ? row : { ...nullsOf(table), ...row }
    await this.#statements.insert(table, defaults)
    await this.#recorder.record(table, 'created', undefined, defaults)
    if (!part) this.#rows.count(defaults.id as string) // what the same call still changes of it is part of its making
    return defaults
  }

  async change(table: ItemTable, item: object, patch: object): Promise<Values> {
    const row = item as Values
    const changed = this.#withTrust(table, differences(row, patch as Values), row.trust)
    if (Object.keys(changed).length === 0) return row
    const also = extensionOf(resourceOf(table), 'changes')?.alsoSet?.(itemRow(changed))
    const stamp = known(table, {
      updated_at: this.#scope.now,
      revision: await this.#rows.nextRevision(table, row.id as string),
    })
    await this.#statements.update(
      table,
      { id: row.id as string },
      { ...changed, ...also, ...stamp },
    )
    const after = { ...row, ...changed, ...stamp }
    this.#rows.count(row.id as string)
    await this.#recorder.record(table, 'updated', row, after)
    return { ...after, ...also }
  }

  /**
   * The values, with the mark of external text if the call was triggered from outside and they contain text. `trust`:
   * the mark of the row so far.
   */
  #withTrust(table: TableName, values: object, trust?: unknown): Values {
    const columns = this.#isExternal ? resourceOf(table).definition.externalText : undefined
    const isMarked =
      trust !== 'external' && columns?.some((column) => (values as Values)[column] != null)
    return isMarked ? { ...values, trust: 'external' } : (values as Values)
  }

  async changePart(table: TableName, record: object, patch: object): Promise<Values> {
    const row = record as Values
    const part = findPart(table)
    if (!part) throw new Error(`${table} is no part table.`)
    const changed = differences(row, patch as Values)
    if (Object.keys(changed).length === 0) return row
    await this.#statements.update(table, rowKey(table, row), changed)
    const after = { ...row, ...changed }
    await this.#recorder.recordPart(part.definition, table, row, after)
    return after
  }

  async remove(table: TableName, item: object): Promise<void> {
    const row = item as Values
    await this.#statements.delete(table, rowKey(table, row))
    await this.#recorder.record(table, 'deleted', row, undefined)
  }

  async trash(table: ItemTable, record: object, along: object[] = []): Promise<void> {
    const root = (record as Values).id
    for (const values of [record, ...along] as Values[]) {
      const after = await this.#stampTrash(table, values, {
        deleted_at: this.#scope.now,
        deleted_by: this.#actor.id,
        deleted_with: root,
      })
      await this.#recorder.record(table, 'deleted', values, after)
    }
  }

  async restore(table: ItemTable, item: object): Promise<Values> {
    const root = (item as Values).id as string
    let restored = item as Values
    for (const values of await this.#statements.where(table, { deleted_with: root })) {
      const after = await this.#stampTrash(table, values, {
        deleted_at: null,
        deleted_by: null,
        deleted_with: null,
      })
      if (values.id === root) restored = after
      await this.#recorder.record(table, 'restored', values, after)
      await this.#search.refreshParts(table, values.id as string)
    }
    return restored
  }

  /** Restores a removed row as it was, for undo. */
  async putBack(table: TableName, record: object): Promise<Values> {
    const row = record as Values
    await this.#statements.insert(table, row)
    await this.#recorder.record(table, 'restored', undefined, row)
    return row
  }

  /** Runs work atomically: if it throws, the rows and their recorded changes are as before. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const savepoints = [
      this.#changes.savepoint(),
      this.#rows.savepoint(),
      this.#outside.savepoint(),
    ]
    await this.#statements.run('savepoint attempt')
    try {
      return await work()
    } catch (error) {
      await this.#statements.run('rollback to attempt')
      for (const setBack of savepoints) setBack()
      throw error
    } finally {
      await this.#statements.run('release attempt')
    }
  }

  event(name: string, table: ItemTable, record: object, personId?: string): void {
    const resource = resourceOf(table)
    const item =
      personId === undefined
        ? this.#changes.of(resource, record as Values, 'updated')
        : this.#changes.forPerson(personId, resource, record as Values)
    item.events.add(name)
  }

  access(
    op: 'access_gained' | 'access_lost',
    table: ItemTable,
    item: object,
    personId: string,
  ): void {
    this.#changes.addAccess(op, resourceOf(table), item as Values, personId)
  }

  /** True if one of the items now sends something outside. */
  get sends(): boolean {
    return this.#outside.sends
  }

  /** True if externally visible content changed; false unless `watchesOutside`. */
  get changesOutside(): boolean {
    return this.#outside.changesVisible
  }

  /** The items changed so far. */
  get changed(): ItemChange[] {
    return this.#changes.changed
  }

  /** Writes the collected changes, in the order in which items were first changed. */
  flush(callId: string, keyId: string | null, runId: string | null = null): Promise<ItemChange[]> {
    return this.#changes.write(this.#statements, this.#scope, { callId, keyId, runId })
  }

  /** Moves a row into or out of the trash; returns the updated row. */
  async #stampTrash(table: ItemTable, row: Values, deletion: Values): Promise<Values> {
    const stamp = {
      ...deletion,
      updated_at: this.#scope.now,
      revision: await this.#rows.nextRevision(table, row.id as string),
    }
    await this.#statements.update(table, { id: row.id }, stamp)
    return { ...row, ...stamp }
  }
}
