// Which requests come in at all: those that mean this instance (Host), from a page of this instance or from no page (Origin).
// A browser that was led here by a foreign name or a foreign page is stopped before anything is looked up for it.

import { Refusal } from '../core/refusal.ts'
import type { Incoming } from './incoming.ts'
import { HttpRefusal } from './problem.ts'

const longestUrl = 8192
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

export class Door {
  readonly #isBoundToLoopback: boolean
  #baseUrl = ''
  #isLocal = true
  #hosts = new Set<string>()
  #origins = new Set<string>()

  /** `boundTo`: the address that the server listens on. */
  constructor(boundTo: string) {
    this.#isBoundToLoopback = isLoopback(boundTo)
  }

  /** @throws Refusal invalid_argument for no or several Host headers, misdirected for another one */
  checkHost(incoming: Incoming, baseUrl: string): void {
    this.#follow(baseUrl)
    if (incoming.url.href.length > longestUrl) throw new HttpRefusal(414, 'too_large', `The address is longer than ${longestUrl} characters.`, { context: { limit: longestUrl } })
    const host = incoming.header('host') ?? (incoming.node ? '' : incoming.url.host)
    if (host === '' || host.includes(',')) throw new Refusal('invalid_argument', 'The request must have exactly one Host header.')
    if (this.#takesHost(host) && this.#takesHost(incoming.url.host)) return
    throw new Refusal('misdirected', 'This server does not answer under that name.', `It is reached at ${baseUrl}; its operator sets that with --base-url.`)
  }

  /** @throws Refusal permission_denied where a page of another site sent the request */
  checkOrigin(incoming: Incoming): void {
    const origin = incoming.header('origin')
    if (origin === undefined || this.#origins.has(origin)) return
    throw new Refusal('permission_denied', 'Pages of other sites may not call this server.')
  }

  #takesHost(host: string): boolean {
    return this.#hosts.has(host.toLowerCase()) || (this.#isLocal && isLoopback(host.toLowerCase().replace(/:\d+$/, '')))
  }

  /** The base URL may be known only once the server listens; until then the names of this machine count. */
  #follow(baseUrl: string): void {
    if (baseUrl === this.#baseUrl) return
    this.#baseUrl = baseUrl
    const { protocol, host, hostname, port, origin } = new URL(baseUrl)
    this.#isLocal = this.#isBoundToLoopback || isLoopback(hostname) // names of this machine can only have been meant for it, whichever port they came through
    this.#hosts = new Set(port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host])
    this.#origins = new Set([origin])
    if (this.#isLocal) for (const name of loopbackNames) this.#origins.add(`${protocol}//${name}${port && `:${port}`}`)
  }
}

/** Whether an address or name is of the machine itself. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
