/** One event of a stream. */
export interface StreamEvent {
  id: string
  event: string
  data: string
}

export interface StreamHandlers {
  /** Called when the stream is open. */
  opened: () => void
  event: (event: StreamEvent) => void
  /** Called when it ended or could not be opened. `status` is 0 if the server was not reached. */
  ended: (status: number, retryAfterSeconds: number | undefined) => void
}

/** The server sends something every 15 seconds: after three times that, the connection counts as dead. */
const silenceMs = 45_000

/**
 * Follows a stream of Server-Sent Events once; the caller reconnects after it ended. Unlike an EventSource, it
 * reports why the server refused, and accepts events of any name. Returns a function that stops it without calling
 * the handlers.
 */
export function followStream(
  url: string,
  lastId: string | undefined,
  on: StreamHandlers,
): () => void {
  const abort = new AbortController()
  let isOver = false
  const end = (status: number, retryAfter?: number) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    abort.abort()
    on.ended(status, retryAfter)
  }
  let timer = setTimeout(() => end(0), silenceMs)
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => end(0), silenceMs)
  }
  const run = async () => {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) },
      signal: abort.signal,
      cache: 'no-store',
    })
    if (!response.ok || !response.body) {
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
      return end(response.status, Number.isFinite(retryAfter) ? retryAfter : undefined)
    }
    on.opened()
    const parser = new EventParser((event) => isOver || on.event(event))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || isOver) return end(200)
      resetTimer()
      parser.push(value)
    }
  }
  run().catch(() => end(0))
  return () => {
    isOver = true
    clearTimeout(timer)
    abort.abort()
  }
}

/** Parses the text of a stream in chunks. */
export class EventParser {
  readonly #onEvent: (event: StreamEvent) => void
  #rest = ''
  #id = ''
  #event = ''
  #data: string[] = []

  constructor(listener: (event: StreamEvent) => void) {
    this.#onEvent = listener
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  #take(line: string): void {
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
