import type { RequestId, StreamId } from '@modelcontextprotocol/server'

/** A client request without an answer yet. */
export class PendingRequest {
  readonly id: RequestId
  readonly #abort = new AbortController()
  /** Whether the SDK answers it. */
  isBySdk = false
  /** The stream for its answer. */
  stream: StreamId | undefined
  /** The HTTP request waiting for the answer. */
  httpRequest: Request | undefined
  timer: NodeJS.Timeout | undefined

  constructor(id: RequestId) {
    this.id = id
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  abort(): void {
    clearTimeout(this.timer)
    this.#abort.abort()
  }
}
