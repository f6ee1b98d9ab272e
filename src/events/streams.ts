import type { KeyGate } from '../keys/verify.ts'
import type { Actor } from '../kernel/actor.ts'
import { describeError } from '../db/failures.ts'
import type { Log } from '../kernel/log.ts'
import { Refusal } from '../kernel/refusal.ts'

/** Milliseconds between checks of the keys of open streams. */
const sweepInterval = 2000

/** Open streams of one key, with the actor as of the first one. */
interface KeyStreams {
  actor: Actor
  ends: Set<() => void>
}

export interface MaxStreams {
  perKey: number
  forAllKeys: number
  /** Maximum per person in the web app: a browser has one for all its tabs. */
  perPerson: number
  /** Maximum for all people in the web app. */
  forAllPeople: number
}

/** All long-lived streams: ended soon after their key is revoked or expires, or their person is deactivated. */
export class Streams {
  readonly #keys: KeyGate
  readonly #log: Log
  readonly #maxStreams: MaxStreams
  /** By key; by person if no key was used. */
  readonly #streamsByKey = new Map<string, KeyStreams>()
  #sweep: NodeJS.Timeout | undefined

  constructor(keys: KeyGate, log: Log, limits: MaxStreams) {
    this.#keys = keys
    this.#log = log
    this.#maxStreams = limits
  }

  register(actor: Actor, end: () => void): () => void {
    const id = actor.key?.id ?? actor.id
    const keyStreams = this.#streamsByKey.get(id) ?? { actor, ends: new Set() }
    this.#requireRoom(actor, keyStreams.ends.size)
    const endStream = () => end() // one function may be registered twice
    keyStreams.ends.add(endStream)
    this.#streamsByKey.set(id, keyStreams)
    this.#sweep ??= setInterval(() => void this.#endInvalid(), sweepInterval).unref()
    return () => this.#release(id, endStream)
  }

  #requireRoom({ key }: Actor, openCount: number): void {
    const { perKey, forAllKeys, perPerson, forAllPeople } = this.#maxStreams
    const [max, maxInAll] = key ? [perKey, forAllKeys] : [perPerson, forAllPeople]
    if (openCount >= max)
      throw new Refusal(
        'rate_limited',
        `${key ? 'This key already has' : 'You already have'} ${max} streams open.`,
        { hint: 'Close one of them first.', retry_after_seconds: 60 },
      )
    if (this.#countOf(key !== undefined) >= maxInAll)
      throw new Refusal(
        'unavailable',
        `${maxInAll} streams are already open, the maximum of this server.`,
        { hint: 'Try again later, or work without a stream.', retry_after_seconds: 60 },
      )
  }

  #countOf(isWithKey: boolean): number {
    let count = 0
    for (const { actor, ends } of this.#streamsByKey.values())
      if ((actor.key !== undefined) === isWithKey) count += ends.size
    return count
  }

  get count(): number {
    return this.#countOf(true) + this.#countOf(false)
  }

  #release(id: string, end: () => void): void {
    const keyStreams = this.#streamsByKey.get(id)
    keyStreams?.ends.delete(end)
    if (keyStreams?.ends.size === 0) this.#streamsByKey.delete(id)
    if (this.#streamsByKey.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  async #endInvalid(): Promise<void> {
    for (const [id, keyStreams] of [...this.#streamsByKey]) {
      if (await this.#isValid(keyStreams.actor)) continue
      for (const end of keyStreams.ends) this.#end(end)
      if (this.#streamsByKey.get(id) === keyStreams) this.#streamsByKey.delete(id)
    }
  }

  /** If the database cannot be queried, every stream stays open: the next sweep checks again. */
  async #isValid(actor: Actor): Promise<boolean> {
    try {
      return await this.#keys.isValid(actor)
    } catch (error) {
      this.#log.error('keys of open streams were not checked', { error: describeError(error) })
      return true
    }
  }

  #end(end: () => void): void {
    try {
      end()
    } catch (error) {
      this.#log.error('a stream did not end', { error: describeError(error) })
    }
  }
}
