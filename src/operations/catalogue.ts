import { Refusal } from '../kernel/refusal.ts'
import type { Operation } from './any-operation.ts'
import type { Document } from './documents.ts'
import type { CatalogueView, Entry, Presenter } from './entry.ts'
import type { CallFeed, EventFeed } from './event-feed.ts'
import { coercer } from './coerce.ts'
import { nearestNames } from '../kernel/text/nearest.ts'
import type { Module } from './module.ts'
import type { Prompt } from './prompts.ts'
import { schemasOf } from './schemas.ts'
import { toolsetOf } from '../kernel/toolsets.ts'
import { type ActingKey, nameOfKey } from '../kernel/actor.ts'

export class Catalogue implements CatalogueView {
  readonly modules: readonly Module[]
  /** Listed operations, in the order of modules and files. */
  readonly entries: readonly Entry[]
  /** Listed and unlisted operations. */
  readonly routes: readonly Entry[]
  /** Names of the modules with operations, to which keys and connections can be narrowed. */
  readonly toolsets: readonly string[]
  readonly startedJobs: ReadonlySet<string>
  readonly presenters: ReadonlyMap<string, Presenter>
  readonly documents: readonly Document[]
  readonly prompts: readonly Prompt[]
  /** Reports changes to subscribers; undefined if no module does. */
  readonly feed: EventFeed | undefined
  readonly callFeed: CallFeed | undefined
  readonly #byName = new Map<string, Entry>()

  /**
   * @throws Error if two operations share a name or a route, or two documents or prompts a name, or if an operation
   * would make outbound requests in a dry run
   */
  constructor(modules: readonly Module[]) {
    this.modules = modules
    this.toolsets = toolsetNames(modules)
    this.presenters = new Map(
      modules.flatMap((module) =>
        (module.presenters ?? []).map((presenter) => [presenter.type, presenter]),
      ),
    )
    this.documents = requireUniqueNames(modules.flatMap((module) => module.documents ?? []))
    this.prompts = requireUniqueNames(modules.flatMap((module) => module.prompts ?? []))
    this.feed = modules.find((module) => module.feed)?.feed
    this.callFeed = modules.find((module) => module.callFeed)?.callFeed
    this.routes = modules.flatMap((module) =>
      module.operations.map((operation) => entryOf(module.name, operation)),
    )
    this.entries = this.routes.filter((entry) => !entry.operation.unlisted)
    this.startedJobs = new Set(this.routes.flatMap(({ operation }) => operation.startsJob ?? []))
    const routes = new Set<string>()
    for (const entry of this.routes) {
      const route = `${entry.method} ${entry.path.replace(/\{\w+\}/g, '{}')}`
      if (routes.has(route)) throw new Error(`Two operations have the route ${route}.`)
      routes.add(route)
      if (leaksInDryRun(entry.operation))
        throw new Error(
          `${entry.operation.name} would make outbound requests in a dry run, without approval.`,
        )
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
  requireEntry(name: string): Entry {
    const entry = this.find(name)
    if (entry) return entry
    const { message, more } = this.unknownTool(name.slice(0, 80))
    throw new Refusal('not_found', message.replace('no tool', 'no operation'), {
      hint: more.hint!,
      context: more.context!,
      next: more.next!,
    })
  }

  /** Refusal for a tool that does not exist, with similar names as suggestions. */
  unknownTool(name: string): Refusal {
    const candidates = nearestNames(
      name,
      this.entries.map((entry) => entry.operation.name),
    )
    const hint =
      candidates.length > 0
        ? `Did you mean ${candidates.join(', ')}?`
        : 'Use search_tools to find a tool by what it does.'
    return new Refusal('not_found', `There is no tool ${JSON.stringify(name)}.`, {
      field: 'tool_name',
      hint,
      context: { candidates },
      next: { tool: 'search_tools', arguments: { query: name.replaceAll('_', ' ') } },
    })
  }

  /** The operations that a key may use. */
  openTo(key: ActingKey | undefined): Entry[] {
    return this.entries.filter((entry) => !keyRefusal(key, entry))
  }
}

const newKeyHint = ({ connection }: ActingKey) =>
  connection
    ? 'The person can connect the program again, with more rights.'
    : 'Its owner can create another one with `workspace keys create`.'

/** Why a key may not use an operation; undefined if it may. */
export function keyRefusal(key: ActingKey | undefined, entry: Entry): Refusal | undefined {
  if (key?.read_only && entry.operation.kind !== 'read') {
    return new Refusal(
      'permission_denied',
      `${nameOfKey(key)} is read-only; ${entry.operation.name} changes things.`,
      newKeyHint(key),
    )
  }
  if (!key?.toolsets || isForEveryKey(entry, key)) return undefined
  const toolset = toolsetOf(key.toolsets, entry.module)
  if (!toolset) {
    return new Refusal(
      'permission_denied',
      `${nameOfKey(key)} is for ${key.toolsets.join(', ')} only; ${entry.operation.name} belongs to ${entry.module}.`,
      newKeyHint(key),
    )
  }
  if (toolset.readOnly && entry.operation.kind !== 'read') {
    return new Refusal(
      'permission_denied',
      `${nameOfKey(key)} is read-only in ${entry.module}; ${entry.operation.name} changes things.`,
      newKeyHint(key),
    )
  }
  return undefined
}

/** True if an operation is available to a key regardless of its modules, or its connection's. */
export function isForEveryKey(
  { operation: { openToAllKeys } }: Entry,
  key: ActingKey | undefined,
): boolean {
  return openToAllKeys === true || (openToAllKeys === 'held' && key?.hold_outbound === true)
}

/**
 * A dry run of a sending operation does not wait for approval, so it must not access the network: a name that is
 * looked up can carry a secret.
 */
function leaksInDryRun({ dryRun, outbound, prepare }: Operation): boolean {
  return dryRun === true && outbound !== undefined && prepare !== undefined
}

/** Names of the modules with callable operations; others only run in the background. */
export function toolsetNames(modules: readonly Module[]): string[] {
  return modules.filter((module) => module.operations.length > 0).map((module) => module.name)
}

/** @throws Error if two of them have the same name */
function requireUniqueNames<T extends { name: string }>(all: readonly T[]): readonly T[] {
  const duplicate = all.find((item, i) => all.findIndex((other) => other.name === item.name) !== i)
  if (duplicate) throw new Error(`Two documents or prompts are called ${duplicate.name}.`)
  return all
}

const entries = new WeakMap<Operation, Entry>() // deriving schemas is slow, and operations never change

/** Derives the entry of an operation; once per process. */
export function entryOf(module: string, operation: Operation): Entry {
  const cached = entries.get(operation)
  if (cached?.module === module) return cached
  const entry = deriveEntry(module, operation)
  entries.set(operation, entry)
  return entry
}

function deriveEntry(module: string, operation: Operation): Entry {
  const [method, path] = operation.rest.split(' ') as [string, string]
  const schemas = schemasOf(operation)
  let coerce: Entry['coerce'] | undefined
  return {
    operation,
    module,
    schemas,
    coerce: (args) => (coerce ??= coercer(schemas.inputJson))(args),
    method,
    path,
  }
}

/** All four MCP hints, explicitly. */
export function hintsOf({
  kind,
  idempotent,
  outbound,
  outboundLater,
}: Pick<Operation, 'kind' | 'idempotent' | 'outbound' | 'outboundLater'>) {
  return {
    readOnlyHint: kind === 'read',
    destructiveHint: kind === 'destructive',
    idempotentHint: idempotent,
    openWorldHint: outbound !== undefined || outboundLater === true,
  }
}
