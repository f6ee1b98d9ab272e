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
export interface ListenerSettings {
  proxies: Proxies
  /** Whether connections to this server itself are encrypted. */
  isEncrypted: boolean
  /** Whether people reach this instance over https, even through an unconfigured proxy. */
  isPublicHttps: boolean
}

const defaultSettings: ListenerSettings = {
  proxies: new Proxies([]),
  isEncrypted: false,
  isPublicHttps: false,
}

/** A request as the rest of http and mcp use it. Expensive properties are computed on demand. */
export class Incoming {
  /** Id of the JSON-RPC request in the body, once read; included in refusals. */
  messageId: string | number | undefined
  readonly request: H3Event['req']
  readonly url: URL
  /** Values of the route's variables, still percent-encoded. */
  readonly params: Record<string, string>
  /** The caller's if it is well-formed, ours otherwise. */
  readonly requestId: string
  readonly #front: ListenerSettings
  #sender: Sender | undefined
  /** Rate limit status of the request's key, for its answer; set once it is known. */
  rateLimit: RateLimitStatus | undefined
  /** Whether a program in a browser sent it from another origin that may read the answer. */
  isCrossOrigin = false
  /** Position in the workspace's changes that is included in everything read for a signed-in person, see EventFeed. */
  position: number | undefined

  constructor(event: H3Event, front: ListenerSettings = defaultSettings) {
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

  /** Client address; only configured proxies are trusted. */
  get ip(): string {
    return this.sender.ip
  }

  /** Whether it came over https, as far as known. */
  get isSecure(): boolean {
    const { proxies, isEncrypted, isPublicHttps } = this.#front
    return proxies.areConfigured ? this.sender.isSecure : isEncrypted || isPublicHttps
  }

  get sender(): Sender {
    const { proxies, isEncrypted } = this.#front
    return (this.#sender ??= proxies.senderOf(this.peer, isEncrypted, (name) => this.header(name)))
  }

  /** Address of the connection's remote end. */
  get peer(): string {
    return this.request.ip ?? ''
  }

  /** Requested host name; empty if missing or repeated. HTTP/2 has its own field for it. */
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

  /** Its place in a trace, if the sender follows W3C Trace Context. */
  get trace(): TraceParent | undefined {
    return traceIn(this.header('traceparent'))
  }

  get isHttp2(): boolean {
    return this.node?.httpVersionMajor === 2
  }

  /** Node's own request; undefined if the app is called without a server. */
  get node(): IncomingMessage | undefined {
    return this.request.runtime?.node?.req as IncomingMessage | undefined
  }

  get client(): Client | undefined {
    const [, name, version] =
      /^([^\s/]{1,80})(?:\/([^\s/]{1,40}))?/.exec(this.header('user-agent') ?? '') ?? []
    if (name === undefined) return undefined
    return version === undefined ? { name } : { name, version }
  }

  /** A header's value; repeated ones are joined by ", ". */
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

  /** Whether part of the body has not arrived yet. */
  get isUnread(): boolean {
    return this.node !== undefined && !this.node.complete
  }
}
