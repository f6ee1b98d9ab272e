import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { readWithoutLogging } from '../../operations/call/index.ts'
import type { CallRequest } from '../../operations/call/request.ts'
import type { Subscription, ChangeSubscription } from '../../operations/event-feed.ts'
import { describeError } from '../../db/failures.ts'
import { omitNullish } from '../../kernel/present.ts'

export interface StreamTimes {
  /** Milliseconds between heartbeats on an idle stream, which make proxies keep the connection. */
  heartbeat: number
  /** Milliseconds for which a reader may leave pending data unread. */
  maxStallMs: number
  /** Milliseconds within which events are sent together. */
  batchMs: number
  /** Maximum unread bytes, plus one event. */
  maxBufferedBytes: number
  /**
   * For the web app: the first event has its stream id, used for events outside the log, and all events have a
   * `position` beside their id.
   */
  hasStreamId?: boolean
}

export const defaultTimes: StreamTimes = {
  heartbeat: 15_000,
  maxStallMs: 20_000,
  batchMs: 15,
  maxBufferedBytes: 64 * 1024,
}

/** Milliseconds that clients wait before they reconnect. */
const reconnectDelayMs = 2000
/** Maximum age in milliseconds of data before it is read again prior to sending: rights may have changed. */
const maxAgeMs = 250
const encoder = new TextEncoder()

/** Reader of the stream, and the request that opened it. */
export interface Reader {
  actor: Actor
  request: CallRequest
}

/**
 * A log of the workspace for one reader, as Server-Sent Events; checked on relevant changes, or at every commit if
 * the log cannot say which. Events are read from the log when there is something new and room for it, so that nothing
 * is lost, duplicated or stored here: a slow reader falls behind, and one that reads nothing is disconnected and may
 * reconnect with the last id. The reader's rights are checked on reading.
 */
export class EventStream<P = unknown> {
  readonly id = randomUUID()
  readonly body: ReadableStream<Uint8Array>
  readonly reader: Reader
  readonly #app: App
  readonly #subscription: Subscription<P>
  readonly #times: StreamTimes
  readonly #onClosed: () => void
  /** Resolves once it receives commit notifications. */
  readonly #subscribed: Promise<unknown>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #place: P
  #wake = () => {}
  #hasNews = false
  #onRoom = () => {}
  #isOpen = true

