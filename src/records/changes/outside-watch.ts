import type { AccessScope } from '../access-scope.ts'
import type { Resource } from '../resource.ts'
import { type ItemTable, type Values, itemRow } from '../row.ts'
import { isSameOutside } from '../row-images.ts'

/** Whether the changes of a call send something to people outside, or change what they see. */
export class OutsideWatch {
  readonly #scope: AccessScope
  readonly #watchesVisible: boolean
  #sends = false
  #changesVisible = false

  /** `watchesVisible`: whether to find out if a change is visible outside; that may take queries. */
  constructor(scope: AccessScope, { watchesVisible }: { watchesVisible: boolean }) {
    this.#scope = scope
    this.#watchesVisible = watchesVisible
  }

  /** Whether one of the items came to send something outside. */
  get sends(): boolean {
    return this.#sends
  }

  /** Whether something changed that people outside see; false unless `watchesVisible`. */
  get changesVisible(): boolean {
    return this.#changesVisible
  }

  /** A function that sets everything back to how it is now. */
  savepoint(): () => void {
    const saved = [this.#sends, this.#changesVisible] as const
    return () => {
      ;[this.#sends, this.#changesVisible] = saved
    }
  }

  async note(
    { definition: { isOutbound, outside } }: Resource<ItemTable>,
    before: Values | undefined,
    after: Values | undefined,
  ): Promise<void> {
    if (after && (await isOutbound?.(itemRow(after), itemRow(before), this.#scope)))
      this.#sends = true
    if (!outside || !this.#watchesVisible || this.#changesVisible) return
    if (before && after && isSameOutside(before, after, outside.unseen)) return
    const isVisible = async (row: Values | undefined) =>
      row !== undefined && (await outside.isVisible(itemRow(row), this.#scope))
    this.#changesVisible = (await isVisible(after)) || (await isVisible(before))
  }
}
