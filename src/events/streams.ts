import type { KeyGate } from '../keys/verify.ts'
import type { Actor } from '../kernel/actor.ts'
import { describeError } from '../db/failures.ts'
import type { Log } from '../kernel/log.ts'
import { Refusal } from '../kernel/refusal.ts'

/** Milliseconds between checks of the keys of open streams. */
const sweepEvery = 2000

/** Open streams of one key, with the actor as of the first one. */
interface KeyStreams {
  actor: Actor
  ends: Set<() => void>
}

export interface MaxStreams {
  ofKey: number
  inAll: number
  /** Maximum per person in the web app: a browser has one for all its tabs. */
  ofPerson: number
  /** Maximum for all people in the web app. */
  ofPeople: number
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
    this.#sweep ??= setInterval(() => void this.#endBad(), sweepEvery).unref()
    return () => this.#release(id, endStream)
  }

  #requireRoom({ key }: Actor, openCount: number): void {
    const { ofKey, inAll, ofPerson, ofPeople } = this.#maxStreams
    const [most, maxInAll] = key ? [ofKey, inAll] : [ofPerson, ofPeople]
    if (openCount >= most)
      throw new Refusal(
        'rate_limited',
        `${key ? 'This key already has' : 'You already have'} ${most} streams open.`,
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

  async #endBad(): Promise<void> {
    for (const [id, held] of [...this.#streamsByKey]) {
      if (await this.#isGood(held.actor)) continue
      for (const end of held.ends) this.#end(end)
      if (this.#streamsByKey.get(id) === held) this.#streamsByKey.delete(id)
    }
  }

  /** If the database cannot be queried, every stream stays open: the next sweep checks again. */
  async #isGood(actor: Actor): Promise<boolean> {
    try {
      return await this.#keys.isGood(actor)
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
