import { itemRow, tableRow } from '../../../records/row.ts'
import { isConstraint } from '../../../db/database-errors.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { extensionOf, isInUse } from '../../../records/resource-extensions.ts'
import {
  type ItemTable,
  type Level,
  type Resource,
  type Row,
  RowParam,
  type TableName,
  allResources,
  itemResources,
} from '../../../records/resource.ts'
import { findPart } from '../../../records/part.ts'
import type { Image } from '../../../records/row-images.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { changedSince, currentRowOf } from './access-undo.ts'

export type UndoRefusalReason = 'changed_since' | 'sent_outside' | 'expired' | 'not_reversible'

type Values = Record<string, unknown>
type Change = Row<'changes'>

/** Thrown inside an attempt: this item stays unchanged. */
class Refused extends Error {
  readonly reason: UndoRefusalReason

  constructor(reason: UndoRefusalReason) {
    super(reason)
    this.reason = reason
  }
}

/** Reverts the changes of one call, item by item from last to first. */
export class Undoing {
  readonly #ctx: WriteContext
  readonly #changes: readonly Change[]
  /** Rights on rows that the call required; undoing it requires no less. */
  readonly #params: readonly unknown[]
  /** Whether to revert all or nothing. */
  readonly #isAllOrNothing: boolean
  /** Whether to revert regardless of the actor's rights on the items. */
  readonly #isUnlimited: boolean
  readonly restored: Change[] = []
  readonly refused: { change: Change; reason: UndoRefusalReason }[] = []

  constructor(
    ctx: WriteContext,
    changes: readonly Change[],
    params: readonly unknown[],
    {
      isAllOrNothing = false,
      isUnlimited = false,
    }: { isAllOrNothing?: boolean; isUnlimited?: boolean } = {},
  ) {
    this.#ctx = ctx
    this.#changes = changes
    this.#params = params
    this.#isAllOrNothing = isAllOrNothing
    this.#isUnlimited = isUnlimited
  }

