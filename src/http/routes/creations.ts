import type { Catalogue } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { RowParam, resourceByPrefix } from '../../records/resource.ts'

/** Whether a call of this operation can answer 201. */
export function isCreation({ operation }: Entry): boolean {
  return operation.creates !== 'nothing'
}

/** Whether it can also answer 200: nothing new, or nothing stored. */
export function mayCreateNothing({ operation, schemas }: Entry): boolean {
  const shape = 'shape' in schemas.output ? (schemas.output.shape as Record<string, unknown>) : {}
  return operation.creates === 'items' || operation.dryRun === true || 'existing' in shape
}

interface AnswerFields {
  id?: unknown
  existing?: unknown
  changed?: unknown
  dry_run?: unknown
}

/** Whether this answer reports something new, with status 201. */
export function hasCreated({ operation: { creates } }: Entry, answer: unknown): boolean {
  const { existing, changed, dry_run } = (answer ?? {}) as AnswerFields
  if (creates === 'nothing' || dry_run === true || existing === true) return false
  return creates === 'item' || Number(changed) > 0
}

/** GET first; the methods of an item share its address, so that the first match suffices. */
const methods = ['GET', 'PATCH', 'PUT', 'DELETE']

/** Addresses of items, for kinds that have their own: `/api/tasks/{task_id}`. */
export class Locations {
  readonly #byType = new Map<string, string>()

  constructor({ routes }: Catalogue) {
    for (const method of methods) {
      for (const entry of routes) if (entry.method === method) this.#addRoute(entry)
    }
  }

  /** The address of an item by id; undefined if it has none. */
  addressOf(id: unknown): string | undefined {
    if (typeof id !== 'string') return undefined
    const type = resourceByPrefix(id.slice(0, Math.max(0, id.indexOf('_'))))?.definition.type
    const prefix = type === undefined ? undefined : this.#byType.get(type)
    return prefix === undefined ? undefined : prefix + encodeURIComponent(id)
  }

  #addRoute({ path, schemas }: Entry): void {
    const [, prefix, name] = /^(\/api\/[a-z-]+\/)\{(\w+)\}$/.exec(path) ?? []
    const param = schemas.params.find((candidate) => candidate.wire === name)?.param
    if (prefix === undefined || !(param instanceof RowParam)) return
    const { type } = param.resource.definition
    if (!this.#byType.has(type)) this.#byType.set(type, prefix)
  }
}
