// SCIM 2.0: identity providers create, change and deactivate people and groups here, with a token of their own.

import { toRefusal } from '../../db/failures.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import { administratorFor, recordScim, type ScimCaller } from '../../sso/scim/caller.ts'
import { resourceTypes, schemas, serviceProviderConfig } from '../../sso/scim/schemas.ts'
import { readJson } from '../transport/body.ts'
import { HttpRefusal, methodNotAllowed, noRoute } from '../transport/problem.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { answerScim } from './answers.ts'
import { scimCaller } from './caller.ts'
import { groupResource } from './groups.ts'
import { searchParamsIn } from './query.ts'
import { listAnswer, type Resource, type ScimRequest } from './resource.ts'
import { answerAll } from './search.ts'
import { userResource } from './users.ts'

export const scimPaths = ['/scim', '/scim/**'] as const

/** HEAD is answered like GET, without the body. */
const readMethods: readonly string[] = ['GET', 'HEAD']
const isRead = (method: string) => readMethods.includes(method)

const bodyTypes = /^application\/(?:scim\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i
const resources: Readonly<Record<string, Resource>> = {
  users: userResource,
  groups: groupResource,
}

export function scimPage(app: App): WebPage {
  return async (incoming) => {
    const [kind = '', id, ...more] = scimPathOf(incoming)
    const route = routeOf(incoming.method, kind, id)
    const caller = await scimCaller(app, incoming, route)
    if (more.length > 0) throw unknownAddress(incoming)
    if (kind === 'me') throw noCurrentUser()
    if (kind === '.search' && id === undefined)
      return search(answerAll, { caller, incoming, params: incoming.url.searchParams })
    const resource = Object.hasOwn(resources, kind) ? resources[kind] : undefined
    if (!resource) return answerDescription(app, incoming, kind, id)
    return answerResource(resource, { caller, incoming, params: incoming.url.searchParams }, id)
  }
}

/** Counts provider requests by outcome. */
export function meterScimPage(app: App, page: WebPage): WebPage {
  return async (incoming) => {
    try {
      const response = await page(incoming)
      app.meter?.recordSsoStep('scim', 'ok')
      return response
    } catch (error) {
      app.meter?.recordSsoStep('scim', error instanceof Refusal ? error.code : 'internal')
      throw error
    }
  }
}

/** Path segments behind /scim/v2: the kind in lower case, then an id. Other versions have none. */
function scimPathOf({ url }: Incoming): string[] {
  const [, , version, kind, ...more] = url.pathname.split('/')
  if (version !== 'v2' || kind === undefined) return []
  return [kind.toLowerCase(), ...more.filter((part, n) => part !== '' || n < more.length - 1)]
}

/** Only this much of the address: arbitrary text must not get into the log. */
function routeOf(method: string, kind: string, id: string | undefined): string {
  const names: Record<string, string> = { users: '/Users', groups: '/Groups' }
  return `${method.slice(0, 20)} /scim/v2${names[kind] ?? ''}${id === undefined ? '' : '/{id}'}`
}

function answerDescription(
  { baseUrl }: App,
  incoming: Incoming,
  kind: string,
  id: string | undefined,
): Response {
  const lists: Record<string, () => Record<string, unknown>[]> = {
    resourcetypes: () => resourceTypes(baseUrl),
    schemas: () => schemas(baseUrl),
  }
  const list = Object.hasOwn(lists, kind) ? lists[kind]?.() : undefined
  const isConfig = kind === 'serviceproviderconfig' && id === undefined
  if (!list && !isConfig) throw unknownAddress(incoming)
  if (!isRead(incoming.method)) throw methodNotAllowed(incoming.method, readMethods)
  if (!list) return answerScim(incoming, 200, serviceProviderConfig(baseUrl))
  if (id === undefined) return listAnswer(incoming, list, { total: list.length, startIndex: 1 })
  const entry = list.find((item) => item.id === decodeScimSegment(id))
  if (!entry) throw unknownAddress(incoming)
  return answerScim(incoming, 200, entry)
}

function decodeScimSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // no id of ours has such characters
  }
}

async function answerResource(
  resource: Resource,
  request: ScimRequest,
  id: string | undefined,
): Promise<Response> {
  const { incoming, caller } = request
  const { method } = incoming
  if (id === '.search') return search((query) => resource.list(query), request)
  if (isRead(method)) return id === undefined ? resource.list(request) : resource.read(request, id)
  const handlers =
    id === undefined ? new Map([['POST', resource.create]]) : changeHandlers(resource, id)
  const handler = handlers.get(method)
  if (!handler) throw methodNotAllowed(method, [...readMethods, ...handlers.keys()])
  try {
    const body = method === 'DELETE' ? undefined : await readJson(incoming, bodyTypes)
    return await handler(request, body)
  } catch (error) {
    const refusal = toRefusal(caller.app.log, error, {
      requestId: incoming.requestId,
      tool: caller.route,
    })
    await recordRefusal(caller, resource, refusal)
    throw refusal
  }
}

/** A list with its query in the body (RFC 7644, 3.4.3): filters may contain data that must not appear in proxy logs. */
async function search(
  list: (request: ScimRequest) => Promise<Response>,
  request: ScimRequest,
): Promise<Response> {
  const { incoming } = request
  if (incoming.method !== 'POST') throw methodNotAllowed(incoming.method, ['POST'])
  const params = searchParamsIn(await readJson(incoming, bodyTypes))
  return list({ ...request, params })
}

type ChangeHandler = (request: ScimRequest, body: unknown) => Promise<Response>

function changeHandlers(resource: Resource, id: string): Map<string, ChangeHandler> {
  return new Map<string, ChangeHandler>([
    ['PUT', (request, body) => resource.replace(request, id, body)],
    ['PATCH', (request, body) => resource.change(request, id, body)],
    ['DELETE', (request) => resource.remove(request, id)],
  ])
}

/**
 * Records refusals of a provider's request in the call log; internal server errors are only in the server's own log.
 */
async function recordRefusal(
  caller: ScimCaller,
  { noun }: Resource,
  { code, status }: Refusal,
): Promise<void> {
  if (status === 401 || status >= 500) return
  const { store } = caller.app
  await store.writer.run(async () => {
    const { id } = await administratorFor(caller)
    const act = { tool: `scim_${noun}`, items: [] }
    await recordScim(caller, act, id, { code, denied: status === 403 })
  })
}

/** RFC 7644, 3.11: a service without `/Me` answers 501. */
function noCurrentUser(): Refusal {
  return new HttpRefusal(
    501,
    'not_found',
    'A token of a provider belongs to no person: there is no /Me.',
  )
}

function unknownAddress({ method }: Incoming): Refusal {
  return noRoute(method)
}
