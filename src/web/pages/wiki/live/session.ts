import type { ChangeSet } from '@codemirror/state'
import type { LiveText, TakenStep } from '../../../editor/live/live-text.ts'

/** State of the text. `behind`: it must be reloaded and merged; `refused`, `gone`: nothing more is sent. */
export type LiveState = 'saved' | 'saving' | 'offline' | 'behind' | 'refused' | 'gone'

/** Why a step was refused, or a stream ended: the status of the response, 0 without one. */
export interface LiveFailure {
  status: number
  message: string
}

export interface LiveTransport<S extends TakenStep = TakenStep> {
  /** @throws LiveFailure */
  send(step: {
    since: number
    edit: string
    changes: unknown
    continues?: boolean
    done: boolean
  }): Promise<{ revision: number; steps: readonly S[] }>
  /** Follows the steps after a revision. Returns a function that stops it. */
  follow(
    since: number,
    on: {
      opened: () => void
      step: (step: S) => void
      reset: () => void
      onGone: () => void
      ended: (status: number) => void
    },
  ): () => void
  name(): string
}

interface Heard<S extends TakenStep> {
  /** Applies this change to the editor's text. */
  change: (changes: ChangeSet, step: S) => void
  /** Called when the state or the unconfirmed changes have changed. */
  update: () => void
}

/** Timing of sends; `defaultTimes` are those of a browser. */
export interface LiveTimes {
  /** Delay of sending after the last key, and its maximum after the first one, in milliseconds. */
  pause: number
  maxDelay: number
  /** Delays between retries; the last one repeats. */
  retries: readonly number[]
}

export const defaultTimes: LiveTimes = {
  pause: 300,
  maxDelay: 1000,
  retries: [500, 1000, 2000, 5000, 10_000, 15_000, 30_000],
}

/** Synchronizes a text with the server: sends edits, receives others' steps, retries. */
export class LiveSession<S extends TakenStep = TakenStep> {
  readonly text: LiveText
  readonly #transport: LiveTransport<S>
  readonly #listeners: Heard<S>
  readonly #times: LiveTimes
  #state: LiveState
  #timer: ReturnType<typeof setTimeout> | undefined
  #firstKeyAt: number | undefined
  #isSending = false
  #failures = 0
  #unfollow: (() => void) | undefined
  #followTimer: ReturnType<typeof setTimeout> | undefined
  #followFailures = 0
  #isOver = false
  #isTouched = false
  #waiting: (() => void)[] = []

  constructor(
    text: LiveText,
    transport: LiveTransport<S>,
    listener: Heard<S>,
    times: LiveTimes = defaultTimes,
  ) {
    this.text = text
    this.#times = times
    this.#transport = transport
    this.#listeners = listener
    this.#state = text.isWaiting ? 'saving' : 'saved'
    this.#isTouched = text.isWaiting
    this.#follow()
    if (text.isWaiting) this.#sendSoon(0)
  }

  get state(): LiveState {
    return this.#state
  }

  /** Message of the server if it refused. */
  message = ''

