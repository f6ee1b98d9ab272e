// What modules show to everybody: published pages. No key, no cookie, no script; only looked at.

import { createHash } from 'node:crypto'
import type { App } from '../core/app.ts'
import type { OpenPage, OpenPlace } from '../core/open-places.ts'
import { answer, type HeaderList } from './answers.ts'
import type { Incoming, Page } from './incoming.ts'
import { getOnly } from './status.ts'

export function openPages(app: App): [path: string, page: Page][] {
  const places = app.catalogue.modules.flatMap(module => module.places ?? [])
  return places.map(place => [place.path, getOnly(incoming => answerOpen(app, place, incoming))])
}

async function answerOpen(app: App, place: OpenPlace, incoming: Incoming): Promise<Response> {
  const { store, clock, baseUrl, settings } = app
  const found = await place.read({ all: store.read, now: clock.now(), baseUrl: baseUrl || incoming.url.origin, settings, params: decoded(incoming.params) })
  if (!found) return answer(incoming, 404, nothing.html, headersOf(nothing))
  const etag = `"${createHash('sha256').update(found.html).digest('base64url').slice(0, 22)}"`
  const headers: HeaderList = [...headersOf(found), ['etag', etag]]
  if (found.isGone) return answer(incoming, 410, found.html, headersOf(found))
  if (matches(incoming.header('if-none-match'), etag)) return answer(incoming, 304, null, headers)
  return answer(incoming, 200, found.html, headers)
}

/** It is asked for again each time, so that what is taken off the web is off; who has it already gets it from there. */
function headersOf({ styles, isListed }: OpenPage): HeaderList {
  const allowed = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`
  return [
    ['content-type', 'text/html; charset=utf-8'],
    ['content-security-policy', `default-src 'none'; img-src https:; style-src ${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation`],
    ['cache-control', 'no-cache'],
    ['permissions-policy', 'interest-cohort=(), browsing-topics=()'],
    ...(isListed ? [] : ([['x-robots-tag', 'noindex, nofollow']] as const)),
  ]
}

function matches(given: string | undefined, etag: string): boolean {
  return given !== undefined && (given.trim() === '*' || given.split(',').some(one => one.trim().replace(/^W\//, '') === etag))
}

/** What cannot be decoded names nothing. */
function decoded(params: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return {}
  }
}

const nothing: OpenPage = {
  styles: '',
  isListed: false,
  html: '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<meta name="robots" content="noindex, nofollow">\n<title>Nothing here</title>\n</head>\n<body>\n<main>\n<h1>Nothing here</h1>\n<p>There is no published page at this address.</p>\n</main>\n</body>\n</html>\n',
}
