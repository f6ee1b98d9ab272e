import type { ChangeSet } from '@codemirror/state'
import type { LiveText, ServerStep } from '../../../editor/live/live-text.ts'

/** State of the text. `behind`: it must be reloaded and merged; `refused`, `gone`: nothing more is sent. */
export type LiveState = 'saved' | 'saving' | 'offline' | 'behind' | 'refused' | 'gone'

/** Why a step was refused, or a stream ended: the status of the response, 0 without one. */
export interface LiveFailure {
  status: number
  message: string
}

export interface LiveTransport<S extends ServerStep = ServerStep> {
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
    handlers: {
      onOpen: () => void
      onStep: (onStep: S) => void
      onReset: () => void
      onGone: () => void
      onEnd: (status: number) => void
    },
  ): () => void
  createEditId(): string
}

interface LiveSessionListener<S extends ServerStep> {
  /** Applies this change to the editor's text. */
  onChange: (changes: ChangeSet, step: S) => void
  /** Called when the state or the unconfirmed changes have changed. */
  onUpdate: () => void
}

/** Timing of sends; `defaultTimes` are those of a browser. */
export interface LiveTimes {
  /** Delay of sending after the last key, and its maximum after the first one, in milliseconds. */
  pauseMs: number
  maxDelayMs: number
  /** Delays between retries, in milliseconds; the last one repeats. */
  retryDelaysMs: readonly number[]
}

export const defaultTimes: LiveTimes = {
  pauseMs: 300,
  maxDelayMs: 1000,
  retryDelaysMs: [500, 1000, 2000, 5000, 10_000, 15_000, 30_000],
}

/** Synchronizes a text with the server: sends edits, receives others' steps, retries. */
export class LiveSession<S extends ServerStep = ServerStep> {
  readonly text: LiveText
  readonly #transport: LiveTransport<S>
  readonly #listeners: LiveSessionListener<S>
  readonly #times: LiveTimes
  #state: LiveState
  #timer: ReturnType<typeof setTimeout> | undefined
  #firstKeyAt: number | undefined
  #isSending = false
  #failures = 0
  #stopFollowing: (() => void) | undefined
  #followTimer: ReturnType<typeof setTimeout> | undefined
  #followFailures = 0
  #hasEnded = false
  #hasEdits = false
  #waiters: (() => void)[] = []