  /**
   * `onClosed` is called once, whichever side ended it. @throws Refusal rate_limited, unavailable if too many are open
   */
  constructor(
    app: App,
    reader: Reader,
    subscription: Subscription<P> & Partial<Pick<ChangeSubscription, 'mayMatch'>>,
    times: StreamTimes,
    onClosed: () => void,
  ) {
    this.#app = app
    this.reader = reader
    this.#subscription = subscription
    this.#times = times
    this.#place = subscription.start
    const release = app.live.registerStream(reader.actor, () => this.end())
    const { mayMatch } = subscription
    const wakeUp = () => this.#wakeUp()
    const unsubscribe: Promise<() => void> = mayMatch
      ? app.live.subscribe({
          actor: reader.actor,
          includesInvisible: true,
          wants: mayMatch,
          onChange: wakeUp,
        })
      : Promise.resolve(app.live.watch(wakeUp))
    this.#subscribed = unsubscribe
    this.#onClosed = () => {
      unsubscribe.then(
        (end) => end(),
        () => {}, // subscribing failed, which #run() has logged
      )
      release()
      onClosed()
    }
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#onRoom(),
        cancel: () => this.#end(),
      },
      { highWaterMark: times.maxBufferedBytes, size: (bytes) => bytes.length },
    )
    this.#write(this.#firstEvent())
    void Promise.resolve().then(() => this.#run()) // never within the constructor: it may end at once
  }

  /** Ends it from our side; the reader reconnects with the last id. */
  end(): void {
    if (!this.#isOpen) return
    this.#controller.close()
    this.#end()
  }

  #end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onClosed()
    this.#onRoom()
    this.#wakeUp()
  }

  #wakeUp(): void {
    this.#hasNews = true
    this.#wake()
  }

  /** First event of a stream: a client that lists items after it and then follows the events misses nothing. */
  #firstEvent(): string {
    const { reset, cursor, start } = this.#subscription
    const since_cursor = cursor(start)
    const streamFields = this.#times.hasStreamId
      ? { stream: this.id, ...this.#positionOf(start) }
      : {}
    const first = reset
      ? {
          event: 'reset',
          reason: reset,
          message: resetMessages[reset],
          since_cursor,
          ...streamFields,
        }
      : { event: 'ready', since_cursor, ...streamFields }
    return `retry: ${reconnectDelayMs}\n${eventText(first.event, since_cursor, first)}`
  }

  #positionOf(place: P): { position?: number } {
    return this.#times.hasStreamId
      ? omitNullish({ position: this.#subscription.position?.(place) })
      : {}
  }

  /**
   * Sends an event outside the log, which is not repeated after reconnecting; false if the stream has ended or the
   * reader is behind.
   */
  send(event: string, payload: object): boolean {
    if (!this.#isOpen || (this.#controller.desiredSize ?? 0) <= 0) return false
    this.#write(`event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`)
    return true
  }

  async #run(): Promise<void> {
    try {
      await this.#subscribed
      while (this.#isOpen) {
        const actor = await this.#app.keys.currentActor(this.reader.actor)
        if (!actor) return
        this.#hasNews = false
        if (await this.#catchUp(actor)) await this.#waitForNews()
      }
    } catch (error) {
      this.#app.log.error('an event stream failed', { error: describeError(error) })
    } finally {
      this.end()
    }
  }

  /** Sends pending events; false if there are more, or if time passed meanwhile, so that the log must be read again. */
  async #catchUp(actor: Actor): Promise<boolean> {
    const { events, place, more } = await readWithoutLogging(
      this.#app,
      actor,
      this.reader.request,
      (ctx) => this.#subscription.next(ctx, this.#place),
    )
    for (const { event, id, payload, place } of events) {
      if (!this.#isOpen) return false
      this.#write(eventText(event, id, { ...payload, ...this.#positionOf(place) }))
      this.#place = place
      if (this.#controller.desiredSize! > 0) continue
      if ((await this.#waitForRoom()) > maxAgeMs) return false
    }
    this.#place = place
    return !more
  }

  /** Waits for something new; sends nothing if only time has passed. */
  async #waitForNews(): Promise<void> {
    if (!this.#hasNews && !(await this.#waitForWake())) return this.#sendHeartbeat()
    await pause(this.#times.batchMs)
  }

  /** Whether something came before the next heartbeat. */
  #waitForWake(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#times.heartbeat).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  /** The id also advances past events for others, so that a reconnect has less to read. */
  #sendHeartbeat(): void {
    if (this.#isOpen && this.#controller.desiredSize! > 0)
      this.#write(`: keep-alive\nid: ${this.#subscription.cursor(this.#place)}\n\n`)
  }

  /** Returns the time it took; ends the stream if that was too long. */
  async #waitForRoom(): Promise<number> {
    const start = performance.now()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#onRoom = () => resolve(true)
    const timer = setTimeout(() => resolve(false), this.#times.maxStallMs).unref()
    const hasRoom = await promise
    clearTimeout(timer)
    if (!hasRoom) this.end()
    return performance.now() - start
  }

  #write(text: string): void {
    const bytes = encoder.encode(text)
    this.#controller.enqueue(bytes)
    this.#app.limits.recordAnswerSize(this.reader.actor, bytes.length)
  }
}

const resetMessages: Record<NonNullable<ChangeSubscription['reset']>, string> = {
  too_old: 'Too much has changed since then to list: reload what you show, and follow from here.',
  unknown:
    'Unknown position, for example after a restored backup: reload what you show, and follow from here.',
}

function eventText(event: string, id: string, payload: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(payload)}\n\n`
}
