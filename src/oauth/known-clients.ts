// Documents of well-known clients (client ID metadata documents), as published by their makers in autumn 2026. Some of
// these sites send servers in data centers a challenge page instead of the document; then these copies are used. A
// document that can be fetched takes precedence.

import type { ClientMetadata } from './client-metadata.ts'

interface KnownClient extends Omit<ClientMetadata, 'methods' | 'jwksUri' | 'jwks'> {
  clientId: string
  methods?: ClientMetadata['methods']
  jwksUri?: string
}

const localCallbacks = ['http://localhost/callback', 'http://127.0.0.1/callback']

const knownClients: readonly KnownClient[] = [
  {
    clientId: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    name: 'Claude',
    uri: 'https://claude.ai',
    redirects: [
      'https://claude.ai/api/mcp/auth_callback',
      'https://claude.com/api/mcp/auth_callback',
    ],
  },
  {
    clientId: 'https://claude.ai/oauth/claude-code-client-metadata',
    name: 'Claude Code',
    uri: 'https://claude.ai',
    redirects: localCallbacks,
  },
  {
    clientId: 'https://chatgpt.com/oauth/client.json',
    name: 'ChatGPT',
    uri: 'https://chatgpt.com',
    redirects: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    methods: ['none', 'private_key_jwt'],
    jwksUri: 'https://chatgpt.com/oauth/jwks.json',
  },
  {
    clientId: 'https://chatgpt.com/oauth/codex/client.json',
    name: 'Codex',
    uri: 'https://chatgpt.com',
    redirects: localCallbacks,
  },
  {
    clientId: 'https://vscode.dev/oauth/client-metadata.json',
    name: 'Visual Studio Code',
    uri: 'https://vscode.dev',
    redirects: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
  {
    clientId: 'https://cursor.com/oauth/mcp-client.json',
    name: 'Cursor',
    uri: 'https://cursor.com',
    redirects: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
  },
  {
    clientId: 'https://zed.dev/oauth/client-metadata.json',
    name: 'Zed',
    uri: 'https://zed.dev',
    redirects: localCallbacks,
  },
  {
    clientId: 'https://opencode.ai/oauth/opencode/client.json',
    name: 'OpenCode',
    uri: 'https://opencode.ai',
    redirects: localCallbacks,
  },
  {
    clientId: 'https://grok.com/oauth/mcp-client.json',
    name: 'Grok',
    uri: 'https://grok.com',
    redirects: ['https://grok.com/connectors-oauth-exchange-code/'],
  },
]

const byId = new Map(knownClients.map((client) => [client.clientId, client]))

/** Our copy of a well-known client's document. */
export function knownDocument(clientId: string): ClientMetadata | undefined {
  const { clientId: _, methods = ['none'], jwksUri, ...rest } = byId.get(clientId) ?? {}
  return 'redirects' in rest
    ? { ...(rest as Omit<KnownClient, 'clientId'>), methods, jwksUri, jwks: undefined }
    : undefined
}

/**
 * Redirect addresses of well-known clients with a custom scheme: for any other such address the target program is
 * unknown.
 */
export const appRedirects: ReadonlySet<string> = new Set([
  'cursor://anysphere.cursor-mcp/oauth/callback',
])

/** Callbacks of clients that register, besides those in the documents. */
const knownCallbacks = new Set([
  ...knownClients.flatMap((client) => client.redirects),
  ...appRedirects,
  'https://insiders.vscode.dev/redirect',
  'https://callback.mistral.ai/v1/integrations_auth/oauth2_callback',
  'https://www.perplexity.ai/rest/connections/oauth_callback',
  'https://api.devin.ai/mcp/oauth/callback',
  'https://vertexaisearch.cloud.google.com/oauth-redirect',
  'https://antigravity.google/oauth-callback',
  'https://teams.microsoft.com/api/platform/v1.0/oAuthRedirect',
])

/**
 * True if an address is a callback of a well-known client; those of ChatGPT and of Power Platform end with a name per
 * connector.
 */
export function isKnownCallback(redirect: string): boolean {
  return (
    knownCallbacks.has(redirect) ||
    /^https:\/\/chatgpt\.com\/connector\/oauth\/[\w-]{1,100}$/.test(redirect) ||
    /^https:\/\/global\.consent\.azure-apim\.net\/redirect(\/[\w-]{1,100})?$/.test(redirect)
  )
}
