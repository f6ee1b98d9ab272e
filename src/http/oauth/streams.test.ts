import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { EventReader } from '../../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { callTool, connectProgram } from './testing.ts'

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

const accept = 'application/json, text/event-stream'

/** A stream of the current protocol: resource changes. */
async function openListenStream(token: string): Promise<EventReader> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'sub-1',
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: [`workspace://people/${served.bob.id}`] },
        _meta,
      },
    }),
  })
  const stream = new EventReader(response)
  const { json } = (await stream.next()) ?? {}
  assert.equal(json?.method, 'notifications/subscriptions/acknowledged', JSON.stringify(json))
  return stream
}

/** The stream of a session of the older protocols. */
async function openSessionStream(token: string): Promise<EventReader> {
  const headers = { authorization: `Bearer ${token}`, accept, 'content-type': 'application/json' }
  const initialized = await fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      },
    }),
  })
  await initialized.text()
  const response = await fetch(`${served.url}/mcp`, {
    headers: {
      ...headers,
      'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': '2025-11-25',
    },
  })
  assert.equal(response.status, 200)
  return new EventReader(response)
}

test('streams of a connection end soon after its revocation, and its next request is 401', async () => {
  const { access } = await connectProgram(served, bob)
  const other = await connectProgram(served, bob)
  const streams = [await openListenStream(access), await openSessionStream(access)]
  const otherStream = await openSessionStream(other.access)
  const [, { id }] = (await bob.get('/web/api-keys?limit=2')).json.items
  assert.equal((await bob.post(`/web/api-keys/${id}/revoke`)).status, 200)
  const next = await callTool(served, access)
  assert.equal(next.status, 401)
  assert.match(next.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  await Promise.all(streams.map((stream) => stream.rest()))
  assert.equal((await callTool(served, other.access)).status, 200)
  await otherStream.cancel()
})
