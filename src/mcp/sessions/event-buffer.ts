import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server'

/** Limits per session on events stored for reconnecting clients. */
const maxEvents = 256
const maxChars = 512 * 1024

interface BufferedEvent {
  number: number
  stream: StreamId
  /** The message; undefined for an event that only opens a stream. */
  text: string | undefined
  at: number
  /** Its stream has ended without an answer: there is nothing to resume. */
  hasEnded: boolean
}

/** The latest events of a session, oldest first, for resuming a broken stream. */
export class EventBuffer implements EventStore {
  readonly #shouldStore: (stream: StreamId, message: JSONRPCMessage) => boolean
  readonly #now: () => number
  #events: BufferedEvent[] = []
  #chars = 0
  #lastNumber = 0

  /** `shouldStore`: whether to store an event; others still get an id, as the SDK requires. */
  constructor(
    shouldStore: (stream: StreamId, message: JSONRPCMessage) => boolean,
    now: () => number,
  ) {
    this.#shouldStore = shouldStore
    this.#now = now
  }

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const number = ++this.#lastNumber
    if (this.#shouldStore(stream, message))
      this.#store(number, stream, isMessage(message) ? JSON.stringify(message) : undefined)
    return String(number)
  }

  async getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return this.find(id)?.stream
  }

  /** Sends the stream's later events, including those stored meanwhile, as the SDK expects. */
  async replayEventsAfter(
    id: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const start = this.#eventById(id)
    if (!start) throw new Error('The event is no longer stored.')
    for (let last = start, next; (next = this.#next(last)); last = next)
      await send(String(next.number), JSON.parse(next.text!) as JSONRPCMessage)
    return start.stream
  }

  /** The stream of a stored event. */
  find(id: EventId): { stream: StreamId; hasEnded: boolean } | undefined {
    return this.#eventById(id)
  }

  /** Marks a stream as ended: drops its messages, so that it cannot be resumed. */
  end(stream: StreamId): void {
    for (const bufferedEvent of this.#events)
      if (bufferedEvent.stream === stream) this.#markOver(bufferedEvent)
  }

  forgetBefore(at: number): void {
    while (this.#events.length > 0 && this.#events[0]!.at < at) this.#dropFirst()
  }

  #store(number: number, stream: StreamId, text: string | undefined): void {
    this.#events.push({ number, stream, text, at: this.#now(), hasEnded: false })
    this.#chars += text?.length ?? 0
    while (this.#events.length > maxEvents || this.#chars > maxChars) this.#dropFirst()
  }

  #dropFirst(): void {
    this.#chars -= this.#events.shift()!.text?.length ?? 0
  }

  #markOver(entry: BufferedEvent): void {
    this.#chars -= entry.text?.length ?? 0
    entry.text = undefined
    entry.hasEnded = true
  }

  #eventById(id: EventId): BufferedEvent | undefined {
    return this.#events.find((entry) => String(entry.number) === id)
  }

  #next({ number, stream }: BufferedEvent): BufferedEvent | undefined {
    return this.#events.find(
      (entry) => entry.number > number && entry.stream === stream && entry.text !== undefined,
    )
  }
}

/** The SDK stores an empty object for the event that only opens a stream. */
function isMessage(message: JSONRPCMessage): boolean {
  return 'jsonrpc' in message
}