  async undoAll(): Promise<void> {
    if (!this.#isAllOrNothing) return this.#undoEach()
    const rollback = this.refused
    try {
      await this.#ctx.attempt(async () => {
        await this.#undoEach()
        if (this.refused.length > 0) throw rollback
      })
    } catch (error) {
      if (error !== rollback) throw error
      this.restored.length = 0
    }
  }

  async #undoEach(): Promise<void> {
    const items = this.#changes.filter(isOfItem)
    const companions = items.filter(movedWithAnother)
    for (const change of items.filter((item) => !movedWithAnother(item)).reverse())
      await this.#attemptItem(change, () => this.#revertChange(change), items.length)
    for (const change of companions)
      await this.#attemptItem(change, () => this.#checkCompanion(change), items.length)
    for (const change of this.#changes)
      if (change.for_person_id !== null && !isOfItem(change))
        await this.#reverseAccessEvent(change, change.for_person_id)
  }

  refuseAll(reason: UndoRefusalReason): void {
    for (const change of this.#changes.filter(isOfItem)) this.refused.push({ change, reason })
  }

  async #attemptItem(change: Change, work: () => Promise<void>, count: number): Promise<void> {
    this.#ctx.progress(this.restored.length + this.refused.length, count, 'changes undone')
    try {
      await this.#ctx.attempt(work)
      this.restored.push(change)
    } catch (error) {
      this.refused.push({ change, reason: undoReasonOf(error) })
    }
  }

  async #revertChange(change: Change): Promise<void> {
    const resource = resourceNamed(change.item_type)
    const images = imagesOf(change)
    if (
      images.length === 0 &&
      !this.#params.some((param) => param instanceof RowParam && param.resource === resource)
    )
      return // only an event, for a change that is undone elsewhere
    if (images.some((image) => isOfItemRow(resource, change, image) && image.op === 'add'))
      return this.#undoCreation(resource, change)
    const level = this.#levelFor(resource, images)
    const trash = images.find((image) => isOfItemRow(resource, change, image) && isTrashing(image))
    if (
      !trash &&
      !images.some((image) => isOfItemRow(resource, change, image) && image.op === 'remove')
    )
      await this.#requireLevel(
        resource,
        change.item_id,
        extensionOf(resource, 'undo')?.levelBefore ?? level,
      )
    for (const image of [...images].reverse())
      await (image === trash
        ? this.#toggleTrash(resource, change, image)
        : this.#revertImage(change, image))
    const current = await currentRowOf(this.#ctx, {
      table: resource.table,
      key: { id: change.item_id },
    })
    if (current && current.deleted_at == null)
      await this.#requireLevel(resource, change.item_id, level)
  }

  /** Reverts the creation of an item: only while it is otherwise unchanged. */
  async #undoCreation(resource: Resource<ItemTable>, change: Change): Promise<void> {
    const row = await this.#existingRow(resource, change)
    await this.#requireLevel(resource, change.item_id, deletionLevel(resource))
    if (
      (await changedSince(this.#ctx, change)) ||
      (await isInUse(this.#ctx, resource, change.item_id))
    )
      throw new Refused('changed_since')
    const rules = extensionOf(resource, 'undo')
    if (rules?.undoCreate) await rules.undoCreate(itemRow(row), this.#ctx)
    else if (resource.trashable) await this.#ctx.trash(resource.table, itemRow(row))
    else await this.#ctx.remove(resource.table, itemRow(row))
  }

  /** Restores an item that the call trashed, or trashes one that it restored. */
  async #toggleTrash(
    resource: Resource<ItemTable>,
    change: Change,
    { key, before = {}, after = {} }: Image,
  ): Promise<void> {
    const row = await currentRowOf(this.#ctx, { table: resource.table, key })
    if (!row || !matchesValues(row, after)) throw new Refused('changed_since')
    if (before.deleted_at === null) {
      if (!(await resource.mayRestore(this.#ctx, change.item_id)))
        throw new Refused('not_reversible')
      await this.#ctx.restore(resource.table, itemRow(row))
      return
    }
    await this.#requireLevel(resource, change.item_id, deletionLevel(resource))
    if (await changedSince(this.#ctx, change)) throw new Refused('changed_since')
    await this.#ctx.trash(
      resource.table,
      itemRow(row),
      (await this.#companionRows(resource, change)).map((companion) => itemRow(companion)),
    )
  }

  async #companionRows(resource: Resource<ItemTable>, root: Change): Promise<Values[]> {
    const rows: Values[] = []
    for (const change of this.#changes.filter(
      (row) => row.item_type === root.item_type && movedWithAnother(row),
    )) {
      const row = await currentRowOf(this.#ctx, {
        table: resource.table,
        key: { id: change.item_id },
      })
      if (row && row.deleted_at == null && trashRoot(change) === root.item_id) rows.push(row)
    }
    return rows
  }

  /** Checks that an item trashed or restored together with another was moved back with it. */
  async #checkCompanion(change: Change): Promise<void> {
    const resource = resourceNamed(change.item_type)
    const image = imagesOf(change).find(isTrashing)!
    const row = await currentRowOf(this.#ctx, { table: resource.table, key: image.key })
    if (!row || (row.deleted_at == null) !== (image.before!.deleted_at === null))
      throw new Refused('changed_since')
  }

  async #revertImage(change: Change, image: Image): Promise<void> {
    const table = image.table as ItemTable
    const row = await currentRowOf(this.#ctx, image)
    if (image.op === 'remove') {
      if (row) throw new Refused('changed_since')
      if (!image.before) throw new Refused('not_reversible') // erased for good
      await this.#ctx.putBack(table, itemRow(image.before))
      return
    }
    if (!row) throw new Refused('changed_since')
    if (image.op === 'add') {
      if (!findPart(table) && extensionOf({ table }, 'undo')?.irreversible)
        throw new Refused('sent_outside')
      if (Number(row.updated_at ?? 0) > change.at) throw new Refused('changed_since')
      await this.#ctx.remove(table, itemRow(row))
      return
    }
    if (!matchesValues(row, image.after ?? {})) throw new Refused('changed_since')
    if (!image.before) throw new Refused('not_reversible')
    if (findPart(table))
      await this.#ctx.changePart(table as TableName, tableRow(row), tableRow(image.before))
    else await this.#ctx.change(table, itemRow(row), itemRow(image.before))
  }

  async #reverseAccessEvent(change: Change, personId: string): Promise<void> {
    if (change.op === 'updated' || !this.restored.some((item) => item.item_id === change.item_id))
      return
    const resource = resourceNamed(change.item_type)
    const row = await currentRowOf(this.#ctx, {
      table: resource.table,
      key: { id: change.item_id },
    })
    if (row)
      this.#ctx.access(
        change.op === 'access_lost' ? 'access_gained' : 'access_lost',
        resource.table,
        itemRow(row),
        personId,
      )
  }

  async #existingRow(resource: Resource<ItemTable>, change: Change): Promise<Values> {
    const row = await currentRowOf(this.#ctx, {
      table: resource.table,
      key: { id: change.item_id },
    })
    if (!row || row.deleted_at != null) throw new Refused('changed_since')
    return row
  }

  /** Requires the actor's current rights. */
  async #requireLevel(resource: Resource<ItemTable>, id: string, level: Level): Promise<void> {
    if (this.#isUnlimited || (await resource.find(this.#ctx, id, level))) return
    const row = await currentRowOf(this.#ctx, { table: resource.table, key: { id } })
    throw new Refused(row && row.deleted_at != null ? 'changed_since' : 'not_reversible')
  }

  /**
   * Level of access that undoing requires: what the call required of the item, and at least what its own columns
   * (edit) and its parts require.
   */
  #levelFor(resource: Resource<ItemTable>, images: readonly Image[]): Level {
    const requiredByCall = this.#params.flatMap((param) =>
      param instanceof RowParam && param.resource === resource ? [param.level] : [],
    )
    const requiredByImages = images.flatMap((image) =>
      image.table === resource.table
        ? ['edit' as const]
        : (partDefinitionOf(image.table)?.level ?? []),
    )
    const required =
      requiredByCall.length + requiredByImages.length > 0
        ? [...requiredByCall, ...requiredByImages]
        : ['edit' as const]
    return levels.findLast((level) => required.includes(level))!
  }
}

