import type { AccessScope } from '../access-scope.ts'
import { findPart } from '../part.ts'
import type { PartOf } from '../resource-definition.ts'
import { extensionOf } from '../resource-extensions.ts'
import { type Resource, resourceOf } from '../resource.ts'
import { type ItemTable, type TableName, type Values, itemRow, tableRow } from '../row.ts'
import type { Tell } from '../row-changes.ts'
import { type ItemChange, fieldChanges, imageOf } from '../row-images.ts'
import type { ChangeSet } from './change-set.ts'
import type { CurrentRows } from './current-rows.ts'
import type { OutsideWatch } from './outside-watch.ts'
import { type RowStatements, rowKey } from './row-statements.ts'
import type { SearchRefresh } from './search-refresh.ts'

interface Collected {
  statements: RowStatements
  search: SearchRefresh
  changes: ChangeSet
  rows: CurrentRows
  outside: OutsideWatch
}

/** Records each changed row in the changes of the call, the current rows, search, and external visibility. */
export class ChangeRecorder {
  readonly #scope: AccessScope
  readonly #tell: Tell
  readonly #statements: RowStatements
  readonly #search: SearchRefresh
  readonly #changes: ChangeSet
  readonly #rows: CurrentRows
  readonly #outside: OutsideWatch

  constructor(scope: AccessScope, tell: Tell, collected: Collected) {
    this.#scope = scope
    this.#tell = tell
    this.#statements = collected.statements
    this.#search = collected.search
    this.#changes = collected.changes
    this.#rows = collected.rows
    this.#outside = collected.outside
  }

  /** Records a changed row: for a part as a change of its item, otherwise of the item itself. */
  record(
    table: TableName,
    op: ItemChange['op'],
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    const part = findPart(table)
    if (part) return this.recordPart(part.definition, table, before, after)
    return this.#recordItem(resourceOf(table), op, before, after)
  }

  /** Records a row of a resource, as an item or as part of its item. */
  async #recordItem(
    resource: Resource<ItemTable>,
    op: ItemChange['op'],
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    const { table, definition } = resource
    const { partOf, unaudited } = definition
    const row = (after ?? before)!
    await this.#outside.note(resource, before, after)
    if (after) this.#rows.keep(after)
    else this.#rows.drop(row.id as string)
    await this.#search.refresh(resource, op, before, after)
    if (partOf) return this.recordPart(partOf as PartOf<TableName>, table, before, after)
    const item = this.#changes.of(resource, row, op)
    if (op !== 'updated') item.op = op
    if (before && after) item.fields.push(...fieldChanges(before, after, unaudited))
    item.images.push(imageOf(table, { id: row.id }, before, after))
    const rules = extensionOf(resource, 'changes')
    await rules?.afterChange(itemRow(after), itemRow(before), this.#scope, this.#tell)
  }

  /** Records a row of a part table as a change of the item that it belongs to. */
  async recordPart(
    partOf: PartOf<TableName>,
    table: TableName,
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    const row = (after ?? before)!
    const owner = resourceOf(partOf.table)
    const ownerId = row[partOf.by] as string
    const ownerRow = await this.#rows.read(partOf.table, ownerId)
    if (!ownerRow) return
    const personId = partOf.personal?.(tableRow(row))
    if (personId === undefined) await this.#touch(partOf, ownerRow)
    const item =
      personId === undefined
        ? this.#changes.of(owner, ownerRow, 'updated')
        : this.#changes.forPerson(personId, owner, ownerRow)
    const { field } = partOf
    const value = (values: Values | undefined) => {
      if (!values) return null
      return partOf.value ? partOf.value(tableRow(values)) : (values.id ?? null)
    }
    item.fields.push({
      field: typeof field === 'string' ? field : field(tableRow(row)),
      from: value(before),
      to: value(after),
    })
    item.images.push(imageOf(table, rowKey(table, row), before, after))
    await partOf.settle?.(tableRow(after), tableRow(before), this.#scope, this.#tell)
  }

  /** A change of a part counts as a change of its item, once per call. */
  async #touch(partOf: PartOf<TableName>, owner: Values): Promise<void> {
    const id = owner.id as string
    if (this.#rows.isCounted(id) || this.#changes.isCreated(id)) return
    const stamp: Values = { updated_at: this.#scope.now }
    if (partOf.touch === 'revision') {
      stamp.revision = (owner.revision as number) + 1
      this.#rows.count(id)
    }
    await this.#statements.update(partOf.table, { id }, stamp)
    this.#rows.keep({ ...owner, ...stamp })
  }
}
