// Clients that occupy a server at little cost: slow to send, slow to read, or silent.

import { readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { send, type Door } from './requests.ts'
import { dial } from './wire.ts'

/** Open connections. */
export class HeldConnections {
  readonly sockets: Socket[]
  /** Data received on each connection. */
  readonly received: string[]
  readonly #drip: NodeJS.Timeout | undefined

  /**
   * Opens a number of connections and sends `first` on each; then `drop` repeatedly, at an interval in milliseconds.
   */
  constructor(
    { url }: Door,
    options: { count: number; first: string; drop?: string; every?: number; deaf?: boolean },
  ) {
    this.received = Array.from({ length: options.count }, () => '')
    this.sockets = this.received.map((_, i) =>
      this.#open(url, i, options.first, options.deaf === true),
    )
    if (options.drop !== undefined)
      this.#drip = setInterval(() => this.#say(options.drop!), options.every ?? 1000).unref()
  }

  #open(url: string, i: number, first: string, deaf: boolean): Socket {
    const socket = dial(url)
    socket.on('error', () => undefined) // that the server ends it is what is waited for
    socket.unref()
    socket.write(first)
    if (deaf) return socket.pause()
    return socket.on(
      'data',
      (part) => (this.received[i] = (this.received[i]! + part.toString()).slice(-4000)),
    )
  }

  #say(text: string): void {
    for (const socket of this.sockets) if (socket.writable) socket.write(text)
  }

  get open(): number {
    return this.sockets.filter((socket) => !socket.closed && !socket.readableEnded).length
  }

  /** Waits until a number of connections received the expected data. @throws Error where they do not within the time */
  async until(
    isSo: (connections: this) => boolean,
    timeoutMs: number,
    what: string,
  ): Promise<void> {
    for (const end = performance.now() + timeoutMs; !isSo(this); await pause(20))
      if (performance.now() > end)
        throw new Error(
          `${what}: not within ${timeoutMs} ms; ${this.open} of ${this.sockets.length} are open`,
        )
  }

  end(): void {
    clearInterval(this.#drip)
    for (const socket of this.sockets) socket.destroy()
  }
}

/** Response time of the health check, in milliseconds: 95th percentile. */
export async function healthP95(door: Door, count = 60): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < count; i++) {
    const at = performance.now()
    const { status } = await send({ url: door.url }, { method: 'GET', path: '/healthz' })
    if (status !== 200) throw new Error(`/healthz answered ${status}`)
    took.push(performance.now() - at)
    await pause(10)
  }
  return took.sort((a, b) => a - b)[Math.floor(count * 0.95)]!
}

/** Open files and connections of a process (Linux). */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
