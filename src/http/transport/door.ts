// Admits only requests that address this instance (Host) and come from a page of this instance or from no page (Origin).
// Requests under another name (DNS rebinding) or from another site are refused before anything is read for them.

import { isLoopback, loopbackNames } from '../../kernel/networks.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { AllowedOrigins } from './cross-origin.ts'
import type { Incoming } from './request-info.ts'
import { HttpRefusal } from './problem.ts'

const maxUrlLength = 8192

export class HostAndOriginCheck {
  readonly #isBoundToLoopback: boolean
  readonly #otherBaseUrls: readonly string[]
  readonly #callers: AllowedOrigins
  #baseUrl = ''
  #isLocal = true
  #hosts = new Set<string>()
  #origins = new Set<string>()

  /**
   * `boundTo`: the address that the server listens on. `alsoAt`: base URLs besides the one used for links. `callers`:
   * other origins that may call with a key.
   */
  constructor(boundTo: string, callers: AllowedOrigins, alsoAt: readonly string[] = []) {
    this.#isBoundToLoopback = isLoopback(boundTo)
    this.#callers = callers
    this.#otherBaseUrls = alsoAt
  }

  /** @throws Refusal invalid_argument for no or several Host headers, misdirected for another one */
  checkHost(incoming: Incoming, baseUrl: string): void {
    this.#updateBaseUrl(baseUrl)
    if (incoming.url.href.length > maxUrlLength)
      throw new HttpRefusal(
        414,
        'too_large',
        `The address is longer than ${maxUrlLength} characters.`,
        { context: { limit: maxUrlLength } },
      )
    const { host, sender } = incoming
    if (host === '' || host.includes(','))
      throw new Refusal('invalid_argument', 'The request must have exactly one Host header.')
    if (
      this.#acceptsHost(host) &&
      (sender.host !== undefined || this.#acceptsHost(incoming.url.host))
    )
      return
    throw new Refusal(
      'misdirected',
      'This server does not answer to that host name.',
      `Use ${baseUrl}; the operator sets it with --base-url.`,
    )
  }

  /** @throws Refusal permission_denied if a page of another site sent the request */
  checkOrigin(incoming: Incoming): void {
    if (!this.#isForeign(incoming.header('origin'))) return
    throw new Refusal('permission_denied', 'Pages from other sites may not call this server.')
  }

  /**
   * For addresses that require a key: a page of another site with a key is a program like others.
   * @throws Refusal permission_denied if the operator does not allow its origin
   */
  checkCaller(incoming: Incoming): void {
    const origin = incoming.header('origin')
    if (!this.#isForeign(origin)) return
    if (!this.#callers.has(origin))
      throw new Refusal(
        'permission_denied',
        'Pages from this origin may not call this server.',
        'The operator lists the origins that may with --api-origins.',
      )
    incoming.isCrossOrigin = true
  }

  #isForeign(origin: string | undefined): origin is string {
    return origin !== undefined && !this.#origins.has(origin)
  }

  #acceptsHost(host: string): boolean {
    return (
      this.#hosts.has(host.toLowerCase()) ||
      (this.#isLocal && isLoopback(host.toLowerCase().replace(/:\d+$/, '')))
    )
  }

  /** The base URL may be known only once the server listens; until then the machine's own names count. */
  #updateBaseUrl(baseUrl: string): void {
    if (baseUrl === this.#baseUrl) return
    this.#baseUrl = baseUrl
    const all = [baseUrl, ...this.#otherBaseUrls].map((url) => new URL(url))
    const { protocol, hostname, port } = all[0]!
    this.#isLocal = this.#isBoundToLoopback || isLoopback(hostname) // local names can only mean this machine, whatever the port
    this.#hosts = new Set(all.flatMap(hostsOf))
    this.#origins = new Set(all.map((item) => item.origin))
    if (this.#isLocal)
      for (const name of loopbackNames)
        this.#origins.add(`${protocol}//${name}${port && `:${port}`}`)
  }
}

/** Host header values of an address: without the default port of its scheme, and with it. */
function hostsOf({ protocol, host, hostname, port }: URL): string[] {
  return port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host]
}
