import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
} from 'node:http2'
import { connect as connectPlain } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { modules } from '../modules/index.ts'
import { makeCertificate } from '../testing/certificates.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { testLimitMs, untilTrue } from '../testing/limits.ts'

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
    await pause(ms)
    return { done: true }
  },
})
const slowness: Module = { name: 'slowness', about: 'For the tests of TLS.', operations: [slow] }

const first = makeCertificate()
const second = makeCertificate()
let served: ServedWorkspace
before(async () => {
  setDefaultCACertificates([first.cert, second.cert])
  served = await serveWorkspace({
    modules: [...modules, slowness],
    listen: { certificate: first },
    settings: { api_origins: 'none' },
  })
})
after(async () => {
  await served.close()
  for (const certificate of [first, second]) certificate.remove()
})

const port = () => Number(new URL(served.url).port)

interface Http2Response {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json: any
}

/** Opens an HTTP/2 connection for the duration of a test. */
async function withHttp2Session<T>(
  work: (session: ClientHttp2Session) => Promise<T>,
  server = served,
): Promise<T> {
  const session = connectHttp2(server.url, { ca: [first.cert, second.cert] })
  session.on('error', () => {})
  try {
    return await work(session)
  } finally {
    session.destroy()
  }
}

function askHttp2(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Http2Response> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      authorization: `Bearer ${served.bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    })
    let got: IncomingHttpHeaders & { ':status'?: number | undefined } = {}
    let text = ''
    stream.on('response', (responseHeaders) => (got = responseHeaders))
    stream.on('data', (part) => (text += part))
    stream.on('error', reject)
    stream.on('end', () =>
      resolve({
        status: got[':status']!,
        headers: got,
        text,
        json: text === '' ? undefined : JSON.parse(text),
      }),
    )
    stream.end(body)
  })
}

test('both HTTP versions are served, with HSTS', async () => {
  assert.match(served.url, /^https:/)
  const http1Response = await served.ask('GET', '/api/labels')
  assert.equal(http1Response.status, 200)
  assert.equal(http1Response.headers.get('strict-transport-security'), 'max-age=31536000')
  const http2Response = await withHttp2Session((session) =>
    askHttp2(session, { ':path': '/api/labels' }),
  )
  assert.equal(http2Response.status, 200)
  assert.equal(http2Response.headers['strict-transport-security'], 'max-age=31536000')
  assert.deepEqual(http2Response.json, http1Response.json)
})

test('versions below TLS 1.2 and ciphers without forward secrecy are refused', async () => {
  const offers = [
    { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' },
    {
      maxVersion: 'TLSv1.2',
      ciphers: 'AES128-SHA:AES256-SHA:AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA',
    },
  ] as const
  for (const offer of offers) {
    const socket = connect({ port: port(), ca: first.cert, ...offer })
    await assert.rejects(once(socket, 'secureConnect'), offer.maxVersion)
  }
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = connect({
      port: port(),
      host: 'localhost',
      ca: first.cert,
      minVersion: version,
      maxVersion: version,
    })
    await once(socket, 'secureConnect')
    assert.equal(socket.getProtocol(), version)
    socket.destroy()
  }
})

test('plain HTTP on the HTTPS port gets no response and does not affect the server', async () => {
  const socket = connectPlain(port(), '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => (answer += part.toString('latin1'))).on('error', () => {})
  socket.write(
    `GET /api/labels HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${served.bearer}\r\n\r\n`,
  )
  await once(socket, 'close')
  assert.doesNotMatch(answer, /HTTP\//)
  assert.equal((await served.ask('GET', '/healthz')).status, 200)
})

test('HTTP/2 bodies are read with and without a length, and oversized ones are refused', async () => {
  await withHttp2Session(async (session) => {
    assert.equal(
      (await askHttp2(session, { ':path': '/api/labels', ':method': 'POST' }, '{"name":"Two"}'))
        .status,
      201,
    )
    assert.equal(
      (
        await askHttp2(
          session,
          { ':path': '/api/labels', ':method': 'POST', 'content-length': '16' },
          '{"name":"Sized"}',
        )
      ).status,
      201,
    )
    assert.equal(
      (await askHttp2(session, { ':path': '/api/labels', ':method': 'POST' }, '{"name":')).status,
      400,
    )
    const large = await askHttp2(
      session,
      { ':path': '/api/labels', ':method': 'POST' },
      Buffer.alloc(3 * 2 ** 20, 0x20),
    )
    assert.equal(large.status, 413)
    assert.equal(large.json.code, 'too_large')
    const empty = await askHttp2(session, { ':path': '/api/labels', ':method': 'POST' })
    assert.match(empty.json.message, /name/)
    assert.equal((await askHttp2(session, { ':path': '/api/labels' })).status, 200)
  })
})

test('host, origin and key are checked over HTTP/2 as well', async () => {
  await withHttp2Session(async (session) => {
    const status = async (headers: Record<string, string>) =>
      (await askHttp2(session, { ':path': '/api/labels', ...headers })).status
    assert.equal(await status({ ':authority': 'evil.test' }), 421)
    assert.equal(await status({ ':authority': 'workspace.test' }), 200)
    assert.equal(await status({ ':authority': 'workspace.test', host: 'evil.test' }), 400)
    assert.equal(await status({ origin: 'https://evil.test' }), 403)
    assert.equal(await status({ authorization: 'Bearer x' }), 401)
    assert.equal(
      (
        await askHttp2(
          session,
          { ':path': '/mcp', ':method': 'POST', authorization: 'Bearer x' },
          '{}',
        )
      ).status,
      401,
    )
  })
})

test('a long response over HTTP/2 arrives complete', async () => {
  const plain = await served.ask('GET', '/api/docs/viewer.js', {
    headers: { 'accept-encoding': 'identity' },
  })
  const got = await withHttp2Session(
    (session) =>
      new Promise<Buffer>((resolve) => {
        const parts: Buffer[] = []
        const stream = session.request({ ':path': '/api/docs/viewer.js' })
        stream
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', () => resolve(Buffer.concat(parts)))
      }),
  )
  assert.ok(got.length > 2 ** 20)
  assert.equal(got.toString(), plain.text)
})

test('the official MCP client works over TLS as it does without', async () => {
  for (const mode of ['auto', 'legacy'] as const) {
    const client = new Client({ name: 'tests', version: '1.0' }, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${served.bearer}` } },
      }),
    )
    assert.ok((await client.listTools()).tools.length > 50)
    const label = await client.callTool({
      name: 'create_label',
      arguments: { name: `Over TLS ${mode}` },
    })
    assert.ok(!label.isError, JSON.stringify(label))
    await client.close()
  }
})

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

