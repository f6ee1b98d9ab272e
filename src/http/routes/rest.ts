import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { call, recordEarlyRefusal, type Answer } from '../../operations/call/index.ts'
import type { Entry } from '../../operations/entry.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { answerJson } from '../transport/answers.ts'
import { idempotencyKey, listArguments, readArguments } from './arguments.ts'
import { authenticate, logUnknownRequest, type Purpose } from './auth.ts'
import { hasCreated, Locations } from './creations.ts'
import { answerDownload, downloadIn, sizeOf } from './downloads.ts'
import { byMethod } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { HttpRefusal } from '../transport/problem.ts'

/** An operation with its route data. */
interface Route {
  entry: Entry
  /** Names of list arguments; computed on the first call. */
  lists?: ReadonlySet<string>
}

/** The pages of the catalogue by path in router syntax: `/api/tasks/:p0/move`. */
export function restPages(app: App): Map<string, WebPage> {
  const locations = new Locations(app.catalogue)
  const byPath = new Map<string, Map<string, Route>>()
  for (const entry of app.catalogue.routes) {
    const path = routerPath(entry)
    const methods = byPath.get(path) ?? new Map<string, Route>()
    byPath.set(path, methods.set(entry.method, { entry }))
  }
  return new Map(
    [...byPath].map(([path, methods]) => [path, restRouteHandler(app, locations, methods)]),
  )
}

function routerPath(entry: Entry): string {
  let i = 0
  return entry.path.replace(/\{\w+\}/g, () => `:p${i++}`)
}

/** All operations of one path. Authenticates first, then checks the method, then the rest. */
function restRouteHandler(
  app: App,
  locations: Locations,
  methods: ReadonlyMap<string, Route>,
): WebPage {
  const pages = [...methods].map(([method, route]): [string, WebPage] => [
    method,
    async (incoming) => {
      const actor = await authenticate(app, incoming, 'api', purposeOf(route))
      const answer = await callRoute(app, actor, route, incoming)
      return answerOf(app, actor, incoming, { entry: route.entry, locations }, answer)
    },
  ])
  return byMethod(Object.fromEntries(pages), {
    async otherwise(incoming, refusal) {
      throw await logUnknownRequest(
        app,
        incoming,
        await authenticate(app, incoming, 'api'),
        refusal,
      )
    },
  })
}

function purposeOf({ entry: { operation } }: Route): Purpose {
  return { tool: operation.name, weight: operation.weight ?? 1, route: operation.rest }
}

async function callRoute(
  app: App,
  actor: Actor,
  route: Route,
  incoming: Incoming,
): Promise<Answer> {
  const { entry } = route
  const lists = (route.lists ??= listArguments(entry))
  const { requestId, ip, client } = incoming
  const { name, rest } = entry.operation
  const request = {
    tool: name,
    args: undefined,
    transport: 'rest' as const,
    requestId,
    route: rest,
    ip,
    client,
    signal: incoming.request.signal,
    trace: incoming.trace,
  }
  const input = await readCall(entry, lists, incoming).catch(async (error) => {
    throw await recordEarlyRefusal(app, actor, request, error)
  })
  try {
    return await call(app, actor, { ...request, ...input })
  } catch (error) {
    throw incoming.header('if-match') === undefined ? error : asPreconditionFailed(error)
  }
}

async function readCall(
  entry: Entry,
  lists: ReadonlySet<string>,
  incoming: Incoming,
): Promise<{ args: unknown; idempotencyKey: string | undefined }> {
  return {
    args: await readArguments(entry, lists, incoming),
    idempotencyKey: idempotencyKey(incoming),
  }
}

/** Converts a failed If-Match condition to HTTP status 412. */
function asPreconditionFailed(error: unknown): unknown {
  if (
    !(error instanceof Refusal) ||
    error.code !== 'conflict' ||
    error.more.field !== 'expected_revision'
  )
    return error
  return Object.assign(new HttpRefusal(412, error.code, error.message, error.more), {
    callId: error.callId,
  })
}

export function answerOf(
  app: App,
  actor: Actor,
  incoming: Incoming,
  { entry, locations }: { entry: Entry; locations?: Locations },
  { value, callId, replayed }: Answer,
): Response {
  const download = entry.operation.unlisted ? downloadIn(value) : undefined
  if (download) {
    app.limits.recordAnswerSize(actor, sizeOf(download))
    return answerDownload(incoming, app.settings.data, download)
  }
  const { id, revision } = (value ?? {}) as { id?: unknown; revision?: unknown }
  const headers: [string, string][] = [['x-call-id', callId]]
  if (replayed) headers.push(['idempotency-replayed', 'true'])
  if (Number.isInteger(revision)) headers.push(['etag', `"${String(revision)}"`])
  const isNew = hasCreated(entry, value)
  const location = isNew ? locations?.addressOf(id) : undefined
  if (location !== undefined) headers.push(['location', location])
  const status = isNew ? 201 : 200
  const text = JSON.stringify(value ?? null)
  app.limits.recordAnswerSize(actor, text.length)
  return answerJson(incoming, status, text, headers)
}
