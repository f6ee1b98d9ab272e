import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export interface OidcPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** A real OpenID provider on a free port, which signs in `person` without a prompt. */
export interface OidcServer {
  issuer: string
  clientId: string
  clientSecret: string
  person: OidcPerson
  /** Changes the metadata before they are sent. */
  metadata: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Handles requests instead of the provider; true if it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Allows these redirect addresses; before the first sign-in. */
  allow(...redirectUris: string[]): void
  /** Signs a token like the provider, or with another key. */
  sign(claims: JWTPayload, key?: CryptoKey): Promise<string>
  close(): Promise<void>
}

const metadataPath = '/.well-known/openid-configuration'
/** Header of requests that this server sends to itself. */
const ownRequest = 'x-own-request'
const clientId = 'workspace'
const clientSecret = 'a secret of the test provider'

export async function startOidcServer(): Promise<OidcServer> {
  let handle: ReturnType<Provider['callback']> | undefined
  let provider: Provider | undefined
  const http = createServer((request, response) => void answer(request, response))
  const port = await listen(http)
  const issuer = `http://127.0.0.1:${port}`
  const redirectUris: string[] = []
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  const server: OidcServer = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'nobody' },
    metadata: (metadata) => metadata,
    intercept: () => false,
    allow: (...uris) => void redirectUris.push(...uris),
    sign: (claims, key = privateKey) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'first', typ: 'logout+jwt' })
        .sign(key),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  const answer: Parameters<typeof createServer>[1] & ((...args: any[]) => Promise<void>) = async (
    request,
    response,
  ) => {
    provider ??= new Provider(issuer, configurationOf(server, redirectUris, jwk))
    handle ??= provider.callback()
    if (server.intercept(request, response)) return
    if (request.url === metadataPath && request.headers[ownRequest] === undefined) {
      const metadataResponse = await fetch(`${issuer}${metadataPath}`, {
        headers: { [ownRequest]: '1' },
      })
      const metadata = server.metadata((await metadataResponse.json()) as Record<string, unknown>)
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify(metadata))
    }
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    await provider.interactionFinished(
      request,
      response,
      { login: { accountId: server.person.sub } },
      { mergeWithLastSubmission: false },
    )
  }
  return server
}

function configurationOf(
  server: OidcServer,
  redirectUris: readonly string[],
  jwk: JWK,
): Configuration {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: redirectUris.map((uri) => new URL('/sign-in', uri).href),
      },
    ],
    claims: {
      openid: ['sub', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ ...server.person, sub: id }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId,
        accountId: oidc.session?.accountId ?? server.person.sub,
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: askToSignOut },
    },
    cookies: { keys: ['a key of the test provider'] },
    jwks: { keys: [jwk] },
  } as Configuration
}

/** The library's page loads external fonts. */
function askToSignOut(ctx: { body: unknown }, form: string): void {
  ctx.body = `<!doctype html><title>Sign out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}

/** Follows a browser's redirects through a provider, and returns the workspace address of the callback. */
export async function throughProvider(start: URL, baseUrl: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = start
  for (let hop = 0; hop < 8; hop++) {
    if (url.origin === new URL(baseUrl).origin) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  throw new Error('The provider sends the browser round and round.')
}