  /** Applies a local edit. */
  type(changes: ChangeSet): void {
    this.text.type(changes)
    this.#isTouched = true
    const now = Date.now()
    this.#firstKeyAt ??= now
    if (this.#state === 'saved') this.#turn('saving')
    else this.#listeners.update()
    const { pause, maxDelay } = this.#times
    if (this.#failures === 0)
      this.#sendSoon(Math.max(0, Math.min(pause, this.#firstKeyAt + maxDelay - now)))
  }

  /** Retries, as the connection may be back. */
  retry(): void {
    if (this.#isOver) return
    if (this.text.isWaiting) this.#sendSoon(0)
    if (!this.#unfollow) this.#follow()
  }

  /** Sends all pending changes. Resolves to true when done, or to false if that is currently impossible. */
  async finish(): Promise<boolean> {
    this.retry()
    while (this.text.isWaiting && this.#canSend && this.#failures === 0)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.text.isWaiting || this.#state !== 'saved') return false
    if (!this.#isTouched) return true
    const { revision: since, base } = this.text
    const empty = base === '' ? [] : [base.length]
    const answer = await this.#transport
      .send({ since, edit: this.#transport.name(), changes: empty, done: true })
      .catch(() => undefined) // the version is made by itself, a little later
    if (!this.#isOver) for (const step of answer?.steps ?? []) this.#take(step)
    return true
  }

  /** Ends it without sending pending changes. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#followTimer)
    this.#unfollow?.()
    this.#settle()
  }

  get #canSend(): boolean {
    return !this.#isOver && ['saved', 'saving', 'offline'].includes(this.#state)
  }

  #sendSoon(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), delay)
  }

  #delay(failures: number): number {
    const { retries } = this.#times
    return (retries[Math.min(failures, retries.length - 1)] ?? 0) * (0.75 + Math.random() / 2)
  }

  async #send(): Promise<void> {
    if (this.#isSending || !this.#canSend) return
    const next = this.text.next(() => this.#transport.name())
    if (!next) return this.#rest()
    this.#isSending = true
    this.#firstKeyAt = undefined
    this.#listeners.update()
    try {
      const { revision, steps } = await this.#transport.send({ ...next, done: false })
      this.#failures = 0
      for (const step of steps) this.#take(step)
      this.text.confirm(next.edit, revision)
      if (this.#state !== 'behind') this.#turn(this.text.isWaiting ? 'saving' : 'saved')
    } catch (error) {
      this.#fail(error as LiveFailure)
    } finally {
      this.#isSending = false
    }
    if (this.#failures > 0) this.#sendSoon(this.#delay(this.#failures - 1))
    else if (this.text.isWaiting) this.#sendSoon(0)
    this.#settle()
  }

  #take(step: S): void {
    if (this.#isOver || this.#state === 'behind') return
    try {
      const changes = this.text.take(step)
      if (changes) this.#listeners.change(changes, step)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return this.#turn('behind') // it is of another text than the one that is here
    }
    if (this.text.isWaiting) this.#listeners.update()
    else this.#rest() // the answer may be lost, and what was sent was taken
    this.#settle()
  }

  /** Nothing is pending: everything was confirmed, or reverted before it was sent. */
  #rest(): void {
    if (!this.#canSend) return this.#listeners.update()
    this.#failures = 0
    this.#turn('saved')
  }

  #fail({ status, message }: LiveFailure): void {
    this.message = message
    if (status === 404) return this.#turn('gone')
    if (status === 403 || status === 413) return this.#turn('refused')
    // based on a text that the server no longer knows, or that differs from its own
    if (status === 409 || status === 400) return this.#turn('behind')
    this.#failures++
    this.#turn('offline')
  }

  #turn(state: LiveState): void {
    this.#state = state
    if (state === 'gone' || state === 'behind') {
      this.#unfollow?.()
      this.#unfollow = undefined
    }
    this.#listeners.update()
    this.#settle()
  }

  #settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #follow(): void {
    if (this.#isOver || this.#state === 'behind' || this.#state === 'gone') return
    clearTimeout(this.#followTimer)
    this.#unfollow?.()
    this.#unfollow = this.#transport.follow(this.text.revision, {
      opened: () => {
        this.#followFailures = 0
        if (this.#failures > 0) this.#sendSoon(0)
      },
      step: (step) => this.#take(step),
      reset: () => this.#turn('behind'),
      onGone: () => this.#turn('gone'),
      ended: (status) => this.#unfollowed(status),
    })
  }

  #unfollowed(status: number): void {
    this.#unfollow = undefined
    if (this.#isOver || this.#state === 'behind' || this.#state === 'gone') return
    if (status === 404) return this.#turn('gone')
    const delay =
      status === 200 && this.#followFailures === 0 ? 250 : this.#delay(this.#followFailures)
    this.#followFailures++
    this.#followTimer = setTimeout(() => this.#follow(), delay)
  }
}