test('a renewed certificate is used for new connections while a stream on the old one continues', async () => {
  await served.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await served.ann.call('create_task', { project_id: 'ENG', title: 'Oil' })
  await withHttp2Session(async (session) => {
    const stream = session.request({
      ':path': '/mcp',
      ':method': 'POST',
      authorization: `Bearer ${served.bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    })
    let received = ''
    stream.on('data', (part) => (received += part))
    stream.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourceSubscriptions: ['workspace://tasks/ENG-1'] },
          _meta: meta,
        },
      }),
    )
    await until(() => received.includes('acknowledged'))
    assert.equal(await servedFingerprint(), first.fingerprint)
    served.server.replaceCertificate(second)
    assert.equal(await servedFingerprint(), second.fingerprint)
    await served.ann.call('update_task', { task_id: 'ENG-1', title: 'Oil the valves' })
    await until(() => received.includes('notifications/resources/updated'))
    assert.equal(
      (await askHttp2(session, { ':path': '/api/labels' })).status,
      200,
      'other requests on the old connection succeed',
    )
  })
})

async function servedFingerprint(): Promise<string> {
  const socket: TLSSocket = connect({
    port: port(),
    host: 'localhost',
    ca: [first.cert, second.cert],
  })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

const until = (condition: () => boolean) => untilTrue(condition, () => condition.toString())

test('a stopping server finishes HTTP/2 requests in progress, and idle connections do not delay it', async () => {
  const ending = await serveWorkspace({
    modules: [...modules, slowness],
    listen: { certificate: first },
  })
  const idle = connectHttp2(ending.url, { ca: first.cert })
  const plainSocket = connectPlain(Number(new URL(ending.url).port), '127.0.0.1') // never begins to speak TLS
  plainSocket.on('error', () => {})
  await Promise.all([once(idle, 'connect'), once(plainSocket, 'connect')])
  await withHttp2Session(async (session) => {
    const before = startedSlowCalls
    const http2Request = askHttp2(session, {
      ':path': '/api/slowly?ms=400',
      authorization: `Bearer ${ending.bearer}`,
    })
    const http1Request = ending.ask('GET', '/api/slowly?ms=300')
    await until(() => startedSlowCalls === before + 2)
    const closed = ending.server.close(testLimitMs) // the two connections would hold it up for the whole grace period
    assert.deepEqual((await http2Request).json, { done: true })
    assert.deepEqual((await http1Request).json, { done: true })
    await closed
  }, ending)
  idle.destroy()
  await ending.close()
})

test('an HTTP/2 client that sends endless headers is cut off', async () => {
  await withHttp2Session(async (session) => {
    const headers = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'y'.repeat(200)]),
    )
    await assert.rejects(
      askHttp2(session, { ':path': '/healthz', ...headers }),
      /ENHANCE_YOUR_CALM/,
    )
  })
  assert.equal((await served.ask('GET', '/healthz')).status, 200)
})
