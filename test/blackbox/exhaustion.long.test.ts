import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rssOf } from '../../bench/scenarios/load.ts'
import { oneInstance, type BlackboxInstance } from '../../src/testing/blackbox/instance.ts'
import { descriptorsOf, healthP95, HeldConnections } from '../../src/testing/blackbox/pressure.ts'
import { inLanes, send, toolCallOf, type Door } from '../../src/testing/blackbox/requests.ts'
import { use } from '../../src/testing/blackbox/things.ts'
import { exchange } from '../../src/testing/blackbox/wire.ts'

// Slow, silent or excessive callers have no noticeable effect on others. The tests are one story: the slow clients of
// the first test remain during the following ones. Limits apply as usual, except that a key may do more at once here.

const maxMemoryMegabytes = 512
const maxDelay = 250

let instance: BlackboxInstance
let door: Door
/** An ordinary caller. */
let other: Door
let slow: HeldConnections
let descriptors: number

before(async () => {
  instance = await oneInstance(
    '--limits',
    'yes',
    '--rate-burst',
    '400',
    '--mcp-streams-per-key',
    '250',
    '--mcp-sessions-per-key',
    '250',
  )
  door = { url: instance.server.url, key: await instance.newKey('ann@acme.test') }
  other = { ...door, key: await instance.newKey('bob@acme.test') }
  await use(door, 'create_project', {
    name: 'Pressure',
    key: 'PRE',
    description_markdown: 'x'.repeat(400_000),
  })
  descriptors = descriptorsOf(instance.server.child.pid!)
})
after(async () => {
  slow?.end()
  await instance.remove()
})

/** Asserts the effect on other callers, and the cost. */
async function assertWell(about: string): Promise<void> {
  const p95 = await bestHealthP95()
  assert.ok(p95 < maxDelay, `${about}: /healthz took ${Math.round(p95)} ms`)
  const rss = rssOf(instance.server.child.pid!)
  assert.ok(rss < maxMemoryMegabytes, `${about}: ${Math.round(rss)} MiB`)
  assert.equal((await send(other, toolCallOf('list_labels', {}))).status, 200, about)
}

/**
 * Best of as many rounds as needed, at most five: on a busy machine one may be bad by chance, but if callers block
 * the server all are.
 */
async function bestHealthP95(): Promise<number> {
  let best = Infinity
  for (let round = 0; round < 5 && best >= maxDelay; round++)
    best = Math.min(best, await healthP95(door))
  return best
}

const authorized = ({ key } = door) => `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`

test('serves others despite 200 clients that never finish their headers', async () => {
  slow = new HeldConnections(door, {
    count: 200,
    first: 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n',
    drop: 'X-Slow: 1\r\n',
    every: 500,
  })
  await assertWell('slow headers')
  assert.equal(slow.open, 200)
})

test('serves others despite 200 idle streams', async () => {
  const idle = new HeldConnections(door, {
    count: 200,
    first: `GET /sse HTTP/1.1\r\n${authorized()}Accept: text/event-stream\r\n\r\n`,
  })
  await idle.until(
    (connections) => connections.received.every((text) => text.includes('event: endpoint')),
    10_000,
    'every stream begins',
  )
  await assertWell('idle streams')
  assert.equal(idle.open, 200)
  idle.end()
})

test('serves others despite clients that request much without reading, and clients that send a body byte by byte', async () => {
  const deaf = new HeldConnections(door, {
    count: 60,
    deaf: true,
    first: `GET /api/projects/PRE HTTP/1.1\r\n${authorized()}\r\n`.repeat(40),
  })
  const dripping = new HeldConnections(door, {
    count: 50,
    first: `POST /api/labels HTTP/1.1\r\n${authorized()}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    drop: ' ',
    every: 300,
  })
  await assertWell('slow readers and slow bodies')
  deaf.end()
  dripping.end()
})

test('oversized headers, addresses, bodies and nesting are refused, each in its way', async () => {
  const get = (path: string, more: string) =>
    exchange(
      door.url,
      `GET ${path} HTTP/1.1\r\n${authorized(other)}Connection: close\r\n${more}\r\n`,
    )
  const post = (body: string) =>
    exchange(
      door.url,
      `POST /api/labels HTTP/1.1\r\n${authorized(other)}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const trials: [string, number, () => ReturnType<typeof exchange>][] = [
    ['one header of 20 KB', 431, () => get('/api/me', `X-Large: ${'x'.repeat(20_000)}\r\n`)],
    ['many headers', 431, () => get('/api/me', 'X-Many: 0123456789\r\n'.repeat(1500))],
    ['an address of 9 KB', 414, () => get(`/api/me?${'x'.repeat(9000)}`, '')],
    ['a body of 2 MB', 413, () => post('x'.repeat(2 ** 21))],
    ['a hundred thousand levels', 400, () => post(nested(100_000))],
    [
      'a hundred thousand levels of objects',
      400,
      () => post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    ],
    ['sixty thousand values', 400, () => post(`{"name":[${'0,'.repeat(60_000)}0]}`)],
    [
      'forty thousand names',
      400,
      () => post(`{${Array.from({ length: 40_000 }, (_, i) => `"n${i}":0`).join()}}`),
    ],
  ]
  await inLanes(
    trials.flatMap((trial) => Array(6).fill(trial) as typeof trials),
    16,
    async ([what, status, ask]) => {
      const answer = await ask()
      assert.equal(answer?.status, status, `${what}: ${answer?.body.slice(0, 200)}`)
      assert.match(answer!.body, /"request_id":"[^"]+"/, what)
    },
  )
  await assertWell('requests without measure')
})

test('a client that does not finish its headers is disconnected in time, and no resources are leaked', async () => {
  await slow.until((connections) => connections.open === 0, 15_000, 'slow callers are sent away')
  assert.ok(
    slow.received.every((text) => /^HTTP\/1\.1 408 /.test(text) || text === ''),
    slow.received.find((text) => !text.startsWith('HTTP/1.1 408')),
  )
  await assertWell('afterwards')
  const left = descriptorsOf(instance.server.child.pid!)
  assert.ok(left < descriptors + 70, `${left} descriptors, ${descriptors} before`) // the connections of this test's own client are among them
  assert.equal(instance.server.child.exitCode, null)
})
