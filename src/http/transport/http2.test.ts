import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  connect,
  constants,
  createSecureServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { makeCertificate } from '../../testing/certificates.ts'
import { Http2Connections, http2Options, type Http2Limits } from './http2.ts'

/**
 * A server that answers `/large` with more than a client reads at once, `/open` never, and everything else
 * immediately.
 */
async function startServer(t: TestContext, limits: Partial<Http2Limits>) {
  const certificate = makeCertificate()
  const server = createSecureServer(
    { ...http2Options, cert: certificate.cert, key: certificate.key },
    (request, response) => {
      if (request.url === '/large') response.end(Buffer.alloc(2 ** 20))
      else if (request.url !== '/open')
        response.writeHead(200, ['connection', 'close', 'x-kept', 'yes'] as never).end('done')
    },
  )
  const connections = new Http2Connections(server, {
    idle: 60_000,
    request: 60_000,
    answer: 60_000,
    maxRequests: 1000,
    maxRequestsPerConnection: 8,
    ...limits,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sessions: ClientHttp2Session[] = []
  t.after(() => {
    connections.close()
    for (const session of sessions) session.destroy()
    server.close()
    certificate.remove()
  })
  const connectTo = async (settings = {}) => {
    const session = connect(`https://localhost:${(server.address() as AddressInfo).port}`, {
      ca: certificate.cert,
      settings,
    })
    session.on('error', () => {})
    sessions.push(session)
    await once(session, 'remoteSettings')
    return session
  }
  return Object.assign(connectTo, { server })
}

/** The code that a stream ends with. */
async function resetCodeOf(stream: ClientHttp2Stream): Promise<number> {
  stream.on('error', () => {})
  if (!stream.closed) await once(stream, 'close')
  return stream.rstCode
}

test('connection headers are dropped without a warning', async (t) => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  t.after(() => process.off('warning', note))
  const session = await (await startServer(t, {}))()
  const [headers] = (await once(session.request({ ':path': '/' }).resume(), 'response')) as [
    Record<string, unknown>,
  ]
  assert.deepEqual([headers['x-kept'], headers.connection], ['yes', undefined])
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(warnings, [])
})

test('an idle connection is closed; one with a request in progress is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const connectTo = await startServer(t, { idle: 100 })
  const [idle, busy] = [await connectTo(), await connectTo()]
  const received = once(connectTo.server, 'request')
  busy.request({ ':path': '/open' })
  await received
  const closed = once(idle, 'close')
  t.mock.timers.tick(100)
  await closed
  assert.equal(busy.closed, false)
})

test('a body that does not arrive and a response that is not read are aborted', async (t) => {
  const connectTo = await startServer(t, { request: 100, answer: 200 })
  const session = await connectTo()
  const half = session.request({ ':path': '/open', ':method': 'POST' })
  half.write('{')
  assert.equal(await resetCodeOf(half), constants.NGHTTP2_CANCEL)
  const stuck = await connectTo({ initialWindowSize: 0 })
  assert.equal(await resetCodeOf(stuck.request({ ':path': '/large' })), constants.NGHTTP2_CANCEL)
})

test('with too many requests in total, a connection above its share is closed and others are served', async (t) => {
  const connectTo = await startServer(t, { maxRequests: 12, maxRequestsPerConnection: 4 })
  const [greedy, modest] = [await connectTo(), await connectTo()]
  for (let i = 0; i < 20; i++) greedy.request({ ':path': '/open' }).on('error', () => {})
  await once(greedy, 'close')
  const [headers] = (await once(modest.request({ ':path': '/' }).resume(), 'response')) as [
    Record<string, unknown>,
  ]
  assert.equal(headers[':status'], 200)
})
