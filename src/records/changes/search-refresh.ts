import type { AccessScope } from '../access-scope.ts'
import { extensionOf } from '../resource-extensions.ts'
import { type Resource, allResources } from '../resource.ts'
import { type ItemTable, type Values, itemRow } from '../row.ts'
import type { SearchLine, SearchText, TextIndex } from '../search-text.ts'
import type { RowStatements } from './row-statements.ts'

/** Updates the search texts of rows in the transaction that changes them. */
export class SearchRefresh {
  readonly #scope: AccessScope
  readonly #index: TextIndex
  readonly #statements: RowStatements

  constructor(scope: AccessScope, index: TextIndex, statements: RowStatements) {
    this.#scope = scope
    this.#index = index
    this.#statements = statements
  }

  async refresh(
    resource: Resource<ItemTable>,
    op: string,
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    const { search } = resource.definition
    const id = (after ?? before)!.id as string
    const lines = extensionOf(resource, 'searchLines')
    if (lines) {
      const now = after && (await lines.linesOf(itemRow(after), this.#scope))
      return this.#refreshLines(id, op, now)
    }
    if (!search) return
    const textOf = async (row: Values) => search(itemRow(row), this.#scope)
    const text = after && after.deleted_at == null ? await textOf(after) : undefined
    if (op === 'created') {
      if (text) await this.#index.add(this.#all, id, this.#orgId, text)
      return
    }
    if (!text) return this.#index.remove(this.#all, id)
    const former = op === 'updated' && before ? await textOf(before) : undefined
    if (!former || !isSameSearchText(former, text)) await this.#put(id, text, former)
  }

  /** Comments and the like are removed from search with their item, and restored with it. */
  async refreshParts(table: ItemTable, id: string): Promise<void> {
    for (const part of allResources()) {
      const { partOf, search } = part.definition
      if (partOf?.table !== table || !(search ?? extensionOf(part, 'searchLines'))) continue
      const rows = await this.#statements.where(part.table, { [partOf.by]: id })
      for (const row of rows) await this.refresh(part, 'restored', undefined, row)
    }
  }

  get #all() {
    return this.#scope.all
  }

  get #orgId(): string {
    return this.#scope.actor.org_id
  }

  async #put(id: string, text: SearchText, former: SearchText | undefined): Promise<void> {
    await this.#index.put(this.#all, id, this.#orgId, text)
    if (former && former.container !== text.container)
      await this.#index.moveToContainer(this.#all, id, text.container)
  }

  async #refreshLines(
    id: string,
    op: string,
    lines: readonly SearchLine[] | undefined,
  ): Promise<void> {
    if (!lines) return this.#index.remove(this.#all, id)
    if (op === 'restored') await this.#index.addAll(this.#all, this.#orgId, lines)
  }
}

/** True if search is up to date: a text keeps its time if another part of the item changed. */
function isSameSearchText(first: SearchText, other: SearchText): boolean {
  return (
    first.title === other.title &&
    first.body === other.body &&
    first.container === other.container &&
    first.item_id === other.item_id
  )
}
