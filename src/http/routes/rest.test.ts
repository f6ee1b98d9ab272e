import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { modules } from '../../modules/index.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

const echo = operation({
  name: 'echo_things',
  kind: 'read',
  rest: 'GET /api/things/{thing_id}/echo',
  about: 'What was sent',
  input: {
    thing_id: z.string(),
    tags: z.array(z.string()).optional(),
    size: z.int().optional(),
    word: z.string().optional(),
  },
  output: z.object({}).loose(),
  handle: async (args) => args,
})
const fixedEcho = operation({
  name: 'list_fixed',
  kind: 'read',
  rest: 'GET /api/things/fixed/echo',
  about: 'Fixed',
  output: z.object({ fixed: z.boolean() }),
  handle: async () => ({ fixed: true }),
})
const download = operation({
  name: 'download_thing',
  kind: 'read',
  unlisted: true,
  rest: 'GET /api/things/{thing_id}/bytes',
  about: 'A file',
  input: { thing_id: z.string() },
  output: z.object({
    download: z.object({ name: z.string(), mime_type: z.string(), content_base64: z.string() }),
  }),
  handle: async ({ thing_id }) => ({
    download: {
      name: `Ré"su\nmé ${thing_id}.html`,
      mime_type: 'text/html',
      content_base64: Buffer.from('<script>1</script>').toString('base64'),
    },
  }),
})
const bug = operation({
  name: 'get_bug',
  kind: 'read',
  rest: 'GET /api/bugs',
  about: 'Fails',
  output: z.object({}),
  handle: async () => Promise.reject(new Error('secret detail')),
})
const updateThing = operation({
  name: 'update_thing',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/things/{thing_id}',
  about: 'Takes a revision',
  input: { thing_id: z.string(), expected_revision: z.int().optional() },
  output: z.object({ revision: z.int(), expected: z.int().optional() }),
  handle: async ({ expected_revision }) => ({
    revision: 7,
    ...(expected_revision === undefined ? {} : { expected: expected_revision }),
  }),
})
const things: Module = {
  name: 'things',
  about: 'For the tests of REST.',
  operations: [echo, fixedEcho, download, bug, updateThing],
}

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({ modules: [...modules, things] })
})
after(() => served.close())

test('a label is created, listed, changed and deleted', async () => {
  const label = await served.ask('POST', '/api/labels', {
    body: { name: 'Round trip', color: '#ff0000' },
  })
  assert.equal(label.status, 201)
  assert.equal(label.headers.get('content-type'), 'application/json')
  assert.equal(label.headers.get('location'), `/api/labels/${label.json.id}`)
  assert.equal(label.headers.get('etag'), '"1"')
  assert.match(label.headers.get('x-call-id')!, /^clg_/)
  assert.equal(label.json.created_via, 'api')
  const listed = await served.ask('GET', '/api/labels?query=round&limit=5')
  assert.equal(listed.status, 200)
  assert.deepEqual(
    listed.json.items.map((item: { id: string }) => item.id),
    [label.json.id],
  )
  const changed = await served.ask('PATCH', `/api/labels/${label.json.id}`, {
    body: { name: 'Changed' },
  })
  assert.equal(changed.json.name, 'Changed')
  assert.equal(changed.headers.get('etag'), '"2"')
  const deleted = await served.ask('DELETE', '/api/labels/Changed?dry_run=false')
  assert.equal(deleted.status, 200)
  assert.equal(deleted.json.dry_run, false)
})

test('every response carries security headers and an id', async () => {
  for (const path of [
    '/api/labels',
    '/api/nothing',
    '/healthz',
    '/nothing',
    '/api/openapi.json',
    '/',
  ]) {
    const { headers } = await served.ask('GET', path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, path)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path)
    assert.equal(headers.get('access-control-allow-origin'), null, path)
  }
  assert.equal((await served.ask('GET', '/api/labels')).headers.get('cache-control'), 'no-store')
})