function partDefinitionOf(table: string) {
  return (
    findPart(table)?.definition ??
    allResources().find((resource) => resource.table === table)?.definition.partOf
  )
}

const levels: Level[] = ['see', 'edit', 'own']

function deletionLevel(resource: Resource<ItemTable>): Level {
  return resource.definition.own ? 'own' : 'edit'
}

function undoReasonOf(error: unknown): UndoRefusalReason {
  if (error instanceof Refused) return error.reason
  if (error instanceof Refusal && error.code === 'conflict') return 'changed_since' // it conflicts with the current state
  if (isConstraint(error)) return 'changed_since' // a name was taken meanwhile, or something refers to it
  throw error
}

function resourceNamed(type: string): Resource<ItemTable> {
  const resource = itemResources().find((itemResource) => itemResource.definition.type === type)
  if (!resource) throw new Refused('not_reversible')
  return resource
}

/** Whether a change is of an item itself, or of one person's data on it; others only notify someone. */
function isOfItem(change: Change): boolean {
  return change.for_person_id === null || (change.op === 'updated' && change.images_json !== '[]')
}

function imagesOf(change: Change): Image[] {
  if (change.images_json === null) throw new Refused('expired')
  return JSON.parse(change.images_json) as Image[]
}

function isOfItemRow(resource: Resource<ItemTable>, change: Change, image: Image): boolean {
  return image.table === resource.table && image.key.id === change.item_id
}

function isTrashing(image: Image): boolean {
  return image.op === 'change' && image.after !== undefined && 'deleted_with' in image.after
}

/** The item with which this one was trashed or restored; undefined if the call did neither. */
function trashRoot(change: Change): unknown {
  if (change.images_json === null) return undefined
  const image = imagesOf(change).find(isTrashing)
  return image?.before?.deleted_with ?? image?.after?.deleted_with ?? undefined
}

function movedWithAnother(change: Change): boolean {
  const root = trashRoot(change)
  return root !== undefined && root !== change.item_id
}

function matchesValues(row: Values, after: Values): boolean {
  return Object.entries(after).every(([column, value]) => row[column] === value)
}
