import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import { DavFailure, davFetch, isKin, type DavServer } from './caldav-fetch.ts'
import type { DavRow, RawAnswer, ReadAnswer } from './dav-answers.ts'
import type { ReadingTasks } from './reading.ts'

export { DavFailure, SignInRefused, type DavServer } from './caldav-fetch.ts'

// CalDAV (RFC 4791, RFC 6578) by tsdav's requests. Its ready-made synchronization is not used: it takes an expired token for an empty
// account, throws at the pages of Google, and reads one missing object as the failure of all.

export interface DavCalendar {
  url: string
  name: string
  /** `#rrggbb`, where the server has one. */
  color: string | undefined
  /** Of the IANA list, where the server says so. */
  timezone: string | undefined
  access: 'owner' | 'writer' | 'reader' | 'free_busy'
  /** Changes whenever something in the calendar does; not every server has it. */
  ctag: string | undefined
  /** Whether changes may be asked for by token. */
  hasTokens: boolean
}

export interface DavObject {
  href: string
  etag: string | undefined
  ics: string
}

/** What is new in a calendar. `isWhole`: changed names all that is there, because the token was none or is known no more. */
export interface DavChanges {
  isWhole: boolean
  changed: { href: string; etag: string }[]
  removed: string[]
  token: string | undefined
}

/** Answers are read in a process of their own: what a server sends is XML of up to some megabytes. */
const answers = new Sandbox<ReadingTasks>('reading', import.meta.url, {
  cpuMs: 20_000,
  megabytes: 384,
})
/** Shorter answers are read at once, which takes a few milliseconds. */
const maxInline = 20_000
/** What finds the calendars of an account reads answers at once; nobody's are longer. */
const maxDiscoveryLength = 256_000

const mostPages = 200
const mostEntries = 100_000
const perMultiget = 40

