import type { RequestId, StreamId } from '@modelcontextprotocol/server'
import { Run } from './run.ts'

/** A session's unanswered requests, and the HTTP requests waiting for them. */
export class Runs {
  readonly #runs = new Map<RequestId, Run>()
  readonly #grace: number
  readonly #cancel: (run: Run) => void

  /** `cancel` is called for requests that nothing has waited for during `grace` milliseconds. */
  constructor(grace: number, cancel: (run: Run) => void) {
    this.#grace = grace
    this.#cancel = cancel
  }

  get size(): number {
    return this.#runs.size
  }

  get(id: RequestId | undefined): Run | undefined {
    return id === undefined ? undefined : this.#runs.get(id)
  }

  has(run: Run): boolean {
    return this.#runs.get(run.id) === run
  }

  /** The request to be answered on a stream. */
  onStream(stream: StreamId): Run | undefined {
    return [...this.#runs.values()].find((run) => run.stream === stream)
  }

  start(id: RequestId, request: Request): Run {
    const run = new Run(id)
    this.#runs.set(id, run)
    this.wait(run, request)
    const left = () => this.leave(run, request)
    if (request.signal.aborted) left()
    else request.signal.addEventListener('abort', left, { once: true })
    return run
  }

  finish(run: Run): void {
    clearTimeout(run.timer)
    if (this.has(run)) this.#runs.delete(run.id)
  }

  /** Makes this HTTP request wait for the answer. */
  wait(run: Run, request: Request): void {
    clearTimeout(run.timer)
    run.waiting = request
  }

  /** Stops waiting without cancelling: the client may come back for the answer. */
  leave(run: Run, request: Request): void {
    if (run.waiting !== request || !this.has(run)) return
    run.timer = setTimeout(() => this.#cancel(run), this.#grace).unref()
  }

  abortAll(): void {
    for (const run of this.#runs.values()) run.abort()
    this.#runs.clear()
  }
}
