import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { revokeKey } from '../../src/keys/issue.ts'
import { tokenHash } from '../../src/keys/tokens.ts'
import { revokeByToken } from '../../src/oauth/revocation.ts'
import { allowProgram, connectDirectly } from '../../src/oauth/testing.ts'
import type { Someone } from '../../src/testing/harness.ts'
import { presentations, type Keys } from '../../src/testing/blackbox/credentials.ts'
import {
  presentedBytes,
  withoutRequestId,
  type Entrance,
} from '../../src/testing/blackbox/presented-requests.ts'
import {
  inLanes,
  mcpMessage,
  restOf,
  send,
  toolCallOf,
  type RawResponse,
  type RawRequest,
} from '../../src/testing/blackbox/requests.ts'
import { serveBlackBox } from '../../src/testing/blackbox/server.ts'
import { surfaceOf, type Offered } from '../../src/testing/blackbox/surface.ts'
import { exchange } from '../../src/testing/blackbox/wire.ts'
import type { RequestableWorkspace } from '../../src/testing/server.ts'

// Tests that callers without a valid key learn one thing, the same everywhere: 401. Requests are sent as bytes, because
// HTTP clients correct what they send.

let served: RequestableWorkspace
let keys: Keys
let offered: Offered[]

before(async () => {
  served = await serveBlackBox()
  offered = await surfaceOf({ url: served.url, key: served.bearer })
  keys = await spoiltKeys()
})
after(() => served.close())

async function spoiltKeys(): Promise<Keys> {
  const good = await served.keyFor(served.ann)
  const expired = await served.keyFor(served.bob, { expiresAt: served.clock.now() + 1000 })
  const revoked = await served.keyFor(served.bob)
  const leaver = await served.person('Dora')
  const left = await served.keyFor(leaver)
  const tokens = await spoiltTokens(leaver)
  const spare = await Promise.all(
    Array.from({ length: places.length + 1 }, () => served.keyFor(served.carol)),
  )
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: revoked.id })
  await served.app.store.writer.run(() =>
    served.app.store.write
      .updateTable('users')
      .set({ status: 'deactivated' })
      .where('id', '=', leaver.id)
      .execute(),
  )
  served.clock.pass(2000)
  while ((await served.ask('GET', '/api/me', { key: expired.key })).status !== 401); // a server in another process has a clock of its own
  return {
    good: good.key,
    goodId: good.id,
    revoked: revoked.key,
    expired: expired.key,
    ofDeactivated: left.key,
    liveToken: (await connected(served.bob, '/mcp')).access_token,
    tokens,
    forWrongSecret: () => spare.pop()!.key,
  }
}

const place = (issuer = served.url) => ({ ...served, issuer })
const connected = (person: Someone, path: string) => connectDirectly(place(), person, { path })

/** Tokens that are invalid everywhere; `leaver` is deactivated later. */
async function spoiltTokens(leaver: Someone): Promise<Record<string, string>> {
  const { app, bob } = served
  const ended = await connected(bob, '/mcp')
  await revokeByToken(app, ended.client, ended.access_token)
  const expired = await connected(bob, '/sse')
  await app.store.writer.run(() =>
    app.store.write
      .updateTable('oauth_tokens')
      .set({ expires_at: served.clock.now() - 1 })
      .where('token_hash', '=', tokenHash(expired.access_token))
      .execute(),
  )
  const live = await connected(bob, '/mcp')
  const redirectUri = 'https://again.example/callback'
  const [replaced] = [
    await connectDirectly(place(), bob, { redirectUri }),
    await connectDirectly(place(), bob, { redirectUri }),
  ]
  const registered = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: {
      client_name: 'Of its own',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  })
  return {
    'the secret of a program': registered.json.client_secret,
    'the registration access token of a program': registered.json.registration_access_token,
    'a revoked access token': ended.access_token,
    'the refresh token of a revoked connection': ended.refresh_token,
    'an expired access token': expired.access_token,
    'a refresh token': live.refresh_token,
    'a code that was not redeemed': (await allowProgram(place(), bob)).code,
    'a token for other modules': (await connected(bob, '/mcp/x/labels')).access_token,
    'a token for another origin': (await connectDirectly(place('https://other.test'), bob))
      .access_token,
    'a token of a connection that was renewed': replaced.access_token,
    'a token of a deactivated person': (await connected(leaver, '/mcp')).access_token,
  }
}

/** Endpoints: address, method and headers. */
const places: Entrance[] = [
  { name: 'REST, a read', method: 'GET', path: '/api/labels', lines: [] },
  {
    name: 'REST, a write',
    method: 'POST',
    path: '/api/labels',
    lines: [],
    body: '{"name":"Never"}',
  },
  wayOf('MCP of 2026-07-28', toolCallOf('create_label', { name: 'Never' })),
  wayOf('MCP of 2025-11-25', toolCallOf('create_label', { name: 'Never' }, 'legacy')),
  wayOf(
    'the handshake of a session',
    mcpMessage(
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      { era: 'legacy' },
    ),
  ),
  {
    name: 'the stream of a session',
    method: 'GET',
    path: '/mcp',
    lines: ['Accept: text/event-stream', 'Mcp-Session-Id: x'],
  },
  { name: 'HTTP+SSE', method: 'GET', path: '/sse', lines: ['Accept: text/event-stream'] },
  {
    name: 'messages of HTTP+SSE',
    method: 'POST',
    path: '/messages?sessionId=x',
    lines: [],
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  },
]

