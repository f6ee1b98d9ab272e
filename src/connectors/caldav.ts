import { DavFailure, type DavServer, davFetch } from './caldav-fetch.ts'
import {
  hrefAddress,
  decodeDavPath,
  maySignInAt,
  isSameDavPath,
  urlPathOf,
  pathAndQuery,
} from './dav-addresses.ts'
import type { DavRow } from './dav-answers.ts'
import {
  withDavFailures,
  maxEntries,
  namespaces,
  propfind,
  request,
  multistatusRows,
  elementText,
} from './dav-requests.ts'

export { DavFailure, SignInRefused, type DavServer } from './caldav-fetch.ts'

// CalDAV (RFC 4791, RFC 6578) with tsdav's requests. Its ready-made synchronization is not used: it treats an expired
// token as an empty account, throws on Google's pages, and fails entirely if one object is missing.

export interface DavCalendar {
  url: string
  name: string
  /** `#rrggbb`, if the server has one. */
  color: string | undefined
  /** IANA time zone, if the server provides it. */
  timezone: string | undefined
  access: 'owner' | 'writer' | 'reader' | 'free_busy'
  /** Changes whenever the calendar does; not supported by every server. */
  ctag: string | undefined
  /** Whether changes can be requested by token. */
  hasTokens: boolean
}

export interface DavObject {
  href: string
  etag: string | undefined
  ics: string
}

/**
 * Changes in a calendar. `isWhole`: `changed` lists the whole calendar, because there was no token or the server no
 * longer knows it.
 */
export interface DavChanges {
  isWhole: boolean
  changed: { href: string; etag: string }[]
  removed: string[]
  token: string | undefined
}
/** Maximum length of answers during calendar discovery, which reads them at once; legitimate ones are shorter. */
const maxDiscoveryLength = 256_000

const maxPages = 200
const multigetSize = 40

/**
 * The calendars of the account, found through its principal whatever address was given. @throws SignInRefused,
 * DavFailure
 */
export async function findCalendars(server: DavServer): Promise<DavCalendar[]> {
  const { createAccount } = await import('tsdav')
  const fetch = limitAnswerLength(davFetch(server))
  const davAccount = await withDavFailures(() =>
    createAccount({ account: { serverUrl: server.url, accountType: 'caldav' }, fetch }),
  )
  const principal = davAccount.principalUrl!
  const rows = await propfind(server, davAccount.homeUrl!, '1', {
    'd:displayname': {},
    'd:resourcetype': {},
    'd:owner': {},
    'd:current-user-privilege-set': {},
    'd:supported-report-set': {},
    'd:sync-token': {},
    'c:supported-calendar-component-set': {},
    'c:calendar-timezone': {},
    'ca:calendar-color': {},
    'cs:getctag': {},
  })
  return rows
    .filter(isEventCalendar)
    .map((row) => calendarOf(row, hrefAddress(row.href!, davAccount.homeUrl!), principal))
}

/**
 * Changes since a token; everything if there is none, or the server no longer knows it. @throws SignInRefused,
 * DavFailure
 */
export async function changesSince(
  server: DavServer,
  url: string,
  token: string | undefined,
  hasTokens = true,
): Promise<DavChanges> {
  if (!hasTokens) return listAllObjects(server, url)
  const first = await fetchChangesPage(server, url, token ?? '')
  if (first === 'forgotten')
    return token === undefined ? listAllObjects(server, url) : changesSince(server, url, undefined)
  const all = {
    isWhole: token === undefined,
    changed: new Map<string, string>(),
    removed: new Set<string>(),
    token: first.token,
  }
  let page = first
  for (let i = 0; ; i++) {
    for (const item of page.changed) {
      all.removed.delete(item.href)
      all.changed.set(item.href, item.etag)
    }
    for (const href of page.removed) {
      all.changed.delete(href)
      all.removed.add(href)
    }
    all.token = page.token
    if (!page.isCut) break
    if (i === maxPages || all.changed.size + all.removed.size > maxEntries)
      throw new DavFailure(507, 'The server’s list of changes does not end.')
    const next = await fetchChangesPage(server, url, page.token ?? '')
    if (next === 'forgotten')
      throw new DavFailure(507, 'The server forgot its token while its changes were read.')
    page = next
  }
  return {
    isWhole: all.isWhole,
    changed: [...all.changed].map(([href, etag]) => ({ href, etag })),
    removed: [...all.removed],
    token: all.token,
  }
}

