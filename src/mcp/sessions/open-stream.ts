const encoder = new TextEncoder()

/** Milliseconds that clients wait before they reconnect to an ended stream. */
export const reconnectDelay = 2000

export function isEventStream({ body, headers }: Response): boolean {
  return body !== null && headers.get('content-type')?.startsWith('text/event-stream') === true
}

export interface OpenStreamOptions {
  /** First message, sent at once together with the headers of the answer. */
  firstMessage?: string
  /** Final message, sent if the server ends the stream. */
  lastMessage?: string
  /** Called once, whichever side ended the stream. */
  onClosed: () => void
}

/** An event stream written by the SDK, with an event of ours before it and, if we end it, one after it. */
export class OpenStream {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #last: string
  readonly #onClosed: () => void
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #isOpen = true

  constructor(
    { body, status, headers }: Response,
    { firstMessage = '', lastMessage = '', onClosed }: OpenStreamOptions,
  ) {
    this.#reader = body!.getReader()
    this.#last = lastMessage
    this.#onClosed = onClosed
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          if (firstMessage !== '') controller.enqueue(encoder.encode(firstMessage))
        },
        pull: () => this.#forward(),
        cancel: (reason) => {
          this.#close()
          return this.#reader.cancel(reason)
        },
      },
      { highWaterMark: 0 },
    )
    this.response = new Response(stream, { status, headers })
  }

  /** Ends the stream from the server's side. */
  end(): void {
    if (!this.#isOpen) return
    if (this.#last !== '') this.#controller.enqueue(encoder.encode(this.#last))
    this.#finish()
    void this.#reader.cancel().catch(() => {}) // its writer has ended by itself
  }

  async #forward(): Promise<void> {
    const { done, value } = await this.#reader.read()
    if (!this.#isOpen) return
    if (done) this.#finish()
    else this.#controller.enqueue(value)
  }

  #finish(): void {
    this.#controller.close()
    this.#close()
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onClosed()
  }
}
