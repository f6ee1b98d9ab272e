import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type FetchLike,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { allow, readRedirect, loopbackRedirect } from '../../http/oauth/testing.ts'
import type { Browser } from '../browser.ts'

type Stored<T extends 'clientInformation' | 'tokens'> = Awaited<ReturnType<OAuthClientProvider[T]>>

type DiscoveryState = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0]

export interface HostOptions {
  /** The address of its client document; without one it registers. */
  document?: string
  /** An id and a secret entered by an administrator. */
  entered?: { client_id: string; client_secret: string }
  redirect?: string
  /** Scope requested at first, in place of all that the server offers. */
  firstScope?: string
}

/** Connection state of a host with the official MCP client. The person in `browser` approves every request. */
export class OAuthHost implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadataUrl?: string
  /** URLs to which the person was sent, in order. */
  readonly sentTo: URL[] = []
  kept: Stored<'tokens'>
  readonly #browser: Browser
  #answered: URL | undefined
  #client: Stored<'clientInformation'>
  #firstScope: string | undefined
  #verifier = ''
  #discovered: DiscoveryState | undefined

  constructor(browser: Browser, { document, entered, redirect, firstScope }: HostOptions = {}) {
    this.#browser = browser
    this.redirectUrl = redirect ?? loopbackRedirect
    if (document !== undefined) this.clientMetadataUrl = document
    this.#client = entered && { ...entered, redirect_uris: [this.redirectUrl] }
    this.#firstScope = firstScope
  }

  get clientMetadata() {
    return {
      client_name: 'Official client',
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: 'none',
    }
  }

  /** Query of the redirect with which the server answered the person. */
  get answered(): URLSearchParams {
    return this.#answered?.searchParams ?? new URLSearchParams()
  }

  clientInformation = () => this.#client
  saveClientInformation = (client: NonNullable<Stored<'clientInformation'>>) => {
    this.#client = client
  }
  tokens = () => this.kept
  saveTokens = (tokens: NonNullable<Stored<'tokens'>>) => {
    this.kept = tokens
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState = (state: DiscoveryState) => {
    this.#discovered = state
  }
  discoveryState = () => this.#discovered
  invalidateCredentials = () => {
    this.kept = undefined
  }
  async redirectToAuthorization(url: URL): Promise<void> {
    if (this.#firstScope !== undefined) url.searchParams.set('scope', this.#firstScope)
    this.#firstScope = undefined
    this.sentTo.push(url)
    const { location } = await readRedirect(url)
    this.#answered = await allow(this.#browser, location)
  }
}

/** Both protocol generations, by their names in the official client. */
export const eras = ['auto', 'legacy'] as const
export type Era = (typeof eras)[number]

export interface HostConnection {
  client: Client
  transport: StreamableHTTPClientTransport
}

/** Connects a host to an address, with existing tokens or after a person allows it, by its own `fetch` if it has one. */
export async function connectHost(
  host: OAuthHost,
  address: string,
  era: Era = 'auto',
  fetch?: FetchLike,
): Promise<HostConnection> {
  const first = open(host, address, era, fetch)
  try {
    await first.client.connect(first.transport)
    return first
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
  }
  await first.transport.finishAuth(host.answered)
  const next = open(host, address, era, fetch)
  await next.client.connect(next.transport)
  return next
}

function open(host: OAuthHost, address: string, era: Era, fetch?: FetchLike): HostConnection {
  return {
    client: new Client({ name: 'tests', version: '1.0' }, { versionNegotiation: { mode: era } }),
    transport: new StreamableHTTPClientTransport(new URL(address), {
      authProvider: host,
      ...(fetch && { fetch }),
    }),
  }
}
