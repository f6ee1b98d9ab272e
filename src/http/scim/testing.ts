import assert from 'node:assert/strict'
import type { NewProvider } from '../../sso/provider-checks.ts'
import { insertProvider, type Provider } from '../../sso/providers.ts'
import { issueScimToken } from '../../sso/scim/tokens.ts'
import type { Someone } from '../../testing/harness.ts'
import type { ServedWorkspace, TestResponse } from '../../testing/server.ts'

/** A provider that calls a test server with its token. */
export interface ScimClient {
  provider: Provider
  token: string
  tokenId: string
  ask(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** The same, asserting the expected status. */
  get(path: string): Promise<any>
  post(path: string, body: unknown): Promise<any>
  put(path: string, body: unknown): Promise<any>
  patch(path: string, operations: unknown[], status?: number): Promise<any>
}

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export async function scimClient(
  served: ServedWorkspace,
  admin: Someone,
  more: Partial<NewProvider> = {},
): Promise<ScimClient> {
  const { app } = served
  const provider = await app.store.writer.run(() =>
    insertProvider(app, admin.actor.org_id, {
      name: 'Entra',
      issuer: `https://login.example/${Math.random()}`,
      clientId: 'workspace',
      clientSecret: 'secret',
      ...more,
    }),
  )
  const { id, token } = await app.store.writer.run(() =>
    issueScimToken(app, provider, { name: 'Provisioning' }),
  )
  const ask = (method: string, path: string, body?: unknown) =>
    served.ask(method, `/scim/v2${path}`, {
      key: token,
      headers: body === undefined ? {} : { 'content-type': 'application/scim+json' },
      body,
    })
  const askExpecting = async (status: number, method: string, path: string, body?: unknown) => {
    const got = await ask(method, path, body)
    assert.equal(got.status, status, got.text)
    if (got.text !== '')
      assert.match(got.headers.get('content-type') ?? '', /^application\/scim\+json/)
    return got.json
  }
  return {
    provider,
    token,
    tokenId: id,
    ask,
    get: (path) => askExpecting(200, 'GET', path),
    post: (path, body) => askExpecting(201, 'POST', path, body),
    put: (path, body) => askExpecting(200, 'PUT', path, body),
    patch: (path, operations, status = path.startsWith('/Groups') ? 204 : 200) =>
      askExpecting(status, 'PATCH', path, { schemas: [patchSchema], Operations: operations }),
  }
}

/** The path of a list with a filter. */
export function filterPath(kind: 'Users' | 'Groups', filter: string, more = ''): string {
  return `/${kind}?filter=${encodeURIComponent(filter)}${more}`
}