function wayOf(name: string, { method, path, headers, body }: RawRequest): Entrance {
  return {
    name,
    method,
    path,
    lines: Object.entries(headers as Record<string, string>).map(
      ([header, value]) => `${header}: ${value}`,
    ),
    body: body as string,
  }
}

test('every invalid credential, in any place, gets one response for a bad key and one for a missing key', async () => {
  const variants = new Set<string>()
  for (const place of places) {
    const received = { absent: new Map<string, string>(), bad: new Map<string, string>() }
    await inLanes(presentations(keys), 8, async (presented) => {
      variants.add(presented.name)
      if (place.method === 'GET' && presented.trailers) return // there is nothing that a trailer could follow
      const answer = await exchange(served.url, presentedBytes(served.url, place, presented))
      assert.ok(answer, `${place.name}, ${presented.name}: no answer`)
      assert.equal(answer.status, 401, `${place.name}, ${presented.name}: ${answer.body}`)
      received[presented.isAbsent ? 'absent' : 'bad'].set(withoutRequestId(answer), presented.name)
    })
    for (const kind of ['absent', 'bad'] as const)
      assert.equal(
        received[kind].size,
        1,
        `${place.name}: ${JSON.stringify([...received[kind]], null, 1)}`,
      )
    const [absent] = [...received.absent.keys()]
    const [bad] = [...received.bad.keys()]
    assert.equal(
      bad,
      absent!.replace(
        'Bearer realm=\\"workspace\\"',
        'Bearer realm=\\"workspace\\", error=\\"invalid_token\\"',
      ),
      place.name,
    )
  }
  assert.ok(variants.size >= 130, `${variants.size} variants`)
  assert.equal(
    (await served.ask('GET', '/api/labels')).json.items.some(
      (label: { name: string }) => label.name === 'Never',
    ),
    false,
  )
})

test('a folded header is invalid: the request is refused before authentication', async () => {
  for (const place of places) {
    const answer = await exchange(
      served.url,
      presentedBytes(served.url, place, {
        name: 'folded',
        lines: ['Authorization: Bearer', ` ${keys.good}`],
      }),
    )
    assert.ok(answer && [400, 401].includes(answer.status), `${place.name}: ${answer?.status}`)
  }
})

test('every operation authenticates first: whatever else is wrong, the response is the same', async () => {
  const door = { url: served.url }
  const received = new Map<string, string>()
  await inLanes(offered, 8, async (op) => {
    const nonsense = {
      ...Object.fromEntries(op.inPath.map((name) => [name, '../%00'])),
      no_such: ['x'],
    }
    for (const authorization of [undefined, `Bearer ${keys.revoked}`]) {
      const headers = authorization === undefined ? {} : { authorization }
      const asks: RawRequest[] = [
        restOf(op, {}),
        restOf(op, nonsense),
        { ...restOf(op, {}), method: 'TRACE' in op ? 'PUT' : 'PROPFIND' },
        { ...restOf(op, {}), body: undefined },
        toolCallOf(op.name, {}),
        toolCallOf(op.name, nonsense, 'legacy'),
      ]
      if (op.method !== 'GET') asks.push({ ...restOf(op, {}), body: '{broken' })
      for (const request of asks)
        received.set(
          authorization +
            tell(
              request,
              await send(door, { ...request, headers: { ...request.headers, ...headers } }),
            ),
          `${op.name} ${request.method} ${request.path}`,
        )
    }
  })
  assert.equal(received.size, 4, JSON.stringify([...received], null, 1)) // REST and MCP, with a bad key and without
})

test('the keys of the matrix work everywhere if sent correctly, and its token only on MCP', async () => {
  for (const key of [keys.good, keys.forWrongSecret()]) {
    for (const place of places.slice(0, 5)) {
      const answer = await exchange(
        served.url,
        presentedBytes(served.url, place, {
          name: 'right',
          lines: [`authorization: bEARER  ${key}  `],
        }),
      )
      assert.ok(answer && answer.status < 300, `${place.name}: ${answer?.status} ${answer?.body}`)
    }
  }
  for (const place of places.slice(0, 5)) {
    const lines = [`authorization: bEARER  ${keys.liveToken}  `]
    const answer = await exchange(
      served.url,
      presentedBytes(served.url, place, { name: 'right', lines }),
    )
    const isOpen = answer !== undefined && answer.status < 300
    assert.equal(isOpen, place.path === '/mcp', `${place.name}: ${answer?.status} ${answer?.body}`)
  }
})

function tell({ path }: RawRequest, { status, raw, text }: RawResponse): string {
  const body = text.replace(/"request_id":"[^"]*"/, '')
  const comparedHeaders = raw.filter(
    ([name]) =>
      !/^(x-request-id|date|content-length|transfer-encoding|connection|keep-alive)$/i.test(name),
  )
  return JSON.stringify([path.startsWith('/mcp'), status, comparedHeaders, body])
}
