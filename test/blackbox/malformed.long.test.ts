import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, before, test } from 'node:test'
import { fire, rssOf } from '../../bench/scenarios/load.ts'
import { fuzz } from '../../src/testing/blackbox/fuzz.ts'
import { inLanes, send, toolCallOf, type Door } from '../../src/testing/blackbox/requests.ts'
import { surfaceOf, type Offered } from '../../src/testing/blackbox/surface.ts'
import { plant, type Things } from '../../src/testing/blackbox/things.ts'
import { oneInstance, type BlackboxInstance } from '../../src/testing/blackbox/instance.ts'

// A new server, and clients that send everything the published schemas suggest, and more. `npm run soak` runs longer.

const count = Number(process.env.BLACKBOX_REQUESTS ?? 5000)

let instance: BlackboxInstance
let door: Door
let offered: Offered[]
let knownIds: Things

before(async () => {
  instance = await oneInstance('--check-answers', 'yes')
  door = { url: instance.server.url, key: await instance.newKey('ann@acme.test') }
  offered = await surfaceOf(door)
  knownIds = await plant(door, 'known', 'KNOWN')
})
after(() => instance.remove())

test(`${count} requests generated from the schemas, valid and invalid, over REST and MCP: structured responses, no reset, no growth`, async () => {
  await fuzz(door, offered, knownIds, { count: 1500, seed: 1 }) // until it is warm
  const pid = instance.server.child.pid!
  const before = rssOf(pid)
  const seed = Number(process.env.BLACKBOX_SEED ?? 2026)
  const { sent, statuses, flaws } = await fuzz(door, offered, knownIds, { count, seed })
  assert.deepEqual(flaws, [], `seed ${seed}`)
  assert.equal(sent, count)
  assert.ok(
    (statuses[200] ?? 0) + (statuses[201] ?? 0) > count / 10,
    `most of it was refused before it came anywhere: ${JSON.stringify(statuses)}`,
  )
  assert.ok((statuses[400] ?? 0) > count / 10, JSON.stringify(statuses))
  const grown = rssOf(pid) - before
  assert.ok(grown < 120, `${Math.round(grown)} MiB more`)
  assert.equal(instance.server.child.exitCode, null)
})

test('unexpected addresses are answered like others', async () => {
  const paths = [
    '//api/tasks',
    '/api//tasks',
    '/api/tasks/',
    '/API/TASKS',
    '/api/tasks/%',
    '/api/tasks/%ff',
    '/api/tasks/..%2f..%2fme',
    '/api/tasks/../me',
    '/api/./tasks',
    '/api/tasks;x=1',
    '/api/tasks%00',
    '/api/tasks?',
    '/api/tasks?&&&',
    '/api/tasks?a',
    '/api/tasks?=',
    '/api/tasks?limit=1&limit=2',
    '/api/tasks?__proto__=1',
    `/api/tasks?${'x=1&'.repeat(60)}`,
    `/api/tasks/${'x'.repeat(9000)}`,
    '/api/tasks/%F0%28%8C%28',
    '/api/tasks/\u00e9',
    '*',
    '/mcp/x/',
    '/mcp/x/%ff',
    '/mcp/x/tasks/readonly/more',
    '/messages',
    '/messages?sessionId=',
    '/.git/config',
    '/setup/..',
    '/api/docs/%2e%2e/x',
    '/api/docs/../../package.json',
  ]
  await inLanes(paths, 4, async (path) => {
    const answer = await send(door, {
      method: path === '*' ? 'OPTIONS' : 'GET',
      path: encodeURI(path).replace(/%25/g, '%'),
    })
    assert.ok(answer.status < 500, `${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
    assert.doesNotMatch(answer.text, /root:|"scripts"|node:internal/, path)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', path)
  })
})

test('a long-used connection is closed gracefully: with a response, and never instead of one', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { path, headers, body } = toolCallOf('list_labels', { limit: 1 }, 'legacy')
  const shot = {
    method: 'POST',
    path,
    headers: {
      ...(headers as Record<string, string>),
      authorization: `Bearer ${door.key}`,
      'content-type': 'application/json',
    },
    body: () => body as string,
  }
  for (let i = 0; i < 1010; i++) await fire(door.url, shot, agent)
  agent.destroy()
})