  constructor(
    text: LiveText,
    transport: LiveTransport<S>,
    listener: LiveSessionListener<S>,
    times: LiveTimes = defaultTimes,
  ) {
    this.text = text
    this.#times = times
    this.#transport = transport
    this.#listeners = listener
    this.#state = text.isWaiting ? 'saving' : 'saved'
    this.#hasEdits = text.isWaiting
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
    this.#hasEdits = true
    const now = Date.now()
    this.#firstKeyAt ??= now
    if (this.#state === 'saved') this.#setState('saving')
    else this.#listeners.onUpdate()
    const { pauseMs, maxDelayMs } = this.#times
    if (this.#failures === 0)
      this.#sendSoon(Math.max(0, Math.min(pauseMs, this.#firstKeyAt + maxDelayMs - now)))
  }

  /** Retries, as the connection may be back. */
  retry(): void {
    if (this.#hasEnded) return
    if (this.text.isWaiting) this.#sendSoon(0)
    if (!this.#stopFollowing) this.#follow()
  }

  /** Sends all pending changes. Resolves to true when done, or to false if that is currently impossible. */
  async finish(): Promise<boolean> {
    this.retry()
    while (this.text.isWaiting && this.#canSend && this.#failures === 0)
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    if (this.text.isWaiting || this.#state !== 'saved') return false
    if (!this.#hasEdits) return true
    const { revision: since, base } = this.text
    const noChanges = base === '' ? [] : [base.length]
    const answer = await this.#transport
      .send({ since, edit: this.#transport.createEditId(), changes: noChanges, done: true })
      .catch(() => undefined) // the server creates the version by itself later
    if (!this.#hasEnded) for (const step of answer?.steps ?? []) this.#receive(step)
    return true
  }

  /** Ends it without sending pending changes. */
  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    clearTimeout(this.#followTimer)
    this.#stopFollowing?.()
    this.#resolveWaiters()
  }

  get #canSend(): boolean {
    return !this.#hasEnded && ['saved', 'saving', 'offline'].includes(this.#state)
  }

  #sendSoon(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), delay)
  }

  #retryDelayMs(failures: number): number {
    const { retryDelaysMs } = this.#times
    return (
      (retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? 0) *
      (0.75 + Math.random() / 2)
    )
  }

  async #send(): Promise<void> {
    if (this.#isSending || !this.#canSend) return
    const next = this.text.nextStep(() => this.#transport.createEditId())
    if (!next) return this.#markSaved()
    this.#isSending = true
    this.#firstKeyAt = undefined
    this.#listeners.onUpdate()
    try {
      const { revision, steps } = await this.#transport.send({ ...next, done: false })
      this.#failures = 0
      for (const step of steps) this.#receive(step)
      this.text.confirm(next.edit, revision)
      if (this.#state !== 'behind') this.#setState(this.text.isWaiting ? 'saving' : 'saved')
    } catch (error) {
      this.#handleFailure(error as LiveFailure)
    } finally {
      this.#isSending = false
    }
    if (this.#failures > 0) this.#sendSoon(this.#retryDelayMs(this.#failures - 1))
    else if (this.text.isWaiting) this.#sendSoon(0)
    this.#resolveWaiters()
  }

  #receive(step: S): void {
    if (this.#hasEnded || this.#state === 'behind') return
    try {
      const changes = this.text.receive(step)
      if (changes) this.#listeners.onChange(changes, step)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return this.#setState('behind') // the step belongs to another text
    }
    if (this.text.isWaiting) this.#listeners.onUpdate()
    else this.#markSaved() // its answer may be lost, but the sent step was accepted
    this.#resolveWaiters()
  }

  /** Nothing is pending: everything was confirmed, or reverted before it was sent. */
  #markSaved(): void {
    if (!this.#canSend) return this.#listeners.onUpdate()
    this.#failures = 0
    this.#setState('saved')
  }

  #handleFailure({ status, message }: LiveFailure): void {
    this.message = message
    if (status === 404) return this.#setState('gone')
    if (status === 403 || status === 413) return this.#setState('refused')
    // based on a text that the server no longer knows, or that differs from its own
    if (status === 409 || status === 400) return this.#setState('behind')
    this.#failures++
    this.#setState('offline')
  }

  #setState(state: LiveState): void {
    this.#state = state
    if (state === 'gone' || state === 'behind') {
      this.#stopFollowing?.()
      this.#stopFollowing = undefined
    }
    this.#listeners.onUpdate()
    this.#resolveWaiters()
  }

  #resolveWaiters(): void {
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  #follow(): void {
    if (this.#hasEnded || this.#state === 'behind' || this.#state === 'gone') return
    clearTimeout(this.#followTimer)
    this.#stopFollowing?.()
    this.#stopFollowing = this.#transport.follow(this.text.revision, {
      onOpen: () => {
        this.#followFailures = 0
        if (this.#failures > 0) this.#sendSoon(0)
      },
      onStep: (step) => this.#receive(step),
      onReset: () => this.#setState('behind'),
      onGone: () => this.#setState('gone'),
      onEnd: (status) => this.#onStreamEnd(status),
    })
  }

  #onStreamEnd(status: number): void {
    this.#stopFollowing = undefined
    if (this.#hasEnded || this.#state === 'behind' || this.#state === 'gone') return
    if (status === 404) return this.#setState('gone')
    const delay =
      status === 200 && this.#followFailures === 0 ? 250 : this.#retryDelayMs(this.#followFailures)
    this.#followFailures++
    this.#followTimer = setTimeout(() => this.#follow(), delay)
  }
}
