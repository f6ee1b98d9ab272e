import { createServer, type Server } from 'node:http'
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

/** What the provider says of who signs in there. */
export interface OidcPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** A real OpenID provider on a free port, which signs in whoever `person` is without asking. */
export interface OidcServer {
  issuer: string
  clientId: string
  clientSecret: string
  person: OidcPerson
  /** Lets these redirect addresses in; before the first sign-in. */
  allow(...redirectUris: string[]): void
  /** Signs a token as the provider does, or with another key. */
  sign(claims: JWTPayload, key?: CryptoKey): Promise<string>
  close(): Promise<void>
}

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
        post_logout_redirect_uris: [],
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
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    cookies: { keys: ['a key of the test provider'] },
    jwks: { keys: [jwk] },
  } as Configuration
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}
