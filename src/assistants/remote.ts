import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client'

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>

export interface RemoteEvents {
  message(message: JSONRPCMessage): void
  /** Reports a failure that no caller waits for. */
  error(error: Error): unknown
  /**
   * Called when open requests will receive nothing more: the session is gone, or the instance has been unreachable
   * for a while.
   */
  broken(why: 'gone' | 'unreachable'): void
}

/** Attempts to resume a stream before giving up requests that wait for it: 15 seconds. */
const maxAttempts = 6

/** One connection to an instance through the official transport; in older revisions, one session. */
export class Remote {
  readonly #transport: StreamableHTTPClientTransport
  readonly #events: RemoteEvents
  /** Whether resuming its streams is pointless. */
  #isRetired = false

  constructor(url: URL, key: string, events: RemoteEvents) {
    this.#events = events
    this.#transport = new StreamableHTTPClientTransport(url, {
      requestInit: {
        headers: { authorization: `Bearer ${key}`, 'user-agent': 'workspace-mcp-bridge' },
      },
      fetch: (to, init) => this.#fetch(to, init),
      reconnectionOptions: {
        initialReconnectionDelay: 1000,
        reconnectionDelayGrowFactor: 1.5,
        maxReconnectionDelay: 30_000,
        maxRetries: Infinity,
      },
      reconnectionScheduler: (reconnect, delay, attempt) =>
        this.#schedule(reconnect, delay, attempt),
    })
    this.#transport.onmessage = (message) => events.message(message)
    this.#transport.onerror = (error) => events.error(error)
  }

  start(): Promise<void> {
    return this.#transport.start()
  }

  send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    return this.#transport.send(message, options)
  }

  get hasSession(): boolean {
    return this.#transport.sessionId !== undefined
  }

  set protocolVersion(version: string) {
    this.#transport.setProtocolVersion(version)
  }

  /** Retires it in favor of another connection: pending answers may still arrive, but no stream is resumed. */
  retire(): void {
    this.#isRetired = true
    setTimeout(() => void this.#transport.close(), 10_000).unref()
  }

  /** Ends the session, if any, and all open streams. */
  async end(): Promise<void> {
    this.#isRetired = true
    await Promise.race([
      this.#transport.terminateSession(),
      new Promise((resolve) => setTimeout(resolve, 500).unref()),
    ]).catch(() => undefined) // it expires by itself
    await this.#transport.close()
  }

  async #fetch(to: string | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(to, init)
    if (init?.method === 'GET' && [401, 403, 404].includes(response.status) && !this.#isRetired) {
      this.#isRetired = true
      this.#events.broken('gone')
    }
    return response
  }

  #schedule(reconnect: () => void, delay: number, attempt: number): () => void {
    if (this.#isRetired) return () => {}
    if (attempt === maxAttempts) this.#events.broken('unreachable')
    const timer = setTimeout(reconnect, delay)
    return () => clearTimeout(timer)
  }
}
