import type { AccessScope } from '../access-scope.ts'
import type { Resource } from '../resource.ts'
import { type ItemTable, type Values, itemRow } from '../row.ts'
import { isSameOutside } from '../row-images.ts'

/** Detects whether the changes of a call send something outside, or change content visible outside. */
export class OutsideWatch {
  readonly #scope: AccessScope
  readonly #watchesVisible: boolean
  #sends = false
  #changesVisible = false

  /** `watchesVisible`: whether to detect externally visible changes; that may take queries. */
  constructor(scope: AccessScope, { watchesVisible }: { watchesVisible: boolean }) {
    this.#scope = scope
    this.#watchesVisible = watchesVisible
  }

  /** True if one of the items now sends something outside. */
  get sends(): boolean {
    return this.#sends
  }

  /** True if externally visible content changed; false unless `watchesVisible`. */
  get changesVisible(): boolean {
    return this.#changesVisible
  }

  /** Returns a function that restores the current state. */
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
