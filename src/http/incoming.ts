import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { H3Event } from 'h3'

/** Who calls, as far as a User-Agent or an MCP client says. */
export interface Client {
  name: string
  version?: string
}

/** What answers the requests of one address. @throws Refusal */
export type Page = (incoming: Incoming) => Promise<Response> | Response

/** One request as the rest of http and mcp see it. What costs is worked out when it is asked for. */
export class Incoming {
  readonly request: H3Event['req']
  readonly url: URL
  /** Values of the route's variables, still percent-encoded. */
  readonly params: Record<string, string>
  /** Ours, or the caller's own where it is harmless. */
  readonly requestId: string
  /** Whether people reach this instance by https, through a proxy or not. */
  readonly isSecure: boolean

  constructor(event: H3Event, isSecure: boolean) {
    this.request = event.req
    this.url = event.url
    this.params = (event.context.params as Record<string, string> | undefined) ?? {}
    this.isSecure = isSecure
    const given = event.req.headers.get('x-request-id')
    this.requestId = given !== null && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID()
  }

  get method(): string {
    return this.request.method
  }

  get ip(): string {
    return this.request.ip ?? ''
  }

  /** Node's own request; undefined where the app is called without a server. */
  get node(): IncomingMessage | undefined {
    return this.request.runtime?.node?.req as IncomingMessage | undefined
  }

  get client(): Client | undefined {
    const [, name, version] = /^([^\s/]{1,80})(?:\/([^\s/]{1,40}))?/.exec(this.header('user-agent') ?? '') ?? []
    if (name === undefined) return undefined
    return version === undefined ? { name } : { name, version }
  }

  /** A header's value; of one that was sent several times, all of them joined by ", ". */
  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  /** Whether the caller announced a body. */
  get hasBody(): boolean {
    if (!this.node) return this.request.body !== null
    const length = this.header('content-length')
    return length === undefined ? this.header('transfer-encoding') !== undefined : length !== '0'
  }

  /** Whether part of the body is still on its way. */
  get isUnread(): boolean {
    return this.node !== undefined && !this.node.complete
  }
}
