import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFetch } from '../server.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const withoutKey = { key: undefined }
const metadataPath = '/.well-known/oauth-protected-resource'

test('each MCP address names exactly itself as the resource and this server as its authorization server', async () => {
  for (const path of [
    '/mcp',
    '/mcp/readonly',
    '/mcp/p/core',
    '/mcp/p/core/x/tasks,labels/readonly',
    '/mcp?preset=core',
    '/sse',
    '/sse?toolsets=tasks',
  ]) {
    const got = await served.ask('GET', metadataPath + path, withoutKey)
    assert.equal(got.status, 200, path)
    assert.equal(got.json.resource, served.url + path)
    assert.deepEqual(got.json.authorization_servers, [served.url])
    assert.equal(got.headers.get('access-control-allow-origin'), '*')
    const isReadOnly = path.includes('readonly')
    assert.deepEqual(
      got.json.scopes_supported,
      isReadOnly ? ['workspace:read'] : ['workspace:read', 'workspace:write'],
    )
  }
  assert.equal(
    (await served.ask('GET', metadataPath, withoutKey)).json.resource,
    `${served.url}/mcp`,
  )
})

test('addresses that serve no MCP have no metadata and return a JSON 404', async () => {
  for (const path of [
    '/api',
    '/mcp/x/nothing',
    '/mcp/p/nothing',
    '/mcp?toolset=tasks',
    '/web',
    '/mcp/other',
  ]) {
    const got = await served.ask('GET', metadataPath + path, withoutKey)
    assert.equal(got.status, 404, path)
    assert.match(got.headers.get('content-type') ?? '', /json/)
  }
  assert.equal(
    (await served.ask('GET', '/.well-known/openid-configuration', withoutKey)).status,
    404,
  )
})

test('the authorization server advertises its capabilities', async () => {
  const { json } = await served.ask('GET', '/.well-known/oauth-authorization-server', withoutKey)
  assert.equal(json.issuer, served.url)
  assert.equal(json.token_endpoint, `${served.url}/oauth/token`)
  assert.deepEqual(json.code_challenge_methods_supported, ['S256'])
  assert.ok(json.client_id_metadata_document_supported)
  assert.ok(json.authorization_response_iss_parameter_supported)
  assert.ok(json.token_endpoint_auth_methods_supported.includes('none'))
  assert.ok(json.token_endpoint_auth_methods_supported.includes('private_key_jwt'))
})

test('an MCP address without a token says where to sign in; REST does not', async () => {
  const without = await served.ask('POST', '/mcp/p/core?tools=list_labels', {
    ...withoutKey,
    body: {},
  })
  assert.equal(without.status, 401)
  assert.equal(
    without.headers.get('www-authenticate'),
    `Bearer realm="workspace", resource_metadata="${served.url}${metadataPath}/mcp/p/core?tools=list_labels", scope="workspace:read workspace:write"`,
  )
  const wrong = await served.ask('POST', '/mcp/readonly', { key: 'svc_x', body: {} })
  assert.equal(
    wrong.headers.get('www-authenticate'),
    `Bearer realm="workspace", error="invalid_token", resource_metadata="${served.url}${metadataPath}/mcp/readonly", scope="workspace:read"`,
  )
  const misplaced = await served.ask('POST', '/mcp?access_token=svc_x', { ...withoutKey, body: {} })
  assert.ok(misplaced.headers.get('www-authenticate')?.includes(`${metadataPath}/mcp"`))
  const stream = await served.ask('GET', '/sse', withoutKey)
  assert.ok(stream.headers.get('www-authenticate')?.includes(`${metadataPath}/sse"`))
  const messages = await served.ask('POST', '/messages?sessionId=x', { ...withoutKey, body: {} })
  assert.ok(messages.headers.get('www-authenticate')?.includes(`${metadataPath}/sse"`))
  const rest = await served.ask('GET', '/api/labels', withoutKey)
  assert.equal(rest.headers.get('www-authenticate'), 'Bearer realm="workspace"')
})

test('an instance with several names is its own authorization server under each of them', async () => {
  const several = await serveWorkspace({
    settings: { also_at: 'https://also.example,http://plain.example' },
  })
  try {
    several.app.baseUrl = 'https://work.example'
    const fetch = makeFetch(several.app)
    const fetchAt = async (host: string, path: string) => {
      const response = await fetch(new Request(`http://${host}${path}`))
      return { status: response.status, json: (await response.json()) as any }
    }
    for (const name of ['work.example', 'also.example']) {
      const { json } = await fetchAt(name, '/.well-known/oauth-authorization-server')
      assert.equal(json.issuer, `https://${name}`)
      assert.equal(
        (await fetchAt(name, `${metadataPath}/mcp`)).json.resource,
        `https://${name}/mcp`,
      )
    }
    const plain = await fetchAt('plain.example', `${metadataPath}/mcp`)
    assert.equal(plain.status, 404, 'not where tokens would travel in the clear')
  } finally {
    await several.close()
  }
})

test('with OAuth switched off there are no endpoints, and challenges are unchanged', async () => {
  const off = await serveWorkspace({ settings: { oauth: 'no' } })
  try {
    for (const path of [
      metadataPath,
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize',
    ]) {
      const got = await off.ask('GET', path, withoutKey)
      assert.equal(got.status, 404, path)
      assert.match(got.headers.get('content-type') ?? '', /json/)
    }
    assert.equal(
      (await off.ask('POST', '/oauth/register', { ...withoutKey, body: {} })).status,
      404,
    )
    const got = await off.ask('POST', '/mcp', { ...withoutKey, body: {} })
    assert.equal(got.headers.get('www-authenticate'), 'Bearer realm="workspace"')
  } finally {
    await off.close()
  }
})