/** Objects by address; missing ones are omitted. @throws SignInRefused, DavFailure */
export async function* objectsAt(
  server: DavServer,
  url: string,
  hrefs: readonly string[],
): AsyncGenerator<DavObject[]> {
  for (let i = 0; i < hrefs.length; i += multigetSize)
    yield multiget(server, url, hrefs.slice(i, i + multigetSize))
}

/** One object in its current state; undefined if it is gone. */
export async function objectAt(server: DavServer, href: string): Promise<DavObject | undefined> {
  const answer = await davFetch(server)(href, { method: 'GET' })
  if (answer.status === 404 || answer.status === 410) return undefined
  if (!answer.ok) throw new DavFailure(answer.status, `GET returned ${answer.status}.`)
  const ics = await answer.text()
  if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(ics))
    throw new DavFailure(
      answer.status,
      'GET of an event returned something else, such as a sign-in page.',
    )
  return { href, etag: answer.headers.get('etag') ?? undefined, ics }
}

export type PutResult = { done: true; etag: string | undefined } | { done: false; status: number }

/**
 * Writes an object if its ETag still matches, or if none exists yet; `done: false` if the server has a different
 * version.
 */
export async function putObject(
  server: DavServer,
  href: string,
  ics: string,
  etag: string | undefined,
): Promise<PutResult> {
  const headers = {
    'Content-Type': 'text/calendar; charset=utf-8',
    ...(etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag }),
  }
  const answer = await davFetch(server)(href, { method: 'PUT', headers, body: ics })
  if (answer.ok) return { done: true, etag: strongEtag(answer.headers.get('etag')) }
  if ([404, 409, 410, 412].includes(answer.status)) return { done: false, status: answer.status }
  throw new DavFailure(
    answer.status,
    `The server did not accept the event: ${answer.status} ${(await answer.text())
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200)}`.trim(),
  )
}

/** Removes an object if its ETag still matches. `gone`: it had been removed already. */
export async function removeObject(
  server: DavServer,
  href: string,
  etag: string | undefined,
): Promise<'done' | 'gone' | 'changed'> {
  const answer = await davFetch(server)(href, {
    method: 'DELETE',
    headers: etag === undefined ? {} : { 'If-Match': etag },
  })
  if (answer.ok) return 'done'
  if (answer.status === 404 || answer.status === 410) return 'gone'
  if (answer.status === 412) return 'changed'
  throw new DavFailure(answer.status, `The server did not remove the event: ${answer.status}`)
}

/** Refuses answers that would take long to parse. */
function limitAnswerLength(ask: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await ask(input, init)
    const bytes = await answer.clone().arrayBuffer()
    if (bytes.byteLength > maxDiscoveryLength)
      throw new DavFailure(answer.status, 'The answer of the server is too long.')
    return answer
  }
}

interface Page extends DavChanges {
  isCut: boolean
}

/** One sync-collection answer. Google truncates it, marked by a row for the collection itself with status 507. */
async function fetchChangesPage(
  server: DavServer,
  url: string,
  token: string,
): Promise<Page | 'forgotten'> {
  const answer = await request(
    server,
    url,
    'REPORT',
    {},
    {
      'sync-collection': {
        _attributes: namespaces,
        'd:sync-level': 1,
        'd:sync-token': token,
        'd:prop': { 'd:getetag': {} },
      },
    },
  )
  if (!answer.isMultistatus) {
    const { status } = answer
    if ([400, 403, 405, 409, 410, 412, 501].includes(status)) return 'forgotten'
    throw new DavFailure(status, `The request for the list of changes returned ${status}.`)
  }
  const collectionPath = urlPathOf(url)
  const page: Page = {
    isWhole: false,
    changed: [],
    removed: [],
    token: elementText(answer.syncToken),
    isCut: false,
  }
  for (const row of answer.rows) {
    if (row.href === undefined) continue
    const href = hrefAddress(row.href, url)
    if (!maySignInAt(server, row.href, href)) continue // the account must not sign in there, so the row is ignored
    if (row.status === 507) page.isCut = true
    else if (urlPathOf(href) === collectionPath) {
      if (row.status >= 400 && token !== '') return 'forgotten'
    } else if (row.status === 404 || row.status === 410) page.removed.push(href)
    else if (row.props?.getetag !== undefined)
      page.changed.push({ href, etag: String(elementText(row.props.getetag)) })
  }
  return page
}

