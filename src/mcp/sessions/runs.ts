import type { RequestId, StreamId } from '@modelcontextprotocol/server'
import { PendingRequest } from './run.ts'

/** A session's unanswered requests, and the HTTP requests waiting for them. */
export class PendingRequests {
  readonly #runs = new Map<RequestId, PendingRequest>()
  readonly #graceMs: number
  readonly #cancel: (run: PendingRequest) => void

  /** `cancel` is called for requests that nothing has waited for during `graceMs`. */
  constructor(graceMs: number, cancel: (run: PendingRequest) => void) {
    this.#graceMs = graceMs
    this.#cancel = cancel
  }

  get size(): number {
    return this.#runs.size
  }

  get(id: RequestId | undefined): PendingRequest | undefined {
    return id === undefined ? undefined : this.#runs.get(id)
  }

  has(run: PendingRequest): boolean {
    return this.#runs.get(run.id) === run
  }

  /** The request to be answered on a stream. */
  onStream(stream: StreamId): PendingRequest | undefined {
    return [...this.#runs.values()].find((run) => run.stream === stream)
  }

  start(id: RequestId, request: Request): PendingRequest {
    const run = new PendingRequest(id)
    this.#runs.set(id, run)
    this.wait(run, request)
    const onDisconnect = () => this.stopWaiting(run, request)
    if (request.signal.aborted) onDisconnect()
    else request.signal.addEventListener('abort', onDisconnect, { once: true })
    return run
  }

  finish(run: PendingRequest): void {
    clearTimeout(run.timer)
    if (this.has(run)) this.#runs.delete(run.id)
  }

  /** Makes this HTTP request wait for the answer. */
  wait(run: PendingRequest, request: Request): void {
    clearTimeout(run.timer)
    run.httpRequest = request
  }

  /** Stops waiting without cancelling: the client may come back for the answer. */
  stopWaiting(run: PendingRequest, request: Request): void {
    if (run.httpRequest !== request || !this.has(run)) return
    run.timer = setTimeout(() => this.#cancel(run), this.#graceMs).unref()
  }

  abortAll(): void {
    for (const run of this.#runs.values()) run.abort()
    this.#runs.clear()
  }
}
