import type { Socket } from 'node:net'

/** Milliseconds between checks of connections. */
const checkIntervalMs = 2_000
/** An answer waiting this long for a caller that reads less than the minimum is aborted. */
const maxWaitMs = 20_000
const minBytes = 10 * 1024 * (maxWaitMs / 1000)
/** Maximum number of pending bytes that may wait that long without progress. */
const maxPendingBytes = 2 ** 20
const maxStallMs = 4_000

/** A connection with unsent bytes, in its state when first seen or when last progressing well. */
interface Waiting {
  since: number
  taken: number
}

/** Ends connections of callers that read too slowly: pending answers use shared memory. */
export class SlowReaders {
  readonly #sockets: ReadonlySet<Socket>
  readonly #waiting = new Map<Socket, Waiting>()
  readonly #timer: NodeJS.Timeout

  constructor(sockets: ReadonlySet<Socket>) {
    this.#sockets = sockets
    this.#timer = setInterval(() => this.check(performance.now()), checkIntervalMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** `now`: monotonic, in milliseconds. */
  check(now: number): void {
    for (const socket of this.#waiting.keys())
      if (!this.#sockets.has(socket)) this.#waiting.delete(socket)
    for (const socket of this.#sockets) this.#checkSocket(socket, now)
  }

  #checkSocket(socket: Socket, now: number): void {
    const unsent = socket.writableLength
    if (unsent === 0) return void this.#waiting.delete(socket)
    const takenBytes = socket.bytesWritten - unsent
    const before = this.#waiting.get(socket)
    if (!before) return void this.#waiting.set(socket, { since: now, taken: takenBytes })
    const waited = now - before.since
    const isStuck = takenBytes === before.taken && unsent > maxPendingBytes && waited >= maxStallMs
    if (isStuck || (waited >= maxWaitMs && takenBytes - before.taken < minBytes)) socket.destroy()
    else if (waited >= maxWaitMs) this.#waiting.set(socket, { since: now, taken: takenBytes })
  }
}
