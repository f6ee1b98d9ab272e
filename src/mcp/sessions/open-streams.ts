import { OpenStream } from './open-stream.ts'
import type { retryEventsFor } from './stream-words.ts'

/** Open streams of a session. */
export class OpenStreams {
  readonly #streams = new Set<OpenStream>()

  get size(): number {
    return this.#streams.size
  }

  /** Keeps a stream open until its client leaves, then calls `closed`. */
  keepOpen(
    response: Response,
    messages: ReturnType<typeof retryEventsFor>,
    onClosed: () => void,
  ): Response {
    const stream = new OpenStream(response, {
      ...messages,
      onClosed: () => {
        this.#streams.delete(stream)
        onClosed()
      },
    })
    this.#streams.add(stream)
    return stream.response
  }

  endAll(): void {
    for (const stream of this.#streams) stream.end()
  }
}
