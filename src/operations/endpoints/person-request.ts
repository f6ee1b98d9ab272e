import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import { actAsUser, readWithoutLogging } from '../call/index.ts'
import { refuseLeakedKeys } from '../call/live-keys.ts'
import type { CallRequest } from '../call/request.ts'
import { parseInput, type PersonRequest } from './endpoint.ts'

/** Creates the request that an endpoint receives. `request`: as shown in the call log. */
export function personRequest(
  app: App,
  actor: Actor,
  request: CallRequest,
  params: Readonly<Record<string, string>> = {},
): PersonRequest {
  const { store, keys, baseUrl } = app
  let isLogged = false
  return {
    ...app.outside(request.tool, request.signal),
    actor,
    baseUrl,
    params,
    read: (work) => readWithoutLogging(app, actor, request, work),
    async change(work, args) {
      const result = await store.writer.run(async () => {
        await keys.recheck(actor)
        return actAsUser(app, actor, args ? { ...request, args } : request, work)
      })
      isLogged ||= result.isLogged
      await result.runDeferred()
      return result.value
    },
    spend(what, quota) {
      app.limits.spending.take(request.ip || '127.0.0.1', `${what} ${actor.id}`, quota)
    },
    skipLog() {
      isLogged = true
    },
    refuseKeys: (texts) => refuseLeakedKeys(app, texts),
    isLogged: () => isLogged,
  }
}

/** Calls an endpoint of a module as a person, for commands. Undefined values count as omitted. @throws Refusal */
export async function callEndpoint(
  app: App,
  actor: Actor,
  request: CallRequest,
  sent: Record<string, unknown>,
  params: Record<string, string> = {},
): Promise<unknown> {
  const endpoint = app.catalogue.modules
    .flatMap((module) => module.endpoints ?? [])
    .find((item) => item.name === request.tool)
  if (!endpoint) throw new Error(`Unknown endpoint: ${request.tool}.`)
  const definedArgs = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  )
  return endpoint.handle(
    parseInput(endpoint, definedArgs),
    personRequest(app, actor, request, params),
  )
}
