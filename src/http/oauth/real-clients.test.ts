import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import {
  authorizationOf,
  authorize,
  callTool,
  connectProgram,
  newPkcePair,
  register,
} from './testing.ts'

// Tests the requests of real programs, as their makers published them in autumn 2026, against a server that admits
// well-known programs only.

let served: ServedWorkspace
let bob: Browser
before(async () => {
  // Documents cannot be fetched: the copies in the release are used.
  served = await serveWorkspace({
    settings: { outbound: false, oauth_registration: 'known', oauth_documents: 'known' },
  })
  await givePasswords(served, served.bob)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

interface RealProgram {
  name: string
  /** Address of the metadata document that identifies it; without one it registers. */
  document?: string
  registration?: Record<string, unknown>
  /** Redirect addresses, each with the host shown in lists. */
  redirects: Record<string, string>
}

const publicClient = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

const byDocument: RealProgram[] = [
  {
    name: 'Claude',
    document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    redirects: {
      'https://claude.ai/api/mcp/auth_callback': 'claude.ai',
      'https://claude.com/api/mcp/auth_callback': 'claude.com',
    },
  },
  {
    name: 'Claude Code',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    redirects: {
      'http://localhost:54321/callback': 'localhost',
      'http://127.0.0.1:61000/callback': '127.0.0.1',
    },
  },
  {
    name: 'ChatGPT',
    document: 'https://chatgpt.com/oauth/client.json',
    redirects: { 'https://chatgpt.com/connector_platform_oauth_redirect': 'chatgpt.com' },
  },
  {
    name: 'Codex',
    document: 'https://chatgpt.com/oauth/codex/client.json',
    redirects: { 'http://127.0.0.1:1455/callback': '127.0.0.1' },
  },
  {
    name: 'Visual Studio Code',
    document: 'https://vscode.dev/oauth/client-metadata.json',
    redirects: {
      'http://127.0.0.1:33418/': '127.0.0.1',
      'https://vscode.dev/redirect': 'vscode.dev',
    },
  },
  {
    name: 'Cursor',
    document: 'https://cursor.com/oauth/mcp-client.json',
    redirects: {
      'cursor://anysphere.cursor-mcp/oauth/callback': 'cursor:',
      'https://www.cursor.com/agents/mcp/oauth/callback': 'www.cursor.com',
      'http://localhost:8787/callback': 'localhost',
    },
  },
  {
    name: 'Zed',
    document: 'https://zed.dev/oauth/client-metadata.json',
    redirects: { 'http://127.0.0.1:50123/callback': '127.0.0.1' },
  },
  {
    name: 'OpenCode',
    document: 'https://opencode.ai/oauth/opencode/client.json',
    redirects: { 'http://127.0.0.1:19876/callback': '127.0.0.1' },
  },
  {
    name: 'Grok',
    document: 'https://grok.com/oauth/mcp-client.json',
    redirects: { 'https://grok.com/connectors-oauth-exchange-code/': 'grok.com' },
  },
]

const byRegistration: RealProgram[] = [
  {
    name: 'Claude',
    registration: {
      ...publicClient,
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      scope: 'workspace:read workspace:write',
    },
    redirects: { 'https://claude.ai/api/mcp/auth_callback': 'claude.ai' },
  },
  {
    name: 'ChatGPT',
    registration: {
      ...publicClient,
      redirect_uris: ['https://chatgpt.com/connector/oauth/b7Xk2-_9'],
    },
    redirects: { 'https://chatgpt.com/connector/oauth/b7Xk2-_9': 'chatgpt.com' },
  },
  {
    name: 'Cursor',
    registration: {
      ...publicClient,
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    },
    redirects: {
      'cursor://anysphere.cursor-mcp/oauth/callback': 'cursor:',
      'https://www.cursor.com/agents/mcp/oauth/callback': 'www.cursor.com',
      'http://localhost:8787/callback': 'localhost',
    },
  },
  {
    name: 'Visual Studio Code',
    registration: {
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      application_type: 'native',
    },
    redirects: {
      'https://insiders.vscode.dev/redirect': 'insiders.vscode.dev',
      'https://vscode.dev/redirect': 'vscode.dev',
      'http://127.0.0.1:41234/': '127.0.0.1',
      'http://127.0.0.1:33418/': '127.0.0.1',
    },
  },
  {
    name: 'mistral-mcp-client',
    registration: {
      redirect_uris: ['https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
      scope: 'openid',
    },
    redirects: {
      'https://callback.mistral.ai/v1/integrations_auth/oauth2_callback': 'callback.mistral.ai',
    },
  },
  {
    name: 'Perplexity',
    registration: {
      ...publicClient,
      redirect_uris: ['https://www.perplexity.ai/rest/connections/oauth_callback'],
    },
    redirects: {
      'https://www.perplexity.ai/rest/connections/oauth_callback': 'www.perplexity.ai',
    },
  },
  {
    name: 'Devin',
    registration: { ...publicClient, redirect_uris: ['https://api.devin.ai/mcp/oauth/callback'] },
    redirects: { 'https://api.devin.ai/mcp/oauth/callback': 'api.devin.ai' },
  },
  {
    name: 'Gemini Enterprise',
    registration: {
      ...publicClient,
      redirect_uris: ['https://vertexaisearch.cloud.google.com/oauth-redirect'],
    },
    redirects: {
      'https://vertexaisearch.cloud.google.com/oauth-redirect': 'vertexaisearch.cloud.google.com',
    },
  },
  {
    name: 'Antigravity',
    registration: {
      ...publicClient,
      redirect_uris: [
        'https://antigravity.google/oauth-callback',
        'http://localhost:7777/oauth/callback',
      ],
    },
    redirects: {
      'https://antigravity.google/oauth-callback': 'antigravity.google',
      'http://localhost:38111/oauth/callback': 'localhost',
    },
  },
  {
    name: 'MCP Inspector',
    registration: {
      ...publicClient,
      redirect_uris: [
        'http://localhost:6274/oauth/callback',
        'http://127.0.0.1:6276/oauth/callback',
      ],
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
    },
    redirects: {
      'http://localhost:6274/oauth/callback': 'localhost',
      'http://127.0.0.1:6276/oauth/callback': '127.0.0.1',
    },
  },
]

for (const { name, document, registration, redirects } of [...byDocument, ...byRegistration]) {
  const method = document === undefined ? 'registers' : 'uses its metadata document'
  test(`${name} ${method} and obtains a token at each of its addresses`, async () => {
    const id = document ?? (await register(served, { ...registration, client_name: name }))
    for (const [redirect, host] of Object.entries(redirects)) {
      const { access } = await connectProgram(served, bob, { clientId: id, redirect })
      assert.equal((await callTool(served, access)).status, 200)
      const [listed] = (await bob.get('/web/api-keys?limit=1')).json.items
      assert.deepEqual([listed.kind, listed.prefix], ['connection', host])
    }
  })
}

test('an unknown client is refused when only known ones are admitted', async () => {
  const got = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: { client_name: 'Claude', redirect_uris: ['https://claude.ai.evil.example/callback'] },
  })
  assert.deepEqual([got.status, got.json.error], [400, 'invalid_redirect_uri'])
  const { status, text } = await authorize(
    served,
    authorizationOf('https://evil.example/client.json', newPkcePair().challenge),
  )
  assert.equal(status, 400)
  assert.match(text, /may not be connected to this server/)
})
