import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { H3Event } from 'h3'
import { traceIn, type TraceParent } from '../../kernel/trace.ts'
import { Proxies, type Sender } from './proxy.ts'
import type { RateLimitStatus } from '../../limits/rate.ts'

export interface Client {
  name: string
  version?: string
}

/** Handler for the requests of one address. @throws Refusal */
export type WebPage = (incoming: Incoming) => Promise<Response> | Response

/** Settings for incoming requests that are common to all requests of a server. */
export interface Front {
  proxies: Proxies
  /** Whether the connections to this server itself are encrypted. */
  isEncrypted: boolean
  /** Whether people reach this instance by https, through a proxy that was not named or not. */
  isPublicHttps: boolean
}

const bare: Front = { proxies: new Proxies([]), isEncrypted: false, isPublicHttps: false }

/** One request as the rest of http and mcp see it. What costs is worked out when it is asked for. */
export class Incoming {
  /** The id of the JSON-RPC request in the body, once it was read: a refusal names it. */
  messageId: string | number | undefined
  readonly request: H3Event['req']
  readonly url: URL
  /** Values of the route's variables, still percent-encoded. */
  readonly params: Record<string, string>
  /** Ours, or the caller's own where it is harmless. */
  readonly requestId: string
  readonly #front: Front
  #sender: Sender | undefined
  /** Rate limit status of the request's key, for its answer; set once it is known. */
  standing: RateLimitStatus | undefined
  /** Whether a program in a browser sent it, from another origin, and may read the answer. */
  isCrossOrigin = false
  /** The position in the changes of the workspace that everything read for a signed-in person includes, see EventFeed. */
  position: number | undefined

  constructor(event: H3Event, front: Front = bare) {
    this.request = event.req
    this.url = event.url
    this.params = (event.context.params as Record<string, string> | undefined) ?? {}
    this.#front = front
    const headerId = event.req.headers.get('x-request-id')
    this.requestId =
      headerId !== null && /^[A-Za-z0-9_-]{8,64}$/.test(headerId) ? headerId : randomUUID()
  }

  get method(): string {
    return this.request.method
  }

  /** The address of the one who sent it; of the proxies in between only those are believed that were named. */
  get ip(): string {
    return this.sender.ip
  }

  /** Whether it came by https, as far as is known. */
  get isSecure(): boolean {
    const { proxies, isEncrypted, isPublicHttps } = this.#front
    return proxies.areNamed ? this.sender.isSecure : isEncrypted || isPublicHttps
  }

  get sender(): Sender {
    const { proxies, isEncrypted } = this.#front
    return (this.#sender ??= proxies.senderOf(this.peer, isEncrypted, (name) => this.header(name)))
  }

  /** The address at the other end of the connection. */
  get peer(): string {
    return this.request.ip ?? ''
  }

  /** The name that it was sent to; empty where it says none, or several. HTTP/2 has it in a field of its own. */
  get host(): string {
    const proxied = this.sender.host
    if (proxied !== undefined) return proxied
    if (!this.node) return this.header('host') ?? this.url.host
    const { host, ':authority': authority } = this.node.headers as {
      host?: string
      ':authority'?: string
    }
    if (authority === undefined) return this.header('host') ?? ''
    return host === undefined || host === authority ? authority : ''
  }

  /** Its place in a trace, where its sender follows W3C Trace Context. */
  get trace(): TraceParent | undefined {
    return traceIn(this.header('traceparent'))
  }

  get isHttp2(): boolean {
    return this.node?.httpVersionMajor === 2
  }

  /** Node's own request; undefined where the app is called without a server. */
  get node(): IncomingMessage | undefined {
    return this.request.runtime?.node?.req as IncomingMessage | undefined
  }

  get client(): Client | undefined {
    const [, name, version] =
      /^([^\s/]{1,80})(?:\/([^\s/]{1,40}))?/.exec(this.header('user-agent') ?? '') ?? []
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
    if (length === undefined && this.isHttp2)
      return !(this.node as unknown as Http2ServerRequest).stream.endAfterHeaders
    return length === undefined ? this.header('transfer-encoding') !== undefined : length !== '0'
  }

  /** Whether part of the body is still on its way. */
  get isUnread(): boolean {
    return this.node !== undefined && !this.node.complete
  }
}