test('a well-formed request id from the caller is kept, any other is replaced', async () => {
  const ask = async (id: string) =>
    (await served.ask('GET', '/api/labels', { headers: { 'x-request-id': id } })).headers.get(
      'x-request-id',
    )
  assert.equal(await ask('my-request_1'), 'my-request_1')
  for (const id of ['short', 'x'.repeat(65), 'with space', '<script>alert</script>'])
    assert.notEqual(await ask(id), id)
  const got = await served.ask('GET', '/api/nothing', {
    headers: { 'x-request-id': 'my-request_2' },
  })
  assert.equal(got.json.request_id, 'my-request_2')
})

test('an unsupported method is 405 with the supported ones', async () => {
  const got = await served.ask('PUT', '/api/labels', { body: {} })
  assert.equal(got.status, 405)
  assert.deepEqual(got.headers.get('allow')!.split(', ').sort(), ['GET', 'HEAD', 'OPTIONS', 'POST'])
  assert.equal(got.json.code, 'method_not_allowed')
  for (const path of ['/healthz', '/api/openapi.json', '/', '/api/docs'])
    assert.equal((await served.ask('POST', path, { body: {} })).status, 405, path)
})

test('the front page links to the reference, in the style of the setup page', async () => {
  const got = await served.ask('GET', '/', { key: '' })
  assert.equal(got.status, 200)
  assert.match(got.headers.get('content-security-policy')!, /style-src 'self'/)
  for (const [, href] of got.text.matchAll(/href="([^"]+)"/g))
    assert.equal((await served.ask('GET', href!, { key: '' })).status, 200, href)
})

test('OPTIONS lists the methods and grants other sites nothing', async () => {
  const got = await served.ask('OPTIONS', '/api/labels/x', { key: undefined })
  assert.equal(got.status, 204)
  assert.deepEqual(got.headers.get('allow')!.split(', ').sort(), ['DELETE', 'OPTIONS', 'PATCH'])
  assert.equal(got.headers.get('access-control-allow-methods'), null)
})

test('HEAD responds like GET, without the body', async () => {
  const got = await served.ask('HEAD', '/api/labels')
  assert.equal(got.status, 200)
  assert.equal(got.headers.get('content-type'), 'application/json')
  assert.equal(got.text, '')
  assert.equal((await served.ask('HEAD', '/api/labels/x')).status, 405)
})

test('an unknown address is a JSON 404, also for discovery paths', async () => {
  for (const path of [
    '/api/nothing',
    '/api/labels/a/b/c',
    '/nothing',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/nothing',
    '/API/labels',
    '/api//labels',
    '/favicon.ico',
  ]) {
    const got = await served.ask('GET', path)
    assert.equal(got.status, 404, path)
    assert.equal(got.headers.get('content-type'), 'application/problem+json; charset=utf-8', path)
    assert.equal(got.json.code, 'not_found', path)
  }
})

test('a fixed path takes precedence over one with a variable', async () => {
  assert.deepEqual((await served.ask('GET', '/api/things/fixed/echo')).json, { fixed: true })
  assert.deepEqual((await served.ask('GET', '/api/things/other/echo')).json, { thing_id: 'other' })
})

test('ids in the path are decoded once, and only if valid', async () => {
  const sent = ['a b', 'ünïcode', 'a/b', 'a%2Fb', 'a?b#c', '+', '..%2f', 'a&b=c']
  for (const id of sent)
    assert.equal(
      (await served.ask('GET', `/api/things/${encodeURIComponent(id)}/echo`)).json.thing_id,
      id,
    )
  for (const id of ['%zz', '%', '%c3%28', '%ed%a0%80']) {
    const got = await served.ask('GET', `/api/things/${id}/echo`)
    assert.equal(got.status, 400, id)
    assert.equal(got.json.field, 'thing_id')
  }
  assert.equal((await served.ask('GET', '/api/things/%00/echo')).status, 400)
})

