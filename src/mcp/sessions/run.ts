import type { RequestId, StreamId } from '@modelcontextprotocol/server'

/** A request of the client's that has no answer yet. */
export class Run {
  readonly id: RequestId
  readonly #abort = new AbortController()
  /** Whether the SDK answers it. */
  isBySdk = false
  /** The stream on which its answer will come. */
  stream: StreamId | undefined
  /** The HTTP request that waits for the answer. */
  waiting: Request | undefined
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
