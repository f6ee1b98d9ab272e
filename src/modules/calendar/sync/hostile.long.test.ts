import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { modules } from '../../index.ts'
import { describeLoginError } from '../../accounts/accounts-logins.ts'
import { findCalendars } from '../../../connectors/caldav.ts'
import { calendarModule } from '../index.ts'
import { waitLimitMs } from '../../../testing/limits.ts'

// Tests the calendar sync against a scripted CalDAV server.

type RequestHandler = (
  request: { method: string; path: string; body: string },
  response: ServerResponse,
) => void | Promise<void>

let server: Server
let port: number
let handleRequest: RequestHandler
const requests: string[] = []

before(async () => {
  server = createServer(
    (request, response) =>
      void read(request).then((body) => {
        requests.push(`${request.method} ${request.url}`)
        return handleRequest({ method: request.method!, path: request.url!, body }, response)
      }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.closeAllConnections()
  server.close()
})

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

let workspace: TestWorkspace
let ann: Someone
beforeEach(async () => {
  workspace = await makeWorkspace({
    modules: modules.filter((module) => module.name !== 'email'),
    settings: { outbound_allow: `127.0.0.1:${port}` },
  })
  ann = workspace.ann
  requests.splice(0)
  const now = workspace.clock.now()
  const row = {
    id: 'mac_00000000000000000000000009',
    org_id: ann.actor.org_id,
    owner_id: ann.id,
    provider: 'caldav',
    address: 'ann@dav.test',
    display_name: 'x',
    login: 'ann',
    has_mail: 0,
    has_calendar: 1,
    has_drive: 0,
    status: 'syncing',
    services_json: '{}',
    servers_json: JSON.stringify({ caldav: { url: `http://127.0.0.1:${port}/` } }),
    signed_in_at: now,
    is_default: 0,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: ann.id,
    created_via: 'web',
  }
  await workspace.app.store.writer.run(async () => {
    await workspace.app.store.write
      .insertInto('accounts')
      .values(row as never)
      .execute()
    await workspace.app.secrets.put(
      workspace.app.store.write,
      now,
      { org_id: ann.actor.org_id, table: 'accounts', row_id: row.id, column: 'password' },
      'secret',
    )
  })
})
afterEach(() => workspace.close())

async function sync(): Promise<void> {
  workspace.clock.wait(6 * 60_000)
  const queue = new Queue(workspace.app, { random: () => 0 })
  for (const tick of calendarModule.ticks!)
    if (!tick.due || (await tick.due(workspace.app.store.read))) await runTick(workspace.app, tick)
  await queue.drain()
}

const rows = (sql: string) =>
  workspace.app.store.raw.read.prepare(sql).all() as Record<string, any>[]
const titles = () =>
  rows('SELECT title FROM events WHERE remote_href IS NOT NULL ORDER BY title').map(
    (row) => row.title,
  )
const problem = () => JSON.stringify(rows('SELECT services_json FROM accounts')[0]!.services_json)

const multistatus = (body: string) =>
  `<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${body}</d:multistatus>`
const prop = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
const etagRow = (href: string, etag = '1') => prop(href, `<d:getetag>"${etag}"</d:getetag>`)
const ics = (uid: string, ...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:x',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    ...(lines.some((line) => line.startsWith('DTSTART')) ? [] : ['DTSTART:20261124T100000Z']),
    `SUMMARY:${uid}`,
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

interface ServerScript {
  objects?: Record<string, string>
  ctag?: () => string
  list?: string
  data?: string
  override?: (
    request: { method: string; path: string; body: string },
    response: ServerResponse,
  ) => boolean
}

/** A server that is correct except for what a test overrides. */
function scriptServer({
  objects = {},
  ctag = () => '1',
  list,
  data,
  override = () => false,
}: ServerScript): void {
  handleRequest = (request, response) => {
    if (override(request, response)) return
    const { method, path, body } = request
    const send = (text: string, status = 207) =>
      void response
        .writeHead(status, { 'content-type': 'application/xml; charset=utf-8' })
        .end(text)
    if (
      method === 'PROPFIND' &&
      path === '/cal/' &&
      /getetag/.test(body) &&
      !/displayname/.test(body)
    )
      return send(
        list ??
          multistatus(
            etagRow('/cal/', 'self') +
              Object.keys(objects)
                .map((name) => etagRow(`/cal/${name}`))
                .join(''),
          ),
      )
    if (method === 'PROPFIND' && path === '/home/')
      return send(
        multistatus(
          prop(
            '/cal/',
            `<d:displayname>Theirs</d:displayname><d:resourcetype><d:collection/><c:calendar/></d:resourcetype><cs:getctag>${ctag()}</cs:getctag><d:current-user-privilege-set><d:privilege><d:all/></d:privilege></d:current-user-privilege-set>`,
          ),
        ),
      )
    if (method === 'PROPFIND')
      return send(
        multistatus(
          prop(
            path,
            '<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set><d:resourcetype><d:collection/></d:resourcetype>',
          ),
        ),
      )
    if (method === 'REPORT')
      return send(
        data ??
          multistatus(
            Object.entries(objects)
              .filter(([name]) => body.includes(`/cal/${name}`))
              .map(([name, text]) =>
                prop(
                  `/cal/${name}`,
                  `<d:getetag>"1"</d:getetag><c:calendar-data><![CDATA[${text}]]></c:calendar-data>`,
                ),
              )
              .join(''),
          ),
      )
    send('', 404)
  }
}

test('a well-behaved server is synced, as a baseline for the tests below', async () => {
  scriptServer({ objects: { 'a.ics': ics('a'), 'b.ics': ics('b') } })
  await sync()
  assert.deepEqual(titles(), ['a', 'b'])
})

test('events that no calendar can represent are kept as unreadable, and the others are imported', async () => {
  const oddObjects = {
    'long.ics': ics('long', 'DURATION:P999999999999999999W'),
    'far.ics': ics('far', 'DTSTART:99991231T235959Z'),
    'zero.ics': ics('zero', 'DTSTART:00000101T000000Z'),
    'seq.ics': ics('seq', 'SEQUENCE:999999999999999999999'),
    'alarm.ics': ics(
      'alarm',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-P999999999999999999W',
      'END:VALARM',
    ),
    'often.ics': ics('often', 'RRULE:FREQ=SECONDLY;COUNT=999999999'),
    'none.ics': 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
    'dates.ics': ics(
      'dates',
      `RDATE:${Array.from({ length: 6000 }, () => '20261125T100000Z').join(',')}`,
    ),
  }
  scriptServer({ objects: { 'a.ics': ics('a'), ...oddObjects, 'z.ics': ics('z') } })
  await sync()
  assert.equal(titles().filter((title) => title === 'a' || title === 'z').length, 2)
  assert.equal(titles().length, 2 + Object.keys(oddObjects).length)
  assert.deepEqual(
    rows(
      'SELECT title FROM events WHERE unreadable IS NULL AND title IS NOT NULL ORDER BY title',
    ).map((row) => row.title),
    ['a', 'alarm', 'often', 'seq', 'z'],
  )
  assert.doesNotMatch(problem(), /problem/)
  await ann.call('list_events', { from: '2026-11-01', to: '2026-12-30' })
})

test('addresses of other hosts in a list are skipped without signing in there, and valid ones are imported', async () => {
  scriptServer({
    objects: { 'a.ics': ics('a') },
    list: multistatus(
      etagRow('/cal/', 'self') +
        etagRow('/cal/a.ics') +
        etagRow('http://169.254.169.254/latest/meta-data') +
        etagRow('//evil.test/b.ics') +
        etagRow('javascript:alert(1)'),
    ),
  })
  await sync()
  assert.deepEqual(titles(), ['a'])
  assert.ok(requests.every((name) => /^\w+ \/(cal|home|me)?/.test(name)))
})

test('data for an address that was not requested changes nothing', async () => {
  scriptServer({ objects: { 'a.ics': ics('a') } })
  await sync()
  scriptServer({
    objects: { 'a.ics': ics('a'), 'b.ics': ics('b') },
    ctag: () => '2',
    data: multistatus(
      prop(
        '/cal/b.ics',
        `<d:getetag>"1"</d:getetag><c:calendar-data><![CDATA[${ics('b')}]]></c:calendar-data>`,
      ) +
        prop(
          '/cal/a.ics',
          `<d:getetag>"9"</d:getetag><c:calendar-data><![CDATA[${ics('evil')}]]></c:calendar-data>`,
        ) +
        prop(
          'http://evil.test/c.ics',
          `<d:getetag>"1"</d:getetag><c:calendar-data><![CDATA[${ics('c')}]]></c:calendar-data>`,
        ),
    ),
  })
  await sync()
  assert.deepEqual(titles(), ['a', 'b'])
})

test('a ctag that changes every time causes no changes of its own', async () => {
  let turn = 0
  scriptServer({ objects: { 'a.ics': ics('a') }, ctag: () => String(turn++) })
  for (let i = 0; i < 4; i++) await sync()
  assert.deepEqual(rows('SELECT title, revision FROM events WHERE remote_href IS NOT NULL'), [
    { title: 'a', revision: 1 },
  ])
  assert.equal(requests.filter((name) => name.startsWith('REPORT')).length, 1)
})

test('XML crafted to break the parser is a server failure, and the next sync works', async () => {
  const entities = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`).join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>`
  const cases: Record<string, string> = {
    'nested deeply': multistatus('<d:x>'.repeat(300_000) + '</d:x>'.repeat(300_000)),
    entities: `${entities}${multistatus(prop('/cal/a.ics', '<d:getetag>&a30;&file;</d:getetag>')).replace(/^<\?xml[^>]*>/, '')}`,
    attributes: multistatus(
      `<d:x ${Array.from({ length: 100_000 }, (_, i) => `a${i}="x"`).join(' ')}/>`,
    ),
    'names of objects': multistatus(
      '<__proto__><toString/></__proto__><d:response><__proto__>1</__proto__><d:href><constructor/></d:href></d:response>',
    ),
    cut: multistatus(etagRow('/cal/', 'self') + etagRow('/cal/a.ics')).slice(0, -30),
    'no XML': '<html><body>Sign in</body></html>',
    nothing: '',
  }
  scriptServer({ objects: { 'a.ics': ics('a') } })
  await sync()
  for (const [name, list] of Object.entries(cases)) {
    scriptServer({ objects: { 'a.ics': ics('a') }, list, ctag: () => name })
    await sync()
    assert.deepEqual(titles(), ['a'], name)
  }
  assert.equal(Object.prototype.toString.call({}), '[object Object]')
  scriptServer({ objects: { 'a.ics': ics('a'), 'b.ics': ics('b') }, ctag: () => 'right again' })
  workspace.clock.wait(2 * 3600_000)
  await sync()
  assert.deepEqual(titles(), ['a', 'b'])
})

test('a response in another charset keeps its letters, or omits unreadable ones', async () => {
  const latin1Body = Buffer.from(
    multistatus(
      prop(
        '/cal/a.ics',
        `<d:getetag>"1"</d:getetag><c:calendar-data><![CDATA[${ics('Grüße')}]]></c:calendar-data>`,
      ),
    ),
    'latin1',
  )
  scriptServer({
    objects: { 'a.ics': '' },
    override: ({ method }, response) => {
      if (method !== 'REPORT') return false
      response.writeHead(207, { 'content-type': 'text/xml; charset=iso-8859-1' }).end(latin1Body)
      return true
    },
  })
  await sync()
  assert.deepEqual(titles(), ['Grüße'])
})

test('circular redirects are cut off', async () => {
  let turns = 0
  scriptServer({
    override: ({ path }, response) => {
      turns++
      response.writeHead(302, { location: path === '/x' ? '/y' : '/x' }).end()
      return true
    },
  })
  await sync()
  assert.ok(turns < 60, `${turns} requests`)
  assert.deepEqual(titles(), [])
  assert.match(problem(), /problem/)
})

test('a list of 15 MB is read without blocking other work', async (t) => {
  const count = 90_000
  scriptServer({
    list: multistatus(
      etagRow('/cal/', 'self') +
        Array.from({ length: count }, (_, i) => etagRow(`/cal/${i}.ics`)).join(''),
    ),
    override: ({ method }, response) => {
      if (method !== 'REPORT') return false
      response.writeHead(404).end()
      return true
    },
  })
  let last = performance.now()
  let worst = 0
  const heartbeat = setInterval(() => {
    worst = Math.max(worst, performance.now() - last)
    last = performance.now()
  }, 5)
  await sync()
  clearInterval(heartbeat)
  t.diagnostic(`the main thread was blocked for at most ${Math.round(worst)} ms`)
  assert.ok(
    requests.some((name) => name.startsWith('REPORT')),
    'the list was read completely',
  )
})

test('a larger response, or an endless one, is aborted', async () => {
  scriptServer({ objects: { 'a.ics': ics('a') } })
  await sync()
  scriptServer({
    ctag: () => '2',
    override: ({ method, path, body }, response) => {
      if (method !== 'PROPFIND' || path !== '/cal/' || /displayname/.test(body)) return false
      response.writeHead(207, { 'content-type': 'application/xml' })
      const more = () => {
        while (!response.destroyed && response.write('<d:x>'.repeat(20_000)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
      return true
    },
  })
  await sync()
  assert.deepEqual(titles(), ['a'])
  assert.match(problem(), /too long/)
})

test('a list of more than 100,000 events is aborted, and the reader continues with the next list', async () => {
  const row = (i: number) =>
    `<d:response><d:href>/cal/${i}</d:href><d:status>HTTP/1.1 200 OK</d:status></d:response>`
  scriptServer({ list: multistatus(Array.from({ length: 102_000 }, (_, i) => row(i)).join('')) })
  await sync()
  assert.match(problem(), /too long/)
  const padding = `<!-- ${'x'.repeat(30_000)} -->` // large enough to be read in the reader process, too
  scriptServer({
    objects: { 'a.ics': ics('a') },
    list: multistatus(`${padding}${etagRow('/cal/', 'self')}${etagRow('/cal/a.ics')}`),
    ctag: () => '2',
  })
  workspace.clock.wait(2 * 3600_000)
  await sync()
  assert.deepEqual(titles(), ['a'])
})

test('a server that accepts the request but stays silent is reported as slow, not as unreachable', async () => {
  handleRequest = () => {}
  const url = `http://127.0.0.1:${port}/`
  const ask = (to: string, more: object, signal: AbortSignal) =>
    workspace.app.outbound.request(to, more as never, {
      signal,
      timeoutMs: waitLimitMs,
      maxBytes: 1 << 20,
      purpose: 'dav',
    })
  const tryLogin = (timeoutMs: number) =>
    describeLoginError(
      'The calendar server',
      { host: '127.0.0.1' },
      'password',
      async (signal) =>
        void (await findCalendars({
          url,
          request: (to, more) => ask(to, more, signal),
          login: async () => ({ user: 'a', password: 'b' }),
        })),
      new AbortController().signal,
      timeoutMs,
    )
  await assert.rejects(
    tryLogin(300),
    (error: unknown) =>
      error instanceof Refusal &&
      /did not answer within 1 seconds?/.test(error.message) &&
      /busy/.test(error.more.hint!),
  )
})
