import type { McpRequestContext, ServerOptions } from '@modelcontextprotocol/server'
import { BoundedMap } from '../kernel/bounded-map.ts'
import { isAdmin, type Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import type { Caller } from './caller.ts'
import { instructionsOf, type CallerRole } from './surface/instructions.ts'
import { appsExtension } from './apps/app-views.ts'
import { skillsExtension } from './resources/skills.ts'
import { tasksExtension } from './tasks/task.ts'
import type { TestExtensions } from './server.ts'

type Era = McpRequestContext['era']

const minute = 60_000
const maxOptions = 64

/** Lists of tools and the like change with key and version; contents change at any time. */
const cacheHints: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': { ttlMs: 60 * minute, cacheScope: 'private' },
  'tools/list': { ttlMs: 5 * minute, cacheScope: 'private' },
  'prompts/list': { ttlMs: 5 * minute, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: 5 * minute, cacheScope: 'private' },
  'resources/list': { ttlMs: 0, cacheScope: 'private' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
}

/** SDK server options, built once for all connections with the same surface. */
export class ServerOptionsCache {
  readonly #app: App
  readonly #capabilities: Record<Era, NonNullable<ServerOptions['capabilities']>>
  readonly #cached = new BoundedMap<string, ServerOptions>(maxOptions)

  constructor(app: App, extras: TestExtensions | undefined) {
    this.#app = app
    const common = {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      ...extras?.capabilities,
    }
    const extensions = { ...skillsExtension, ...appsExtension }
    this.#capabilities = {
      legacy: { ...common, extensions },
      modern: { ...common, extensions: { ...extensions, ...tasksExtension } },
    }
  }

  for({ actor, surface }: Caller, era: Era): ServerOptions {
    const role = callerRoleOf(actor)
    const key = `${surface.id} ${role} ${era}`
    return this.#cached.useOrAdd(key, () => ({
      capabilities: this.#capabilities[era],
      instructions: instructionsOf(this.#app.catalogue, surface, role),
      cacheHints,
    }))
  }
}

function callerRoleOf(actor: Actor): CallerRole {
  if (isAdmin(actor)) return 'administrator'
  return actor.role === 'guest' ? 'guest' : 'member'
}
