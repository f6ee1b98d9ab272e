import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { minute } from '../../testing/harness.ts'
import { connectHost, eras, OAuthHost } from '../../testing/oauth/host.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { allow, readRedirect, loopbackRedirect } from './testing.ts'

// The complete flow with third-party programs: the official MCP client in both generations of the protocol, and a
// certified OAuth client.

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace({ settings: { outbound: false } })
  await givePasswords(served, served.bob)
})
after(() => served.close())

for (const era of eras) {
  test(`the official client (${era}) connects knowing only the address, calls, refreshes, and is refused once revoked`, async () => {
    bob = await new Browser(served).signIn('bob@acme.test')
    const host = new OAuthHost(bob)
    const { client } = await connectHost(host, `${served.url}/mcp`, era)
    const me = await client.callTool({ name: 'get_me', arguments: {} })
    assert.match(JSON.stringify(me), /bob@acme.test/)
    const { access_token } = host.kept ?? {}
    served.clock.wait(61 * minute)
    await client.callTool({ name: 'get_me', arguments: {} })
    assert.notEqual(host.kept?.access_token, access_token)
    bob = await new Browser(served).signIn('bob@acme.test')
    const [{ id }] = (await bob.get('/web/api-keys?limit=1')).json.items
    await bob.post(`/web/api-keys/${id}/revoke`)
    await assert.rejects(client.callTool({ name: 'get_me', arguments: {} }))
    assert.equal(host.sentTo.length, 2, 'it starts a new authorization')
    await client.close()
  })
}

for (const path of ['/mcp?preset=core', '/mcp/p/core', '/mcp/x/labels/readonly']) {
  test(`the official client connects at ${path}, and only there`, async () => {
    bob = await new Browser(served).signIn('bob@acme.test')
    const host = new OAuthHost(bob)
    const { client } = await connectHost(host, served.url + path)
    assert.equal(host.sentTo[0]?.searchParams.get('resource'), served.url + path)
    const { tools } = await client.listTools()
    assert.ok(tools.length > 0 && tools.length <= 40)
    await client.close()
  })
}

test('the official client identifies itself by its metadata document if it has one', async () => {
  bob = await new Browser(served).signIn('bob@acme.test')
  const id = 'https://zed.dev/oauth/client-metadata.json'
  const host = new OAuthHost(bob, { document: id, redirect: 'http://127.0.0.1:4321/callback' })
  const { client } = await connectHost(host, `${served.url}/mcp`)
  assert.equal(host.sentTo[0]?.searchParams.get('client_id'), id)
  await client.close()
})

const insecure = { [oauth.allowInsecureRequests]: true }

test('a certified OAuth client registers, gets authorized, refreshes and revokes', async () => {
  bob = await new Browser(served).signIn('bob@acme.test')
  const issuer = new URL(served.url)
  const resource = await oauth.resourceDiscoveryRequest(new URL('/mcp', issuer), insecure)
  const { authorization_servers } = await oauth.processResourceDiscoveryResponse(
    new URL('/mcp', issuer),
    resource,
  )
  assert.deepEqual(authorization_servers, [served.url])
  const discovered = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
  const as = await oauth.processDiscoveryResponse(issuer, discovered)
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: 'Certified', redirect_uris: [loopbackRedirect] },
      insecure,
    ),
  )
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint ?? '')
  for (const [name, value] of Object.entries({
    client_id: client.client_id,
    redirect_uri: loopbackRedirect,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }))
    url.searchParams.set(name, value)
  const callback = await allow(bob, (await readRedirect(url)).location)
  const parameters = oauth.validateAuthResponse(as, client, callback, state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      parameters,
      loopbackRedirect,
      verifier,
      insecure,
    ),
  )
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(
      as,
      client,
      oauth.None(),
      tokens.refresh_token ?? '',
      insecure,
    ),
  )
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(
      as,
      client,
      oauth.None(),
      refreshed.refresh_token ?? '',
      insecure,
    ),
  )
  const refused = await oauth.refreshTokenGrantRequest(
    as,
    client,
    oauth.None(),
    refreshed.refresh_token ?? '',
    insecure,
  )
  await assert.rejects(
    oauth.processRefreshTokenResponse(as, client, refused),
    (error: oauth.ResponseBodyError) => error.error === 'invalid_grant',
  )
})
