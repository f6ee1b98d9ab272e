import { createHash, randomBytes } from 'node:crypto'
import type { Browser } from '../../testing/browser.ts'
import type { TestResponse, ServedWorkspace } from '../../testing/server.ts'

/** Posts a form, as programs do to the token endpoint. */
export function postForm(
  served: ServedWorkspace,
  path: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return served.ask('POST', path, {
    key: undefined,
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export interface PkcePair {
  verifier: string
  challenge: string
}

export function newPkcePair(): PkcePair {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Follows a program's redirects to the consent page, like a browser; returns the address. */
export async function authorize(
  served: ServedWorkspace,
  parameters: Readonly<Record<string, string>>,
): Promise<{ status: number; location: URL; text: string }> {
  const url = new URL('/oauth/authorize', served.url)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return readRedirect(url)
}

/** Address of a browser that was not redirected. */
export const nowhere = 'about:blank'

export async function readRedirect(url: URL) {
  const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })
  const location = response.headers.get('location')
  return {
    status: response.status,
    location: new URL(location ?? nowhere),
    text: await response.text(),
  }
}

const defaultChoice: Choice = {
  name: 'Assistant',
  read_only: false,
  hold_outbound: true,
  toolsets: null,
  expires_at: null,
}

interface Choice {
  name: string
  read_only: boolean
  hold_outbound: boolean
  toolsets: string[] | null
  expires_at: string | null
}

/** Allows a request on the consent page, in the signed-in person's browser. Returns the program's redirect address. */
export async function allow(
  browser: Browser,
  consent: URL,
  choice: Partial<Choice> = {},
): Promise<URL> {
  const token = consent.pathname.replace('/connect/', '')
  const got = await browser.post(`/web/connect/requests/${token}`, { ...defaultChoice, ...choice })
  if (got.status !== 201) throw new Error(`It was not allowed: ${got.text}`)
  return new URL(got.json.redirect_to)
}

export const loopbackRedirect = 'http://127.0.0.1:9999/callback'

/** Registers a program. Returns its id. */
export async function register(
  served: ServedWorkspace,
  more: Record<string, unknown> = {},
): Promise<string> {
  const got = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: { client_name: 'Test program', redirect_uris: [loopbackRedirect], ...more },
  })
  if (got.status !== 201) throw new Error(`It was not registered: ${got.text}`)
  return got.json.client_id
}

export interface ProgramConnection {
  clientId: string
  access: string
  refresh: string
  tokenResponse: any
}

/** Connects a program as the signed-in person. Returns its first tokens. */
export async function connectProgram(
  served: ServedWorkspace,
  browser: Browser,
  options: {
    clientId?: string
    redirect?: string
    parameters?: Record<string, string>
    choice?: Partial<Choice>
  } = {},
): Promise<ProgramConnection> {
  const redirect = options.redirect ?? loopbackRedirect
  const clientId = options.clientId ?? (await register(served, { redirect_uris: [redirect] }))
  const { verifier, challenge } = newPkcePair()
  const { location, text } = await authorize(served, {
    ...authorizationOf(clientId, challenge, redirect),
    ...options.parameters,
  })
  if (!location.pathname.startsWith('/connect/'))
    throw new Error(`No consent page: ${location} ${text}`)
  const callback = await allow(browser, location, options.choice)
  const got = await postForm(served, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: callback.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirect,
  })
  if (got.status !== 200) throw new Error(`No tokens: ${got.text}`)
  const { access_token: access, refresh_token: refresh } = got.json
  return { clientId, access, refresh, tokenResponse: got.json }
}

export function authorizationOf(clientId: string, challenge: string, redirect = loopbackRedirect) {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
  }
}

/** Makes an MCP call with an access token. */
export function callTool(
  served: ServedWorkspace,
  token: string,
  {
    name = 'get_me',
    args = {},
    path = '/mcp',
  }: { name?: string; args?: unknown; path?: string } = {},
): Promise<TestResponse> {
  return served.ask('POST', path, {
    key: token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
}
