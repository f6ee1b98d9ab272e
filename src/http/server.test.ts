import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { modules } from '../modules/index.ts'
import { testLimitMs } from '../testing/limits.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { maxRequests } from './transport/timeouts.ts'

let startedSlowCalls = 0 // calls of get_slowly
const slow = operation({
  name: 'get_slowly',
  kind: 'read',
  rest: 'GET /api/slowly',
  about: 'Takes its time',
  input: { ms: z.int() },
  output: z.object({ done: z.boolean() }),
  async handle({ ms }) {
    startedSlowCalls++
    await new Promise((resolve) => setTimeout(resolve, ms))
    return { done: true }
  },
})
const slowness: Module = {
  name: 'slowness',
  about: 'For the tests of the server.',
  operations: [slow],
}

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({ modules: [...modules, slowness] })
})
after(() => served.close())

const head = (path = '/api/labels', method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${served.bearer}\r\n`

test('a body declared too large is refused before it is read', async () => {
  const answer = await served.wire(
    `${head()}Content-Type: application/json\r\nContent-Length: 10000000\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 413 /)
  assert.match(answer, /connection: close/i)
  assert.match(answer, /"limit":1048576/)
})

test('a body that turns out too large is refused, and the sender can read the response', async () => {
  for (const megabytes of [2, 10]) {
    const got = await sendChunked('x'.repeat(megabytes * 2 ** 20))
    assert.equal(got.status, 413, `${megabytes}`)
    assert.equal(got.json.code, 'too_large')
  }
  assert.equal((await served.ask('GET', '/api/labels')).status, 200)
})

/** Sends text as a body of unknown length. */
function sendChunked(text: string): Promise<{ status: number; json: any }> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      `${served.url}/api/labels`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${served.bearer}`,
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        },
      },
      (answer) => {
        let body = ''
        answer.on('data', (part) => (body += part))
        answer.on('end', () => resolve({ status: answer.statusCode!, json: JSON.parse(body) }))
      },
    )
    clientRequest.on('error', reject)
    for (let i = 0; i < text.length; i += 65_536) clientRequest.write(text.slice(i, i + 65_536))
    clientRequest.end()
  })
}

test('a body of exactly one mebibyte is read', async () => {
  const body = JSON.stringify({ name: 'x', colour: '' })
  const got = await served.ask('POST', '/api/labels', {
    body: body.replace('""', `"${'y'.repeat(2 ** 20 - body.length)}"`),
  })
  assert.equal(got.status, 400)
  assert.deepEqual(got.json.errors, [{ path: 'colour', message: 'unknown argument' }])
})

test('only uncompressed JSON is accepted: other types and encodings are 415', async () => {
  let sentCount = 0
  const send = async (headers: Record<string, string>) =>
    (await served.ask('POST', '/api/labels', { headers, body: `{"name":"Typed ${sentCount++}"}` }))
      .status
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])
    assert.equal(await send({ 'content-type': type }), 201, type)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'multipart/form-data',
    'application/problem+json',
    '',
  ])
    assert.equal(await send({ 'content-type': type }), 415, type)
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity'])
    assert.equal(await send({ 'content-encoding': encoding }), 415, encoding)
  assert.equal(await send({ 'content-encoding': 'identity' }), 201)
})

test('invalid UTF-8 and a byte order mark are refused', async () => {
  const bytes = [
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from([0x22, 0xc0, 0x80, 0x22]),
    Buffer.from('\ufeff{"name":"x"}'),
  ]
  for (const body of bytes) {
    const got = await served.ask('POST', '/api/labels', { body })
    assert.equal(got.status, 400, body.toString('hex'))
    assert.match(got.json.message, /UTF-8|byte order mark/)
  }
})

test('a non-object body is refused, and a missing one is an empty object', async () => {
  for (const body of ['null', '[]', '"x"', '1', 'true'])
    assert.equal((await served.ask('POST', '/api/labels', { body })).status, 400, body)
  assert.match((await served.ask('POST', '/api/labels')).json.message, /name/)
})

test('headers above 16 KiB are 431, malformed HTTP is 400, both as problems', async () => {
  const large = await served.wire(
    `${head('/api/labels', 'GET')}X-Large: ${'x'.repeat(17_000)}\r\n\r\n`,
  )
  assert.match(large, /^HTTP\/1\.1 431 [\s\S]*application\/problem\+json[\s\S]*"code":"too_large"/)
  for (const text of [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `${head()}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    `${head()}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    `${head()}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
  ]) {
    const answer = await served.wire(text)
    assert.match(answer, /^HTTP\/1\.1 400 /, text)
  }
})

test('the server survives arbitrary bytes', async () => {
  for (let i = 0; i < 20; i++)
    await sendBytes(Buffer.from(Array.from({ length: 300 }, () => Math.floor(Math.random() * 256))))
  assert.equal((await served.ask('GET', '/healthz')).status, 200)
})

function sendBytes(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => socket.end(bytes))
    socket.on('close', () => resolve())
    socket.on('error', () => {})
    socket.resume()
  })
}

test('health needs no key, and readiness reports whether the database responds', async () => {
  assert.deepEqual((await served.ask('GET', '/healthz', { key: undefined })).json, { status: 'ok' })
  const ready = (await served.ask('GET', '/readyz', { key: undefined })).json
  assert.equal(ready.status, 'ready')
  assert.match(ready.space, /^(ok|low|scarce)$/)
})

test('a stopping server finishes requests in progress and accepts no new ones', async () => {
  const ending = await serveWorkspace({ modules: [...modules, slowness] })
  await ending.ask('GET', '/api/labels') // a connection that is kept alive
  const before = startedSlowCalls
  const pending = ending.ask('GET', '/api/slowly?ms=400')
  while (startedSlowCalls === before) await new Promise((resolve) => setTimeout(resolve, 5))
  const closed = ending.server.close(testLimitMs) // idle connections that held it up would do so for the whole grace period
  assert.deepEqual((await pending).json, { done: true })
  await assert.rejects(ending.ask('GET', '/healthz'))
  await closed
  await ending.close()
})

test('a connection is closed cleanly after a maximum of requests, and the client continues on another', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const ports = new Set<number>()
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const clientRequest = request(`${served.url}/healthz`, { agent }, (answer) => {
        ports.add(answer.socket.localPort!)
        answer.resume().on('end', () => resolve(answer.statusCode!))
      })
      clientRequest.on('error', reject).end()
    })
  for (let i = 0; i < maxRequests + 10; i++) assert.equal(await ask(), 200)
  assert.equal(ports.size, 2)
})

test('a disconnecting client does not affect the server', async () => {
  const aborting = new AbortController()
  const aborted = fetch(`${served.url}/api/slowly?ms=200`, {
    headers: { authorization: `Bearer ${served.bearer}` },
    signal: aborting.signal,
  })
  setTimeout(() => aborting.abort(), 50)
  await assert.rejects(aborted)
  const half = connect(Number(new URL(served.url).port), '127.0.0.1', () =>
    half.write(`${head()}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`, () =>
      half.destroy(),
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal((await served.ask('GET', '/api/labels')).status, 200)
})

test('the base URL is the listening address unless a setting overrides it', async () => {
  assert.equal(served.app.baseUrl, 'http://workspace.test')
  const { json } = await served.ask('POST', '/api/labels', { body: { name: 'Linked' } })
  assert.match(json.url, /^http:\/\/workspace\.test\//)
})
