import { Refusal } from './refusal.ts'
import { mender } from './mend.ts'
import type { Kind, Module, Operation } from './operation.ts'
import { schemasOf, type Schemas } from './schemas.ts'
import type { ActingKey } from './actor.ts'

/** An operation with what the core derived from it. */
export interface Entry {
  readonly operation: Operation
  readonly module: string
  readonly schemas: Schemas
  readonly mend: (args: Record<string, unknown>) => Record<string, unknown>
  /** Method and path of its route. */
  readonly method: string
  readonly path: string
}

export class Catalogue {
  readonly modules: readonly Module[]
  /** Listed operations, in the order of modules and files. */
  readonly entries: readonly Entry[]
  /** These and the unlisted ones. */
  readonly routes: readonly Entry[]
  readonly #byName = new Map<string, Entry>()

  /** @throws Error where two operations share a name or a route */
  constructor(modules: readonly Module[]) {
    this.modules = modules
    this.routes = modules.flatMap(module => module.operations.map(operation => entryOf(module.name, operation)))
    this.entries = this.routes.filter(entry => !entry.operation.unlisted)
    const taken = new Set<string>()
    for (const entry of this.routes) {
      const route = `${entry.method} ${entry.path.replace(/\{\w+\}/g, '{}')}`
      if (taken.has(route)) throw new Error(`Two operations have the route ${route}.`)
      taken.add(route)
      for (const name of [entry.operation.name, ...entry.operation.aliases]) {
        if (this.#byName.has(name)) throw new Error(`Two operations are called ${name}.`)
        this.#byName.set(name, entry)
      }
    }
  }

  find(name: string): Entry | undefined {
    return this.#byName.get(name)
  }

  /** @throws Refusal not_found */
  demand(name: string): Entry {
    const entry = this.find(name)
    if (entry) return entry
    throw new Refusal('not_found', `There is no operation ${JSON.stringify(name.slice(0, 80))}.`, { next: { tool: 'search_tools', arguments: { query: name.slice(0, 80) } } })
  }

  /** The operations that a key may use. */
  openTo(key: ActingKey | undefined): Entry[] {
    return this.entries.filter(entry => !closedTo(key, entry))
  }
}

/** Why a key may not use an operation, or undefined where it may. */
export function closedTo(key: ActingKey | undefined, entry: Entry): Refusal | undefined {
  if (key?.read_only && entry.operation.kind !== 'read') {
    return new Refusal('permission_denied', `The key "${key.name}" is read-only; ${entry.operation.name} changes things.`, 'Its owner can make another one with `workspace keys create`.')
  }
  if (key?.toolsets && !key.toolsets.includes(entry.module)) {
    return new Refusal('permission_denied', `The key "${key.name}" is for ${key.toolsets.join(', ')} only; ${entry.operation.name} belongs to ${entry.module}.`, 'Its owner can make another one with `workspace keys create`.')
  }
  return undefined
}

function entryOf(module: string, operation: Operation): Entry {
  const [method, path] = operation.rest.split(' ') as [string, string]
  const schemas = schemasOf(operation)
  let mend: Entry['mend'] | undefined
  return { operation, module, schemas, mend: args => (mend ??= mender(schemas.inputJson))(args), method, path }
}

/** All four MCP hints, each written out. A tool that reads is closed to no one; what leaves the house is for later modules. */
export function hintsOf(kind: Kind, idempotent: boolean) {
  return { readOnlyHint: kind === 'read', destructiveHint: kind === 'destructive', idempotentHint: idempotent, openWorldHint: false }
}
