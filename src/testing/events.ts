import { waitLimitMs } from './limits.ts'

/** One event of an event stream. */
export interface StreamEvent {
  event?: string
  id?: string
  data?: string
  retry?: string
  /** Content of `data`, parsed as JSON. */
  json?: any
}

/** Reads an event stream as it arrives, including comments. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''
  /** The read that a wait ended before. */
  #pendingRead: Promise<ReadableStreamReadResult<string>> | undefined
  /** Events that arrived before a comment that a test waited for. */
  readonly #events: StreamEvent[] = []
  readonly comments: string[] = []

  constructor(response: Response) {
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }

  /** The next event; undefined at the end of the stream. @throws Error after so many milliseconds of silence */
  async next(timeoutMs = waitLimitMs): Promise<StreamEvent | undefined> {
    const waiting = this.#events.shift()
    if (waiting) return waiting
    for (;;) {
      const block = await this.#nextBlock(timeoutMs)
      if (!block?.startsWith(':')) return block === undefined ? undefined : eventOf(block)
      this.comments.push(block)
    }
  }

  /** Waits until a comment that matches has arrived; `next` returns the events before it. */
  async comment(pattern: RegExp): Promise<void> {
    while (!this.comments.some((comment) => pattern.test(comment))) {
      const block = await this.#nextBlock(waitLimitMs)
      if (block === undefined) throw new Error(`The stream ended without ${String(pattern)}.`)
      if (block.startsWith(':')) this.comments.push(block)
      else this.#events.push(eventOf(block))
    }
  }

  /** The text up to the next empty line. */
  async #nextBlock(timeoutMs: number): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return block
      }
      this.#pendingRead ??= this.#reader.read()
      const { done, value } = await soon(this.#pendingRead, timeoutMs)
      this.#pendingRead = undefined
      if (done) return undefined
      this.#text += value
    }
  }

  /** The next event with a message. */
  async message(): Promise<any> {
    for (let event; (event = await this.next()); ) if (event.json) return event.json
    return undefined
  }

  /** All remaining events. */
  async rest(): Promise<StreamEvent[]> {
    const all: StreamEvent[] = []
    for (let event; (event = await this.next()); ) all.push(event)
    return all
  }

  /** Goes away. */
  cancel(): Promise<void> {
    return this.#reader.cancel()
  }
}

function eventOf(block: string): StreamEvent {
  const fields = Object.fromEntries(
    block
      .split('\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trimStart(),
      ]),
  ) as StreamEvent
  return fields.data?.startsWith('{')
    ? { ...fields, json: JSON.parse(fields.data) as unknown }
    : fields
}

function soon<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>(
    (_, reject) =>
      (timer = setTimeout(() => reject(new Error('Nothing came on the stream.')), timeoutMs)),
  )
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer))
}
