/** One event of a stream. */
export interface StreamEvent {
  id: string
  event: string
  data: string
}

export interface StreamHandlers {
  /** Called when the stream is open. */
  onOpen: () => void
  onEvent: (onEvent: StreamEvent) => void
  /** Called when it ended or could not be opened. `status` is 0 if the server was not reached. */
  onEnd: (status: number, retryAfterSeconds: number | undefined) => void
}

/** The server sends something every 15 seconds: after three times that, the connection counts as dead. */
const silenceTimeoutMs = 45_000

/**
 * Follows a stream of Server-Sent Events once; the caller reconnects after it ended. Unlike an EventSource, it
 * reports why the server refused, and accepts events of any name. Returns a function that stops it without calling
 * the handlers.
 */
export function followStream(
  url: string,
  lastEventId: string | undefined,
  handlers: StreamHandlers,
): () => void {
  const controller = new AbortController()
  let hasEnded = false
  const finish = (status: number, retryAfter?: number) => {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    controller.abort()
    handlers.onEnd(status, retryAfter)
  }
  let timer = setTimeout(() => finish(0), silenceTimeoutMs)
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => finish(0), silenceTimeoutMs)
  }
  const run = async () => {
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
      },
      signal: controller.signal,
      cache: 'no-store',
    })
    if (!response.ok || !response.body) {
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
      return finish(response.status, Number.isFinite(retryAfter) ? retryAfter : undefined)
    }
    handlers.onOpen()
    const parser = new EventParser((event) => hasEnded || handlers.onEvent(event))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || hasEnded) return finish(200)
      resetTimer()
      parser.push(value)
    }
  }
  run().catch(() => finish(0))
  return () => {
    hasEnded = true
    clearTimeout(timer)
    controller.abort()
  }
}

/** Parses the text of a stream in chunks. */
export class EventParser {
  readonly #onEvent: (event: StreamEvent) => void
  #buffer = ''
  #id = ''
  #event = ''
  #data: string[] = []

  constructor(listener: (event: StreamEvent) => void) {
    this.#onEvent = listener
  }

  push(text: string): void {
    const lines = (this.#buffer + text).split('\n')
    this.#buffer = lines.pop() ?? ''
    for (const line of lines) this.#parseLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  #parseLine(line: string): void {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'id') this.#id = value
    else if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
  }

  /** An id without data is also reported: it indicates the stream's position. */
  #dispatch(): void {
    const { length } = this.#data
    if (length > 0 || this.#id !== '')
      this.#onEvent({
        id: this.#id,
        event: length > 0 ? this.#event || 'message' : '',
        data: this.#data.join('\n'),
      })
    this.#event = ''
    this.#data = []
  }
}
