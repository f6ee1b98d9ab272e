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
  gather: number
  /** Maximum unread bytes, plus one event. */
  maxBufferedBytes: number
  /**
   * For the web app: the first event has its stream id, used for events outside the log, and all events have a
   * `position` beside their id.
   */
  isNamed?: boolean
}

export const defaultTimes: StreamTimes = {
  heartbeat: 15_000,
  maxStallMs: 20_000,
  gather: 15,
  maxBufferedBytes: 64 * 1024,
}

/** Milliseconds that clients wait before they reconnect. */
const comeBackAfter = 2000
/** Maximum age in milliseconds of data before it is read again prior to sending: rights may have changed. */
const stale = 250
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
  readonly #following: Subscription<P>
  readonly #times: StreamTimes
  readonly #closed: () => void
  /** Resolves once it receives commit notifications. */
  readonly #subscribed: Promise<unknown>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #place: P
  #wake = () => {}
  #isWoken = false
  #room = () => {}
  #isOpen = true

  /**
   * `closed` is called once, whichever side ended it. @throws Refusal rate_limited, unavailable if too many are open
   */
  constructor(
    app: App,
    reader: Reader,
    following: Subscription<P> & Partial<Pick<ChangeSubscription, 'mayMatch'>>,
    times: StreamTimes,
    closed: () => void,
  ) {
    this.#app = app
    this.reader = reader
    this.#following = following
    this.#times = times
    this.#place = following.start
    const release = app.live.registerStream(reader.actor, () => this.end())
    const { mayMatch } = following
    const tell = () => this.#tell()
    const leave: Promise<() => void> = mayMatch
      ? app.live.subscribe({
          actor: reader.actor,
          includesInvisible: true,
          wants: mayMatch,
          onChange: tell,
        })
      : Promise.resolve(app.live.watch(tell))
    this.#subscribed = leave
    this.#closed = () => {
      leave.then(
        (end) => end(),
        () => {}, // it never began, which run() has told
      )
      release()
      closed()
    }
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#room(),
        cancel: () => this.#end(),
      },
      { highWaterMark: times.maxBufferedBytes, size: (bytes) => bytes.length },
    )
    this.#say(this.#greeting())
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
    this.#closed()
    this.#room()
    this.#tell()
  }

  #tell(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** First event of a stream: a client that lists items after it and then follows the events misses nothing. */
  #greeting(): string {
    const { reset, cursor, start } = this.#following
    const since_cursor = cursor(start)
    const streamFields = this.#times.isNamed ? { stream: this.id, ...this.#positionOf(start) } : {}
    const first = reset
      ? { event: 'reset', reason: reset, message: resets[reset], since_cursor, ...streamFields }
      : { event: 'ready', since_cursor, ...streamFields }
    return `retry: ${comeBackAfter}\n${eventText(first.event, since_cursor, first)}`
  }

  #positionOf(place: P): { position?: number } {
    return this.#times.isNamed ? omitNullish({ position: this.#following.position?.(place) }) : {}
  }

  /**
   * Sends an event outside the log, which is not repeated after reconnecting; false if the stream has ended or the
   * reader is behind.
   */
  tell(event: string, payload: object): boolean {
    if (!this.#isOpen || (this.#controller.desiredSize ?? 0) <= 0) return false
    this.#say(`event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`)
    return true
  }

  async #run(): Promise<void> {
    try {
      await this.#subscribed
      while (this.#isOpen) {
        const actor = await this.#app.keys.currentActor(this.reader.actor)
        if (!actor) return
        this.#isWoken = false
        if (await this.#catchUp(actor)) await this.#news()
      }
    } catch (error) {
      this.#app.log.error('a stream of events was ended', { error: describeError(error) })
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
      (ctx) => this.#following.next(ctx, this.#place),
    )
    for (const { event, id, payload, place } of events) {
      if (!this.#isOpen) return false
      this.#say(eventText(event, id, { ...payload, ...this.#positionOf(place) }))
      this.#place = place
      if (this.#controller.desiredSize! > 0) continue
      if ((await this.#waitForRoom()) > stale) return false
    }
    this.#place = place
    return !more
  }

  /** Waits for something new; sends nothing if only time has passed. */
  async #news(): Promise<void> {
    if (!this.#isWoken && !(await this.#woken())) return this.#beat()
    await pause(this.#times.gather)
  }

  /** Whether something came before the next heartbeat. */
  #woken(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#times.heartbeat).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  /** The id also advances past events for others, so that a reconnect has less to read. */
  #beat(): void {
    if (this.#isOpen && this.#controller.desiredSize! > 0)
      this.#say(`: keep-alive\nid: ${this.#following.cursor(this.#place)}\n\n`)
  }

  /** Returns the time it took; ends the stream if that was too long. */
  async #waitForRoom(): Promise<number> {
    const start = performance.now()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#room = () => resolve(true)
    const timer = setTimeout(() => resolve(false), this.#times.maxStallMs).unref()
    const isTaken = await promise
    clearTimeout(timer)
    if (!isTaken) this.end()
    return performance.now() - start
  }

  #say(text: string): void {
    const bytes = encoder.encode(text)
    this.#controller.enqueue(bytes)
    this.#app.limits.recordAnswerSize(this.reader.actor, bytes.length)
  }
}

const resets: Record<NonNullable<ChangeSubscription['reset']>, string> = {
  too_old: 'Too much has changed since then to list: reload what you show, and follow from here.',
  unknown:
    'Unknown position, for example after a restored backup: reload what you show, and follow from here.',
}

function eventText(event: string, id: string, payload: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(payload)}\n\n`
}
