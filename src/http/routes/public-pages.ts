// Public pages of modules: published pages, and forms. No key, no script; a cookie counts only if a page asks for it.

import { createHash } from 'node:crypto'
import type { App } from '../../operations/app.ts'
import { call } from '../../operations/call/index.ts'
import type {
  OpenLook,
  OpenPage,
  OpenPerson,
  OpenPlace,
  OpenSent,
} from '../../operations/public-pages.ts'
import { runPiece } from '../../operations/jobs/system.ts'
import { networkOf } from '../../limits/addresses.ts'
import { Sessions } from '../../identity/sessions.ts'
import {
  respondWith,
  answerEmpty,
  etagOf,
  etagMatches,
  type HeaderList,
} from '../transport/answers.ts'
import { lingeringBody, readBytes } from '../transport/body.ts'
import { answerDownload } from './downloads.ts'
import { byMethod } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { uploadChunks } from './uploads.ts'
import { cookieIn } from '../web/cookies.ts'

export function openPages(app: App): [path: string, page: WebPage][] {
  const places = app.catalogue.modules.flatMap((module) => module.places ?? [])
  const sessions = new Sessions(app)
  return places.map((place) => [place.path, publicPageHandler(app, sessions, place)])
}

function publicPageHandler(app: App, sessions: Sessions, place: OpenPlace): WebPage {
  const page: WebPage = async (incoming) => {
    const look = publicRequestOf(app, sessions, place, incoming)
    return answerOpenPage(app, incoming, (await openPageFor(place, look, incoming)) ?? notFoundPage)
  }
  return byMethod({
    GET: page,
    HEAD: page,
    ...(place.post ? { POST: page } : {}),
    ...(place.put ? { PUT: page } : {}),
    ...(place.patch ? { PATCH: page } : {}),
    ...(place.delete ? { DELETE: page } : {}),
  })
}

const handlerNames: Readonly<Record<string, 'post' | 'put' | 'patch' | 'delete'>> = {
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
}

function openPageFor(
  place: OpenPlace,
  look: OpenLook,
  incoming: Incoming,
): Promise<OpenPage | undefined> {
  const handlerName = handlerNames[incoming.method]
  return handlerName === undefined
    ? place.read(look)
    : place[handlerName]!(submissionOf(look, incoming))
}

function publicRequestOf(
  app: App,
  sessions: Sessions,
  { path }: OpenPlace,
  incoming: Incoming,
): OpenLook {
  const { store, clock, baseUrl, settings, limits } = app
  return {
    all: store.read,
    now: clock.now(),
    baseUrl: baseUrl || incoming.url.origin,
    settings,
    params: decodePathParams(incoming.params),
    method: incoming.method as OpenLook['method'],
    network: networkOf(incoming.ip),
    signedIn: () => openPersonOf(app, sessions, path, incoming),
    spend: (what, quota) => limits.spending.tryTake(incoming.ip, what, quota),
    write: (tool, work) => runPiece(app, tool, work),
  }
}

function submissionOf(look: OpenLook, incoming: Incoming): OpenSent {
  return {
    ...look,
    contentType: incoming.header('content-type') ?? '',
    header: (name) => incoming.header(name),
    body: (maxBytes) => readBytes(incoming, maxBytes),
    pieces: () => uploadChunks(incoming),
  }
}

async function openPersonOf(
  app: App,
  sessions: Sessions,
  path: string,
  incoming: Incoming,
): Promise<OpenPerson | undefined> {
  const session = await sessions.find(
    cookieIn(incoming.header('cookie'), 'session', incoming.isSecure),
  )
  if (!session) return undefined
  const { requestId, ip, client, method, trace } = incoming
  const route = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
  return {
    actor: session.actor,
    async call<T>(tool: string, args: Record<string, unknown>, idempotencyKey?: string) {
      return (
        await call(app, session.actor, {
          tool,
          args,
          transport: 'web',
          requestId,
          route,
          ip,
          client,
          trace,
          idempotencyKey,
          signal: incoming.request.signal,
        })
      ).value as T
    },
  }
}

function defaultStatus(page: OpenPage): number {
  if (page.isGone) return 410
  return page === notFoundPage ? 404 : 200
}

function answerOpenPage(app: App, incoming: Incoming, page: OpenPage): Response {
  if (page.file) return answerDownload(incoming, app.settings.data, page.file)
  const { html, location, status = defaultStatus(page) } = page
  if (location !== undefined) return answerEmpty(incoming, 303, [['location', location]])
  const headers = publicPageHeaders(page)
  if (status === 413 && incoming.isUnread)
    return respondWith(incoming, status, lingeringBody(incoming.node!, html), [
      ...headers,
      ['connection', 'close'],
      ['content-length', String(Buffer.byteLength(html))],
    ])
  if (status !== 200 || page.cache === 'no-store')
    return respondWith(incoming, status, html, headers)
  const etag = etagOf(html)
  const all: HeaderList = [...headers, ['etag', etag]]
  return etagMatches(incoming.header('if-none-match'), etag)
    ? respondWith(incoming, 304, null, all)
    : respondWith(incoming, 200, html, all)
}

/** Usually revalidated each time, so that unpublished pages disappear; a current copy is served from the cache. */
function publicPageHeaders({
  styles,
  isListed,
  type = 'text/html; charset=utf-8',
  cache = 'no-cache',
  takesForms,
  retryAfter,
  headers = [],
}: OpenPage): HeaderList {
  return [
    ['content-type', type],
    ['content-security-policy', takesForms ? formPolicy(styles) : readPolicy(styles)],
    ['cache-control', cache],
    ['permissions-policy', 'interest-cohort=(), browsing-topics=()'],
    ...(isListed ? [] : ([['x-robots-tag', 'noindex, nofollow']] as const)),
    ...(retryAfter === undefined ? [] : ([['retry-after', String(retryAfter)]] as const)),
    ...headers,
  ]
}

const styleHash = (styles: string) =>
  `'sha256-${createHash('sha256').update(styles).digest('base64')}'`

function readPolicy(styles: string): string {
  return `default-src 'none'; style-src ${styleHash(styles)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation`
}

/** No sandbox: a sandboxed page's requests carry no cookies. Scripts and pictures are blocked anyway. */
function formPolicy(styles: string): string {
  return `default-src 'none'; style-src ${styleHash(styles)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
}

/** Decodes the parameters of a path; undecodable ones match nothing. */
function decodePathParams(params: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]),
    )
  } catch {
    return {}
  }
}

const notFoundPage: OpenPage = {
  styles: '',
  isListed: false,
  html: '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<meta name="robots" content="noindex, nofollow">\n<title>Nothing here</title>\n</head>\n<body>\n<main>\n<h1>Nothing here</h1>\n<p>There is no published page at this address.</p>\n</main>\n</body>\n</html>\n',
}