test('list fields in the query are repeated, comma-separated or JSON; other fields occur once', async () => {
  const tags = async (query: string) =>
    (await served.ask('GET', `/api/things/x/echo?${query}`)).json.tags
  assert.deepEqual(await tags('tags=a&tags=b,c'), ['a', 'b,c'])
  assert.deepEqual(await tags('tags=a,b+c,%C3%BC'), ['a', 'b c', 'ü'])
  assert.deepEqual(await tags('tags=a'), ['a'])
  assert.deepEqual(await tags('tags=["a,b"]'), ['a,b'])
  assert.equal(await tags('tags='), undefined)
  const twice = await served.ask('GET', '/api/things/x/echo?word=a&word=a')
  assert.equal(twice.status, 400)
  assert.equal(twice.json.field, 'word')
})

test('the query is limited in size', async () => {
  const many = Array.from({ length: 51 }, (_, i) => `tags=${i}`).join('&')
  assert.equal((await served.ask('GET', `/api/things/x/echo?${many}`)).status, 400)
  assert.equal(
    (await served.ask('GET', `/api/things/x/echo?${many.slice(0, many.lastIndexOf('&'))}`)).status,
    200,
  )
  const long = await served.ask('GET', `/api/things/x/echo?word=${'x'.repeat(9000)}`)
  assert.equal(long.status, 414)
  assert.equal(long.json.code, 'too_large')
  for (const query of [
    'word=%zz',
    'word=%ff',
    '__proto__=1',
    '__proto__[x]=1',
    'wrod=1',
    'size=abc',
  ])
    assert.equal((await served.ask('GET', `/api/things/x/echo?${query}`)).status, 400, query)
  assert.equal((await served.ask('GET', '/api/things/x/echo?size=20')).json.size, 20)
})

