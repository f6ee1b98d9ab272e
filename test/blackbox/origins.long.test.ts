import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mcpMessage, toolCallOf, type RawRequest } from '../../src/testing/blackbox/requests.ts'
import { serveBlackBox } from '../../src/testing/blackbox/server.ts'
import { exchange } from '../../src/testing/blackbox/wire.ts'
import type { RequestableWorkspace } from '../../src/testing/server.ts'

// A browser led here by a foreign name or a foreign page is refused, with or without a valid key, if the operator
// allows no other origin.

let served: RequestableWorkspace
let port: string
before(async () => {
  served = await serveBlackBox('none')
  served.app.baseUrl = served.url
  port = new URL(served.url).port
})
after(() => served.close())

const initialize = mcpMessage(
  'initialize',
  { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  { era: 'legacy' },
)
const doors: RawRequest[] = [
  { method: 'GET', path: '/api/me' },
  { method: 'POST', path: '/api/labels', body: '{"name":"Never"}' },
  { method: 'GET', path: '/api/tools.sha256' },
  { method: 'GET', path: '/api/no/such' },
  toolCallOf('create_label', { name: 'Never' }),
  toolCallOf('create_label', { name: 'Never' }, 'legacy'),
  { ...initialize },
  { method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } },
  { method: 'POST', path: '/messages?sessionId=x', body: '{}' },
]

/** Sends a request with additional header lines; returns its status. */
async function statusOf(
  { method, path, headers = {}, body = '' }: RawRequest,
  lines: readonly string[],
  target = path,
): Promise<number> {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  const framing =
    body === ''
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...lines,
    'Connection: close',
    `Authorization: Bearer ${served.bearer}`,
    ...headerLines,
    ...framing,
  ]
  const answer = await exchange(served.url, `${head.join('\r\n')}\r\n\r\n${body.toString()}`)
  assert.ok(answer, `${target} ${lines.join(' ')}: no answer`)
  return answer.status
}

const nothingMade = async () =>
  assert.equal((await served.ask('GET', '/api/labels')).json.items.length, 0)

test('names of this machine are served, in any case', async () => {
  for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]', '127.0.0.2'])
    assert.equal(await statusOf(doors[0]!, [`Host: ${host}:${port}`]), 200, host)
})

test('every other Host is rejected at every endpoint', async () => {
  const foreign = [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `evil.example#127.0.0.1:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `evil.example@127.0.0.1:${port}`,
    `localhost.:${port}`,
    `127.0.0.1.:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `0177.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `10.0.0.1:${port}`,
    `\uff4cocalhost:${port}`,
    `local host:${port}`,
    'localhost:port',
    'localhost:99999999',
    `localhost,evil.example`,
    '/',
    '*',
    '..',
    `localhost/evil.example:${port}`,
    `localhost\\evil.example`,
    `workspace.internal:${port}`,
    '-',
    `xn--localhost:${port}`,
  ]
  for (const host of foreign)
    for (const door of doors) {
      const status = await statusOf(door, [`Host: ${host}`])
      assert.ok(status === 421 || status === 400, `Host ${host} at ${door.path}: ${status}`)
    }
  await nothingMade()
})

test('a missing or duplicate Host, or an address with another one, is rejected', async () => {
  const ownHost = `Host: 127.0.0.1:${port}`
  for (const door of doors) {
    for (const lines of [
      [],
      ['Host:'],
      [ownHost, ownHost],
      [ownHost, 'Host: evil.example'],
      ['Host: evil.example', ownHost],
    ])
      assert.equal(await statusOf(door, lines), 400, `${door.path} ${lines.join(' ')}`)
    for (const authority of [
      'http://evil.example',
      `http://evil.example:${port}`,
      `https://127.0.0.1.evil.example`,
      `http://127.0.0.1:${port}@evil.example`,
    ]) {
      const status = await statusOf(door, [ownHost], authority + door.path)
      assert.ok(status === 421 || status === 400, `${authority}${door.path}: ${status}`)
    }
  }
  for (const name of [
    'X-Forwarded-Host',
    'X-Host',
    'X-Forwarded-Server',
    'Forwarded',
    'X-Original-Host',
    'X-HTTP-Host-Override',
  ]) {
    const value = name === 'Forwarded' ? 'host=evil.example' : 'evil.example'
    assert.equal(
      await statusOf(doors[0]!, [ownHost, `${name}: ${value}`]),
      200,
      `${name} is nobody to us`,
    )
    assert.equal(
      await statusOf(doors[0]!, ['Host: evil.example', `${name}: 127.0.0.1:${port}`]),
      421,
      name,
    )
  }
  await nothingMade()
})

test('an Origin of this instance is accepted, every other one is not', async () => {
  const host = `Host: 127.0.0.1:${port}`
  for (const origin of [served.url, `http://localhost:${port}`, `http://[::1]:${port}`])
    assert.equal(await statusOf(doors[0]!, [host, `Origin: ${origin}`]), 200, origin)
  const foreign = [
    'null',
    'NULL',
    '*',
    'https://evil.example',
    `http://evil.example:${port}`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://127.0.0.1.evil.example:${port}`,
    `http://evil.example/127.0.0.1:${port}`,
    `http://evil.example?http://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}@evil.example`,
    `http://user@127.0.0.1:${port}`,
    `https://127.0.0.1:${port}`,
    `ws://127.0.0.1:${port}`,
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/path`,
    `http://127.0.0.1:0${port}`,
    `HTTP://127.0.0.1:${port}x`,
    `http:127.0.0.1:${port}`,
    `//127.0.0.1:${port}`,
    `127.0.0.1:${port}`,
    'file://',
    'chrome-extension://abcdefgh',
    `http://127.0.0.1:${port} http://evil.example`,
    `http://evil.example, http://127.0.0.1:${port}`,
    'http://localhost.evil.example',
    `http://2130706433:${port}`,
    `http://127.1:${port}`,
    `http://[::ffff:7f00:1]:${port}`,
    '',
  ]
  for (const origin of foreign)
    for (const door of doors)
      assert.equal(
        await statusOf(door, [host, `Origin: ${origin}`]),
        403,
        `Origin ${origin} at ${door.path}`,
      )
  for (const door of doors)
    assert.equal(
      await statusOf(door, [host, `Origin: ${served.url}`, 'Origin: https://evil.example']),
      403,
      `two origins at ${door.path}`,
    )
  await nothingMade()
})

test('no response allows pages of other origins to read it', async () => {
  for (const method of ['GET', 'OPTIONS', 'POST'])
    for (const path of ['/api/labels', '/mcp', '/sse', '/api/openapi.json', '/healthz', '/']) {
      const { headers } = await served.ask(method, path, {
        headers: {
          origin: served.url,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
          accept: 'application/json',
        },
      })
      for (const [name] of headers)
        assert.ok(!name.startsWith('access-control-'), `${method} ${path}: ${name}`)
    }
})
