/** One event of an event stream. */
export interface StreamEvent {
  event?: string
  id?: string
  data?: string
  retry?: string
  /** Content of `data`, parsed as JSON. */
  json?: any
}

/**
 * Milliseconds to wait for access that a key has lost to end: the server checks every four seconds, on busy machines
 * too.
 */
export const afterSweep = 12_000

/** Reads an event stream as it arrives, including comments. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''
  readonly comments: string[] = []

  constructor(response: Response) {
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }

  /** The next event; undefined at the end of the stream. @throws Error after so many milliseconds of silence */
  async next(timeoutMs = 20_000): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        if (block.startsWith(':')) this.comments.push(block)
        else return eventOf(block)
      } else {
        const { done, value } = await soon(this.#reader.read(), timeoutMs)
        if (done) return undefined
        this.#text += value
      }
    }
  }

  /** The next event with a message. */
  async message(): Promise<any> {
    for (let event; (event = await this.next()); ) if (event.json) return event.json
    return undefined
  }

  /** All remaining events. */
  async rest(timeoutMs?: number): Promise<StreamEvent[]> {
    const all: StreamEvent[] = []
    for (let event; (event = await this.next(timeoutMs)); ) all.push(event)
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