test('arguments come from one place: either the query or the body', async () => {
  assert.match(
    (await served.ask('POST', '/api/labels?name=x', { body: { name: 'x' } })).json.message,
    /takes no query/,
  )
  assert.match(
    (await served.ask('DELETE', '/api/labels/x', { body: { dry_run: true } })).json.message,
    /takes no body/,
  )
  const got = await served.wire(
    `GET /api/labels HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${served.bearer}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  )
  assert.match(got, /^HTTP\/1.1 400 /)
})

test('an id in the body may repeat the one in the path but not contradict it', async () => {
  const { json: label } = await served.ask('POST', '/api/labels', { body: { name: 'Twice named' } })
  const same = await served.ask('PATCH', `/api/labels/${label.id}`, {
    body: { label_id: label.id, color: '#00ff00' },
  })
  assert.equal(same.status, 200)
  const other = await served.ask('PATCH', `/api/labels/${label.id}`, {
    body: { label_id: 'lbl_other', color: '#00ff00' },
  })
  assert.equal(other.status, 400)
  assert.equal(other.json.field, 'label_id')
})

test('unknown arguments are refused by name, with the expected ones', async () => {
  const got = await served.ask('POST', '/api/labels', { body: { name: 'x', colour: '#ffffff' } })
  assert.equal(got.status, 400)
  assert.deepEqual(got.json.errors, [{ path: 'colour', message: 'unknown argument' }])
  assert.match(got.json.message, /takes name, color/)
})

test('an Idempotency-Key repeats the first response and is refused with other arguments or when invalid', async () => {
  const headers = { 'idempotency-key': 'abc-1' }
  const first = await served.ask('POST', '/api/labels', { headers, body: { name: 'Once' } })
  const again = await served.ask('POST', '/api/labels', { headers, body: { name: 'Once' } })
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(again.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('x-call-id'), first.headers.get('x-call-id'))
  const other = await served.ask('POST', '/api/labels', { headers, body: { name: 'Other' } })
  assert.equal(other.status, 422)
  for (const key of ['x'.repeat(256), 'é'])
    assert.equal(
      (
        await served.ask('POST', '/api/labels', {
          headers: { 'idempotency-key': key },
          body: { name: 'x' },
        })
      ).json.field,
      'Idempotency-Key',
    )
})

test('If-Match compares the revision of an earlier response with the current one', async () => {
  const ask = (tag: string, path = '/api/things/x', body: unknown = {}) =>
    served.ask('PATCH', path, { headers: { 'if-match': tag }, body })
  assert.deepEqual((await ask('"7"')).json, { revision: 7, expected: 7 })
  assert.equal((await ask('"7"')).headers.get('etag'), '"7"')
  assert.deepEqual((await ask('*')).json, { revision: 7 })
  for (const tag of ['7', 'W/"7"', '"x"', '"0"', '"7", "8"', '""'])
    assert.equal((await ask(tag)).json.field, 'If-Match', tag)
  assert.equal((await ask('"7"', '/api/things/x', { expected_revision: 8 })).status, 400)
  assert.equal((await ask('"7"', '/api/labels/x', { name: 'y' })).json.field, 'If-Match')
})

test('an outdated revision in If-Match is 412 with the current one', async () => {
  const { json: project } = await served.ask('POST', '/api/projects', {
    body: { name: 'Conditional', key: 'COND' },
  })
  const { json: task } = await served.ask('POST', '/api/tasks', {
    body: { project_id: project.id, title: 'One' },
  })
  const path = `/api/tasks/${task.id}`
  assert.equal(
    (
      await served.ask('PATCH', path, {
        headers: { 'if-match': `"${task.revision}"` },
        body: { title: 'Two' },
      })
    ).status,
    200,
  )
  const stale = await served.ask('PATCH', path, {
    headers: { 'if-match': `"${task.revision}"` },
    body: { title: 'Three' },
  })
  assert.equal(stale.status, 412)
  assert.equal(stale.json.code, 'conflict')
  assert.equal(stale.headers.get('etag'), `"${stale.json.current_revision}"`)
  assert.equal(
    (
      await served.ask('PATCH', path, {
        body: { title: 'Three', expected_revision: task.revision },
      })
    ).status,
    409,
  )
})

test('a file is sent as a download, never inline, under its full name', async () => {
  const got = await served.ask('GET', '/api/things/7/bytes')
  assert.equal(got.status, 200)
  assert.equal(got.text, '<script>1</script>')
  assert.equal(got.headers.get('content-type'), 'text/html')
  assert.equal(
    got.headers.get('content-disposition'),
    `attachment; filename="R__su_m_ 7.html"; filename*=UTF-8''R%C3%A9%22su%0Am%C3%A9%207.html`,
  )
  assert.match(got.headers.get('content-security-policy')!, /sandbox/)
  assert.equal(got.headers.get('cache-control'), 'private, no-store')
})

test('an internal error exposes only a reference', async (t) => {
  t.mock.method(console, 'error', () => {})
  const got = await served.ask('GET', '/api/bugs')
  assert.equal(got.status, 500)
  assert.equal(got.json.code, 'internal')
  assert.match(got.json.reference, /^[0-9a-f-]{36}$/)
  assert.doesNotMatch(got.text, /secret|stack|\.ts/)
})

test('a REST call is logged with its route, client and request id', async () => {
  await served.ask('GET', '/api/labels?limit=3', {
    headers: { 'user-agent': 'curl/8.5.0', 'x-request-id': 'logged-request' },
  })
  const row = served.app.store.raw.read
    .prepare("SELECT transport, tool, details_json FROM calls WHERE request_id = 'logged-request'")
    .get() as { transport: string; tool: string; details_json: string }
  const details = JSON.parse(row.details_json)
  assert.equal(row.transport, 'rest')
  assert.equal(row.tool, 'list_labels')
  assert.equal(details.route, 'GET /api/labels')
  assert.deepEqual(details.client, { name: 'curl', version: '8.5.0' })
  assert.equal(details.ip, '127.0.0.1')
})

test('a call with an unreadable body is logged too, under the id in its response', async () => {
  for (const [body, status] of [
    ['{', 400],
    ['{"name":"x","name":"y"}', 400],
    [JSON.stringify({ name: 'x'.repeat(2 ** 20) }), 413],
  ] as const) {
    const answer = await fetch(`${served.url}/api/labels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.bearer}`, 'content-type': 'application/json' },
      body,
    })
    assert.equal(answer.status, status)
    const id = answer.headers.get('x-call-id')
    const logged = await served.app.store.read
      .selectFrom('calls')
      .selectAll()
      .where('id', '=', id as never)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      [logged.tool, logged.status, logged.request_id],
      ['create_label', 'error', answer.headers.get('x-request-id')],
    )
  }
})