/** For servers without tokens: all ETags. */
async function listAllObjects(server: DavServer, url: string): Promise<DavChanges> {
  const rows = await propfind(server, url, '1', { 'd:getetag': {}, 'd:resourcetype': {} })
  const collectionPath = urlPathOf(url)
  const entries = rows.map((row) => ({
    href: hrefAddress(row.href, url),
    originalHref: row.href,
    props: row.props,
  }))
  if (!entries.some((item) => urlPathOf(item.href) === collectionPath))
    throw new DavFailure(
      207,
      'The list of a calendar does not name the calendar itself, so it may be of something else.',
    )
  const objects = entries.filter(
    (item) =>
      item.props?.getetag !== undefined &&
      !('collection' in (item.props.resourcetype ?? {})) &&
      urlPathOf(item.href) !== collectionPath &&
      maySignInAt(server, item.originalHref, item.href),
  )
  return {
    isWhole: true,
    changed: objects.map((object) => ({
      href: object.href,
      etag: String(elementText(object.props!.getetag)),
    })),
    removed: [],
    token: undefined,
  }
}

async function multiget(
  server: DavServer,
  url: string,
  hrefs: readonly string[],
): Promise<DavObject[]> {
  const requestedHrefs = new Map(hrefs.map((href) => [pathAndQuery(href), href]))
  const paths = hrefs.map((href) => new URL(href)).map((item) => `${item.pathname}${item.search}`)
  const body = {
    'calendar-multiget': {
      _attributes: namespaces,
      'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
      'd:href': paths,
    },
  }
  const rows = multistatusRows(
    await request(server, url, 'REPORT', { depth: '1' }, body, 'c'),
    'calendar-multiget',
  )
  return rows.flatMap((row) => {
    const ics = elementText(row.props?.calendarData)
    if (row.href === undefined || ics === undefined) return []
    const requestedHref = requestedHrefs.get(pathAndQuery(hrefAddress(row.href, url)))
    if (requestedHref === undefined) return [] // not requested, and possibly another event
    return [
      {
        href: requestedHref,
        etag: row.props?.getetag === undefined ? undefined : String(elementText(row.props.getetag)),
        ics,
      },
    ]
  })
}

function calendarOf({ props = {} }: DavRow, url: string, principal: string): DavCalendar {
  const color = /^#[0-9a-f]{6}/i.exec(elementText(props.calendarColor) ?? '')?.[0]
  const owner = elementText((props.owner as { href?: unknown } | undefined)?.href)
  return {
    url,
    name:
      elementText(props.displayname)?.slice(0, 200) ||
      decodeDavPath(url.replace(/\/$/, '').split('/').pop() ?? '') ||
      'Calendar',
    color,
    timezone: /^TZID:\s*(.+?)\s*$/m.exec(elementText(props.calendarTimezone) ?? '')?.[1],
    access: accessOf(
      props.currentUserPrivilegeSet,
      owner === undefined || isSameDavPath(hrefAddress(owner, url), principal),
    ),
    ctag: elementText(props.getctag),
    hasTokens:
      props.syncToken !== undefined ||
      JSON.stringify(props.supportedReportSet ?? '').includes('syncCollection'),
  }
}

/** Servers that report no privileges allow the account everything. */
function accessOf(set: unknown, isOwn: boolean): DavCalendar['access'] {
  if (set === undefined || set === null || typeof set !== 'object')
    return isOwn ? 'owner' : 'writer'
  const names = new Set(
    [(set as { privilege?: unknown }).privilege ?? []]
      .flat()
      .flatMap((item) => Object.keys((item ?? {}) as object)),
  )
  if (['all', 'write', 'writeContent', 'bind'].some((name) => names.has(name)))
    return isOwn ? 'owner' : 'writer'
  if (names.has('read')) return 'reader'
  return names.has('readFreeBusy') ? 'free_busy' : 'reader'
}

function isEventCalendar({ href, props = {} }: DavRow): boolean {
  if (href === undefined || !('calendar' in ((props.resourcetype ?? {}) as object))) return false
  const components = [
    (props.supportedCalendarComponentSet as { comp?: unknown } | undefined)?.comp ?? [],
  ].flat() as { _attributes?: { name?: string } }[]
  return (
    components.length === 0 ||
    components.some((component) => component._attributes?.name === 'VEVENT')
  )
}

/** The ETag if it is strong: a weak one does not identify the bytes, so that the object must be read back. */
function strongEtag(etag: string | null): string | undefined {
  return etag === null || etag.startsWith('W/') ? undefined : etag
}
