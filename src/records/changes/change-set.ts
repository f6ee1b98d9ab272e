import type { Actor } from '../../kernel/actor.ts'
import type { Resource } from '../resource.ts'
import { type ItemTable, type Values, itemRow } from '../row.ts'
import { type ItemChange, blank } from '../row-images.ts'
import type { RowStatements } from './row-statements.ts'

/** Origin of a change: the call, as recorded in `changes`. */
export interface ChangeOrigin {
  callId: string
  keyId: string | null
  runId: string | null
}

/** The statement assigns the sequence number itself: the writer runs one job at a time. */
const addChange =
  'insert into "changes" ("seq", "org_id", "call_id", "at", "actor_id", "key_id", "via", "op", "events_json", "item_type", "item_id", "project_id", "for_person_id", "fields_json", "images_json", "run_id") values ((select coalesce(max("seq"), 0) + 1 from "changes"), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

/** Changes that one call has made so far, by item; written into `changes` when the call ends. */
export class ChangeSet {
  readonly #items = new Map<string, ItemChange>()

  /** The change of an item, created with `op` if it is the first. */
  of(resource: Resource<ItemTable>, row: Values, op: ItemChange['op']): ItemChange {
    return this.#begun(row.id as string, () => changeOf(resource, row, op))
  }

  /** The changes of an item that only one person receives. */
  forPerson(personId: string, resource: Resource<ItemTable>, row: Values): ItemChange {
    return this.#begun(`for ${row.id as string} ${personId}`, () => ({
      ...changeOf(resource, row, 'updated'),
      for_person_id: personId,
    }))
  }

  /** Records that a person gained or lost access to an item. */
  addAccess(
    op: 'access_gained' | 'access_lost',
    resource: Resource<ItemTable>,
    row: Values,
    personId: string,
  ): void {
    const change = { ...changeOf(resource, row, op), for_person_id: personId }
    this.#items.set(`${op} ${row.id as string} ${personId}`, change)
  }

  /** True if this call created the item. */
  isCreated(id: string): boolean {
    return this.#items.get(id)?.op === 'created'
  }

  /** The items changed so far. */
  get changed(): ItemChange[] {
    return [...this.#items.values()].filter(
      (item) => item.op !== 'updated' || item.images.length > 0 || item.events.size > 0,
    )
  }

  /** Returns a function that restores the current state. */
  savepoint(): () => void {
    const saved = structuredClone(this.#items)
    return () => {
      this.#items.clear()
      for (const [id, item] of saved) this.#items.set(id, item)
    }
  }

  /** Writes the changes in the order in which items were first changed. */
  async write(
    statements: RowStatements,
    { actor, now }: { actor: Actor; now: number },
    { callId, keyId, runId }: ChangeOrigin,
  ): Promise<ItemChange[]> {
    const changed = this.changed
    for (const change of changed)
      await statements.run(addChange, [
        actor.org_id,
        callId,
        now,
        actor.id,
        keyId,
        actor.via,
        change.op,
        JSON.stringify(eventsOf(change)),
        change.item_type,
        change.item_id,
        change.project_id,
        change.for_person_id,
        JSON.stringify(change.fields),
        JSON.stringify(change.images),
        runId,
      ])
    return changed
  }

  #begun(name: string, begin: () => ItemChange): ItemChange {
    let change = this.#items.get(name)
    if (!change) {
      change = begin()
      this.#items.set(name, change)
    }
    return change
  }
}

function changeOf(
  { definition: { type, project } }: Resource<ItemTable>,
  row: Values,
  op: ItemChange['op'],
): ItemChange {
  return {
    ...blank(op, type, row.id as string),
    project_id: project?.(itemRow(row)) ?? null,
  }
}

function eventsOf(change: ItemChange): string[] {
  if (change.for_person_id !== null) return [...change.events]
  return [...new Set([`${change.item_type}.${change.op}`, ...change.events])]
}