/** The calendars of the account: where the principal leads, whatever address was given. @throws SignInRefused, DavFailure */
export async function findCalendars(server: DavServer): Promise<DavCalendar[]> {
  const { createAccount } = await import('tsdav')
  const fetch = shortAnswers(davFetch(server))
  const found = await failing(() =>
    createAccount({ account: { serverUrl: server.url, accountType: 'caldav' }, fetch }),
  )
  const principal = found.principalUrl!
  const rows = await propfind(server, found.homeUrl!, '1', {
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
    .filter(isForEvents)
    .map((row) => calendarOf(row, addressIn(row.href!, found.homeUrl!), principal))
}

/** What changed since a token; all of it where there is none, or the server knows it no more. @throws SignInRefused, DavFailure */
export async function changesSince(
  server: DavServer,
  url: string,
  token: string | undefined,
  hasTokens = true,
): Promise<DavChanges> {
  if (!hasTokens) return wholeList(server, url)
  const first = await pageOfChanges(server, url, token ?? '')
  if (first === 'forgotten')
    return token === undefined ? wholeList(server, url) : changesSince(server, url, undefined)
  const all = {
    isWhole: token === undefined,
    changed: new Map<string, string>(),
    removed: new Set<string>(),
    token: first.token,
  }
  let page = first
  for (let i = 0; ; i++) {
    for (const item of page.changed)
      all.removed.delete(item.href), all.changed.set(item.href, item.etag)
    for (const href of page.removed) all.changed.delete(href), all.removed.add(href)
    all.token = page.token
    if (!page.isCut) break
    if (i === mostPages || all.changed.size + all.removed.size > mostEntries)
      throw new DavFailure(507, 'The server’s list of changes does not end.')
    const next = await pageOfChanges(server, url, page.token ?? '')
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

/** Objects by their addresses; those that are gone are left out. @throws SignInRefused, DavFailure */
export async function* objectsAt(
  server: DavServer,
  url: string,
  hrefs: readonly string[],
): AsyncGenerator<DavObject[]> {
  for (let i = 0; i < hrefs.length; i += perMultiget)
    yield multiget(server, url, hrefs.slice(i, i + perMultiget))
}

/** One object as it is now; undefined where it is gone. */
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

export type Put = { done: true; etag: string | undefined } | { done: false; status: number }

/** Writes an object where it still has that ETag, or where there is none yet; `done: false` where the server holds something else. */
export async function putObject(
  server: DavServer,
  href: string,
  ics: string,
  etag: string | undefined,
): Promise<Put> {
  const headers = {
    'Content-Type': 'text/calendar; charset=utf-8',
    ...(etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag }),
  }
  const answer = await davFetch(server)(href, { method: 'PUT', headers, body: ics })
  if (answer.ok) return { done: true, etag: strong(answer.headers.get('etag')) }
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

/** Removes an object where it still has that ETag. `gone`: it was removed already. */
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

/** Refuses answers that would take long to read. */
function shortAnswers(ask: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await ask(input, init)
    const bytes = await answer.clone().arrayBuffer()
    if (bytes.byteLength > maxDiscoveryLength)
      throw new DavFailure(answer.status, 'The answer of the server is too long.')
    return answer
  }
}

interface DavAnswer extends ReadAnswer {
  rows: DavRow[]
}

type DavBody = Parameters<typeof import('tsdav').davRequest>[0]['init']['body']

/** One request and what the server answers, read in a process of its own where it is long. */
async function request(
  server: DavServer,
  url: string,
  method: 'PROPFIND' | 'REPORT',
  headers: Record<string, string>,
  body: DavBody,
  namespace = 'd',
): Promise<DavAnswer> {
  const { davRequest } = await import('tsdav')
  const ask = davFetch(server)
  let kept: RawAnswer | undefined
  await failing(() =>
    davRequest({
      url,
      init: { method, headers, namespace, body },
      parseOutgoing: false,
      fetch: async (input, init) => {
        const answer = await ask(input, init)
        kept = {
          url: answer.url,
          status: answer.status,
          contentType: answer.headers.get('content-type') ?? '',
          bytes: new Uint8Array(await answer.arrayBuffer()),
        }
        return new Response(null, { status: 204 }) // what came is read below
      },
    }),
  )
  return readAnswer(kept!)
}

async function readAnswer(answer: RawAnswer): Promise<DavAnswer> {
  const rows: DavRow[] = []
  const read =
    answer.bytes.byteLength <= maxInline
      ? (await import('./dav-answers.ts')).rowsOfAnswer(answer)
      : answers.batches('dav', answer)
  try {
    for (;;) {
      const { done, value } = await read.next()
      if (done) return { ...value, rows: rows.filter((row) => row.href !== undefined) }
      rows.push(...value)
      if (rows.length > mostEntries)
        throw new DavFailure(507, 'The answer of the server is too long.')
    }
  } catch (error) {
    if (error instanceof DavFailure) throw error
    if (error instanceof SandboxFailure)
      throw new DavFailure(
        answer.status,
        `The answer of the server cannot be read. ${error.message}`,
      )
    return failing(() => Promise.reject(error))
  } finally {
    await read.return(undefined as never) // or its process would wait for somebody to take the rest
  }
}

async function propfind(
  server: DavServer,
  url: string,
  depth: '0' | '1',
  props: Record<string, object>,
): Promise<DavRow[]> {
  const answer = await request(
    server,
    url,
    'PROPFIND',
    { depth },
    { propfind: { _attributes: namespaces, 'd:prop': props } },
  )
  const rows = rowsOf(answer, 'PROPFIND')
  if (rows.length === 0)
    throw new DavFailure(
      207,
      'PROPFIND returned an empty answer, which should at least name the requested resource.',
    )
  return rows
}

const namespaces = {
  'xmlns:d': 'DAV:',
  'xmlns:c': 'urn:ietf:params:xml:ns:caldav',
  'xmlns:cs': 'http://calendarserver.org/ns/',
  'xmlns:ca': 'http://apple.com/ns/ical/',
}

interface Page extends DavChanges {
  isCut: boolean
}

/** One answer to sync-collection. Google cuts it and says so by a row of the collection itself with 507. */
async function pageOfChanges(
  server: DavServer,
  url: string,
  token: string,
): Promise<Page | 'forgotten'> {
  const answered = await request(
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
  if (!answered.isMultistatus) {
    const { status } = answered
    if ([400, 403, 405, 409, 410, 412, 501].includes(status)) return 'forgotten'
    throw new DavFailure(status, `The request for the list of changes returned ${status}.`)
  }
  const self = pathOf(url)
  const page: Page = {
    isWhole: false,
    changed: [],
    removed: [],
    token: textOf(answered.syncToken),
    isCut: false,
  }
  for (const row of answered.rows) {
    if (row.href === undefined) continue
    const href = addressIn(row.href, url)
    if (!isOurs(server, row.href, href)) continue // nobody signs in there, so nothing of it counts
    if (row.status === 507) page.isCut = true
    else if (pathOf(href) === self) {
      if (row.status >= 400 && token !== '') return 'forgotten'
    } else if (row.status === 404 || row.status === 410) page.removed.push(href)
    else if (row.props?.getetag !== undefined)
      page.changed.push({ href, etag: String(textOf(row.props.getetag)) })
  }
  return page
}

/** For servers without tokens: the ETag of everything. */
async function wholeList(server: DavServer, url: string): Promise<DavChanges> {
  const rows = await propfind(server, url, '1', { 'd:getetag': {}, 'd:resourcetype': {} })
  const self = pathOf(url)
  const found = rows.map((row) => ({
    href: addressIn(row.href, url),
    given: row.href,
    props: row.props,
  }))
  if (!found.some((item) => pathOf(item.href) === self))
    throw new DavFailure(
      207,
      'The list of a calendar does not name the calendar itself, so it may be of something else.',
    )
  const objects = found.filter(
    (item) =>
      item.props?.getetag !== undefined &&
      !('collection' in (item.props.resourcetype ?? {})) &&
      pathOf(item.href) !== self &&
      isOurs(server, item.given, item.href),
  )
  return {
    isWhole: true,
    changed: objects.map((object) => ({
      href: object.href,
      etag: String(textOf(object.props!.getetag)),
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
  const wanted = new Map(hrefs.map((href) => [placeOf(href), href]))
  const paths = hrefs.map((href) => new URL(href)).map((item) => `${item.pathname}${item.search}`)
  const body = {
    'calendar-multiget': {
      _attributes: namespaces,
      'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
      'd:href': paths,
    },
  }
  const rows = rowsOf(
    await request(server, url, 'REPORT', { depth: '1' }, body, 'c'),
    'calendar-multiget',
  )
  return rows.flatMap((row) => {
    const ics = textOf(row.props?.calendarData)
    if (row.href === undefined || ics === undefined) return []
    const asked = wanted.get(placeOf(addressIn(row.href, url)))
    if (asked === undefined) return [] // nobody asked for it, and it may stand for another event
    return [
      {
        href: asked,
        etag: row.props?.getetag === undefined ? undefined : String(textOf(row.props.getetag)),
        ics,
      },
    ]
  })
}

function calendarOf({ props = {} }: DavRow, url: string, principal: string): DavCalendar {
  const color = /^#[0-9a-f]{6}/i.exec(textOf(props.calendarColor) ?? '')?.[0]
  const owner = textOf((props.owner as { href?: unknown } | undefined)?.href)
  return {
    url,
    name:
      textOf(props.displayname)?.slice(0, 200) ||
      decoded(url.replace(/\/$/, '').split('/').pop() ?? '') ||
      'Calendar',
    color,
    timezone: /^TZID:\s*(.+?)\s*$/m.exec(textOf(props.calendarTimezone) ?? '')?.[1],
    access: accessOf(
      props.currentUserPrivilegeSet,
      owner === undefined || isSame(addressIn(owner, url), principal),
    ),
    ctag: textOf(props.getctag),
    hasTokens:
      props.syncToken !== undefined ||
      JSON.stringify(props.supportedReportSet ?? '').includes('syncCollection'),
  }
}

/** Servers that tell no privileges let the account do everything. */
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
  return names.has('read') ? 'reader' : names.has('readFreeBusy') ? 'free_busy' : 'reader'
}

function isForEvents({ href, props = {} }: DavRow): boolean {
  if (href === undefined || !('calendar' in ((props.resourcetype ?? {}) as object))) return false
  const components = [
    (props.supportedCalendarComponentSet as { comp?: unknown } | undefined)?.comp ?? [],
  ].flat() as { _attributes?: { name?: string } }[]
  return (
    components.length === 0 ||
    components.some((component) => component._attributes?.name === 'VEVENT')
  )
}

/** An answer that is no list of a DAV server (a page to sign in, cut XML) is a failure, never an empty list. */
function rowsOf({ isMultistatus, status, rows }: DavAnswer, what: string): DavRow[] {
  if (isMultistatus) return rows
  throw new DavFailure(
    status,
    `${what} was answered with ${status}${status < 300 ? ', and no list' : ''}.`,
  )
}

/** tsdav turns text that looks like a number into one. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return textOf(value[0])
  if (value === null || typeof value !== 'object') return undefined
  const { _cdata, _text } = value as { _cdata?: unknown; _text?: unknown }
  return textOf(_cdata ?? _text)
}

/** A weak ETag says nothing of the bytes: the object is read back instead. */
function strong(etag: string | null): string | undefined {
  return etag === null || etag.startsWith('W/') ? undefined : etag
}

/** The address that a server names in an answer. @throws DavFailure where it is none */
function addressIn(href: unknown, base: string): string {
  if (typeof href === 'string' && URL.canParse(href, base)) return new URL(href, base).href
  throw new DavFailure(
    207,
    `The server returned an invalid address: ${String(JSON.stringify(href)).slice(0, 100)}`,
  )
}

/** Whether an address in an answer is one at which the account may sign in; a path is one of the server itself. */
function isOurs(server: DavServer, given: unknown, href: string): boolean {
  return (typeof given === 'string' && /^\/(?!\/)/.test(given)) || isKin(server, href)
}

/** Some servers write a % as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function isSame(a: string, b: string): boolean {
  return pathOf(a) === pathOf(b)
}

/** The same with its query. */
function placeOf(url: string): string {
  return `${pathOf(url)}${new URL(url).search}`
}

/** What names an object on its server, however it is encoded. */
function pathOf(url: string): string {
  return decoded(new URL(url).pathname).replace(/\/+$/, '')
}

/** What tsdav throws of its own says only that something was not found. */
async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.constructor !== Error && error.constructor !== TypeError)
      throw error
    throw new DavFailure(
      0,
      `This is not a CalDAV server: ${(error as Error).message}`.slice(0, 300),
      { cause: error },
    )
  }
}
