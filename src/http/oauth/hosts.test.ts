import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { UnauthorizedError, type FetchLike } from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { UnauthorizedError as V1UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { registerManually } from '../../oauth/clients.ts'
import { manualMetadata } from '../../oauth/metadata.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { minute } from '../../testing/harness.ts'
import { connectHost, eras, OAuthHost } from '../../testing/oauth/host.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { startServer } from '../server.ts'

// Tests connected hosts with the official clients: additional rights, parallel calls, a restart, disconnection.

/** Short, so that sessions of the older protocols outlast a token. */
const accessMinutes = 5
const expireToken = () => served.clock.wait((accessMinutes + 1) * minute)

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace({ settings: { oauth_access_minutes: accessMinutes } })
  await givePasswords(served, served.bob)
})
beforeEach(async () => {
  bob = await new Browser(served).signIn('bob@acme.test') // a recent sign-in is required
})
after(() => served.close())

const mcp = () => `${served.url}/mcp`
const whoAmI = { name: 'get_me', arguments: {} }

async function revokeNewest(): Promise<void> {
  const [{ id }] = (await bob.get('/web/api-keys?limit=1')).json.items
  assert.equal((await bob.post(`/web/api-keys/${id}/revoke`)).status, 200)
}

test('a host added by an administrator connects with its id and secret', async () => {
  const { store } = served.app
  const redirect = 'https://global.consent.azure-apim.net/redirect/crew'
  const { client: entered, secret } = await store.writer.run(() =>
    registerManually(store, served.clock.now(), manualMetadata('Copilot Studio', [redirect])),
  )
  const host = new OAuthHost(bob, {
    redirect: 'https://global.consent.azure-apim.net/redirect/crew',
    entered: { client_id: entered.clientId, client_secret: secret },
  })
  const { client } = await connectHost(host, mcp())
  assert.equal(host.sentTo[0]?.searchParams.get('client_id'), entered.clientId)
  assert.match(JSON.stringify(await client.callTool(whoAmI)), /bob@acme\.test/)
  expireToken()
  assert.match(JSON.stringify(await client.callTool(whoAmI)), /bob@acme\.test/)
  assert.equal(host.sentTo.length, 1, 'it refreshed with its secret')
  await client.close()
})

for (const era of eras) {
  test(`a host (${era}) with read scope is asked for more at its first write, and the repeated call writes`, async () => {
    const host = new OAuthHost(bob, {
      firstScope: 'workspace:read',
      redirect: `https://${era}.example/callback`,
    })
    const { client, transport } = await connectHost(host, mcp(), era)
    assert.equal(host.kept?.scope, 'workspace:read')
    const write = { name: 'create_label', arguments: { name: `Stepped up ${era}` } }
    await assert.rejects(client.callTool(write), UnauthorizedError)
    assert.deepEqual(host.sentTo[1]?.searchParams.get('scope')?.split(' ').slice(0, 2), [
      'workspace:read',
      'workspace:write',
    ])
    const labels = async () => (await served.bob.call('list_labels')).items
    assert.equal((await labels()).filter(isNewLabel).length, 0, 'nothing is written before')
    await transport.finishAuth(host.answered)
    const written = await client.callTool(write)
    assert.notEqual(written.isError, true, JSON.stringify(written))
    assert.equal((await labels()).filter(isNewLabel).length, 1)
    assert.equal(host.sentTo.length, 2)
    await client.close()

    function isNewLabel({ name }: { name: string }): boolean {
      return name === `Stepped up ${era}`
    }
  })

  test(`two concurrent calls of a host (${era}) with an expired token both succeed and leave one refresh token`, async () => {
    const host = new OAuthHost(bob)
    const { client } = await connectHost(host, mcp(), era)
    const first = host.kept?.refresh_token
    expireToken()
    const answers = await Promise.all([client.callTool(whoAmI), client.callTool(whoAmI)])
    for (const answer of answers) assert.match(JSON.stringify(answer), /bob@acme\.test/)
    assert.notEqual(host.kept?.refresh_token, first)
    assert.equal(host.sentTo.length, 1, 'consent was not requested again')
    await client.close()
  })

  test(`a host (${era}) continues after a server restart without new consent`, async () => {
    const host = new OAuthHost(bob)
    const { client } = await connectHost(host, mcp(), era, fetchAgainIfStale)
    await client.callTool(whoAmI)
    const { port } = new URL(served.url)
    await served.server.close()
    const restarted = await startServer(served.app, { host: '127.0.0.1', port: Number(port) })
    Object.assign(served.server, { close: () => restarted.close() })
    await client.close()
    const { client: next } = await connectHost(host, mcp(), era, fetchAgainIfStale)
    assert.match(JSON.stringify(await next.callTool(whoAmI)), /bob@acme\.test/)
    assert.equal(host.sentTo.length, 1)
    await next.close()
  })
}

/** Repeats a request that was sent on a pooled connection which the stopped server had closed, as clients do. */
const fetchAgainIfStale: FetchLike = async (address, init) => {
  for (;;)
    try {
      return await fetch(address, init)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (cause?.code !== 'UND_ERR_SOCKET' && cause?.code !== 'ECONNRESET') throw error
    }
}

test('a host’s subscription ends within seconds of revocation, and its next call asks for consent again', async () => {
  const host = new OAuthHost(bob)
  const { client } = await connectHost(host, mcp())
  const subscription = await client.listen({
    resourceSubscriptions: [`workspace://people/${served.bob.id}`],
  })
  await revokeNewest()
  await subscription.closed
  await assert.rejects(client.callTool(whoAmI), UnauthorizedError)
  assert.equal(host.sentTo.length, 2)
  await client.close()
})

test('the first official client connects over HTTP with SSE and is cut off when revoked', async () => {
  const host = new OAuthHost(bob)
  const newTransport = () =>
    new SSEClientTransport(new URL(`${served.url}/sse`), { authProvider: host })
  const first = newTransport()
  await assert.rejects(
    new V1Client({ name: 'old-timer', version: '0.1' }).connect(first),
    V1UnauthorizedError,
  )
  await first.finishAuth(host.answered.get('code') ?? '')
  assert.equal(host.sentTo[0]?.searchParams.get('resource'), `${served.url}/sse`)
  const client = new V1Client({ name: 'old-timer', version: '0.1' })
  await client.connect(newTransport())
  assert.match(JSON.stringify(await client.callTool(whoAmI)), /bob@acme\.test/)
  await revokeNewest()
  await assert.rejects(client.callTool(whoAmI), V1UnauthorizedError)
  assert.equal(host.sentTo.length, 2)
  await client.close()
})
