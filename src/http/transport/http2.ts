// Limits for HTTP/2 that Node lacks: closes idle connections, and requests that do not complete.

import {
  constants,
  Http2ServerResponse,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { isUpload } from './late-bodies.ts'

export interface Http2Limits {
  /** Milliseconds for which a connection without a request is kept open. */
  idle: number
  /** Milliseconds within which a request must arrive. */
  request: number
  /** Milliseconds for which an answer waits for a caller who reads nothing. */
  answer: number
  /** Maximum concurrent requests of all connections, above which each connection is limited to `maxRequestsPerConnection`. */
  maxRequests: number
  maxRequestsPerConnection: number
}

/** Server options: concurrent requests per connection, and header size. */
export const http2Options = {
  settings: { maxConcurrentStreams: 32, maxHeaderListSize: 16 * 1024, enablePush: false },
  maxHeaderListPairs: 64,
  unknownProtocolTimeout: 2_000,
  Http2ServerResponse: responseWithoutConnectionHeaders(),
}

/** Connection headers do not exist in HTTP/2; Node would drop each with a warning. */
function responseWithoutConnectionHeaders(): typeof Http2ServerResponse {
  class Quiet extends Http2ServerResponse {
    override writeHead(status: number, ...rest: any[]): this {
      const headers = rest.at(-1) as unknown
      if (!Array.isArray(headers)) return super.writeHead(status, ...(rest as []))
      const allowedHeaders = headers.flatMap((name: string, i) =>
        i % 2 === 0 && !/^(connection|keep-alive|transfer-encoding)$/i.test(name)
          ? [name, headers[i + 1] as string]
          : [],
      )
      return super.writeHead(status, allowedHeaders)
    }
  }
  return Quiet as typeof Http2ServerResponse
}

const checkIntervalMs = 2_000 // or shorter, if answers may not wait that long

/** Monitors the HTTP/2 connections of a server. */
export class Http2Connections {
  readonly #limits: Http2Limits
  readonly #sessions = new Set<ServerHttp2Session>()
  /** Running requests and the start of waiting for their answers. */
  readonly #waiting = new Map<ServerHttp2Stream, number>()
  readonly #timer: NodeJS.Timeout

  constructor(server: Http2SecureServer, limits: Http2Limits) {
    this.#limits = limits
    this.#timer = setInterval(
      () => this.#abortStalled(performance.now()),
      Math.min(checkIntervalMs, limits.answer / 4),
    ).unref()
    server.on('session', (session) => {
      this.#sessions.add(session)
      session.once('close', () => this.#sessions.delete(session))
      session.on('error', () => {}) // the connection broke; its streams report that themselves
      this.#watch(session)
    })
  }

  /** Accepts no more requests and lets running ones finish. */
  close(): void {
    clearInterval(this.#timer)
    for (const session of this.#sessions) session.close()
  }

  #watch(session: ServerHttp2Session): void {
    const startIdleTimer = () =>
      setTimeout(() => closeHttp2Session(session), this.#limits.idle).unref()
    let openStreams = 0
    let idleTimer = startIdleTimer()
    session.once('close', () => clearTimeout(idleTimer))
    session.on('stream', (stream, headers) => {
      openStreams++
      clearTimeout(idleTimer)
      this.#watchStream(stream, headers[':path'])
      if (
        this.#waiting.size > this.#limits.maxRequests &&
        openStreams > this.#limits.maxRequestsPerConnection
      )
        session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
      stream.once('close', () => {
        if (--openStreams === 0 && !session.closed) idleTimer = startIdleTimer()
      })
    })
  }

  #watchStream(stream: ServerHttp2Stream, path: string | undefined): void {
    this.#waiting.set(stream, performance.now())
    stream.on('drain', () => this.#waiting.set(stream, performance.now()))
    stream.once('close', () => this.#waiting.delete(stream))
    if (stream.endAfterHeaders || isUpload(path)) return
    const timeout = setTimeout(
      () => stream.close(constants.NGHTTP2_CANCEL),
      this.#limits.request,
    ).unref()
    stream.once('end', () => clearTimeout(timeout)).once('close', () => clearTimeout(timeout))
  }

  /** Aborts answers that the client does not read. */
  #abortStalled(now: number): void {
    for (const [stream, since] of this.#waiting) {
      if (stream.writableLength === 0) this.#waiting.set(stream, now)
      else if (now - since >= this.#limits.answer) stream.close(constants.NGHTTP2_CANCEL)
    }
  }
}

/** Closes a connection gracefully, then by force: one with a partial request counts as idle, too. */
function closeHttp2Session(session: ServerHttp2Session): void {
  session.close()
  setTimeout(() => session.destroy(), 2_000).unref()
}
