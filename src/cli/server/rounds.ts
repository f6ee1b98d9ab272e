import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { copyHeads, signHeads } from '../../audit/heads.ts'
import { sealOldCalls } from '../../audit/retention.ts'
import type { App } from '../../operations/app.ts'
import type { ClockWatch } from './clock-watch.ts'
import { describeError } from '../../db/failures.ts'
import { checkpointIfLarge, walSize } from '../../db/checkpoint.ts'
import { freeSpace, spaceLevelOf, type SpaceLevel } from '../../db/space.ts'
import { cpuTime, IdleMemory } from './idle-memory.ts'

const shortRound = 10_000
const longRound = 60 * 60 * 1000
const alarmingLog = 256 * 2 ** 20

/**
 * Periodic upkeep of a server: the size of the log beside the database, the disk space, the clock, entries waiting
 * for the call log, unused memory; hourly also the heads of the call log, and its expired entries.
 * @returns a function that ends it, and signs the heads once more
 */
export function startRounds(app: App, clock: ClockWatch): () => Promise<void> {
  const ending = new AbortController()
  const short = new ShortRound(app, clock)
  const loops = [
    every(shortRound, ending.signal, () => short.go()),
    every(longRound, ending.signal, () => longRoundOf(app, clock, ending.signal)),
  ]
  return async () => {
    ending.abort()
    await Promise.all(loops)
    await short.go()
    await guarded(app, 'the heads of the call log', () => anchor(app))
  }
}

/** Signs the ends of the chains and updates the remote copy. */
async function anchor({ store, settings, clock }: App): Promise<void> {
  await signHeads(store.read, settings.data, clock.now())
  if (settings.audit_anchor) copyHeads(settings.data, settings.audit_anchor)
}

class ShortRound {
  readonly #app: App
  readonly #clock: ClockWatch
  readonly #memory = new IdleMemory()
  #space: SpaceLevel = 'ok'
  #logAlarmed = false

  constructor(app: App, clock: ClockWatch) {
    this.#app = app
    this.#clock = clock
  }

  async go(): Promise<void> {
    this.#clock.look()
    await guarded(this.#app, 'the free disk space', async () => this.#lookAtSpace())
    await guarded(this.#app, 'the log beside the database', async () => this.#cutLog())
    await this.#drainSpill()
    this.#memory.look(cpuTime())
  }

  #lookAtSpace(): void {
    const free = freeSpace(dirname(this.#app.store.path))
    const space = spaceLevelOf(free)
    if (space !== this.#space) {
      const megabytes = Math.floor(free / 10 ** 6)
      if (space === 'ok') this.#app.log.info('the disk has free space again', { megabytes })
      else
        this.#app.log.warn(
          space === 'low' ? 'the disk is getting full' : 'the disk is nearly full',
          { megabytes },
        )
    }
    this.#space = space
  }

  #cutLog(): void {
    const cut = checkpointIfLarge(this.#app.store.index)
    const size = cut?.after ?? walSize(this.#app.store.path)
    if (size > alarmingLog && !this.#logAlarmed)
      this.#app.log.warn(
        'the write-ahead log cannot be truncated: something has been reading for a long time',
        { megabytes: Math.floor(size / 10 ** 6) },
      )
    this.#logAlarmed = size > alarmingLog
  }

  /** Fails while the disk is full, which is logged already. */
  async #drainSpill(): Promise<void> {
    const { callLog, store, log } = this.#app
    if (!callLog.spill?.waiting) return
    try {
      const brought = await callLog.spill.drain((entries) =>
        store.writer.run(async () => callLog.appendMissing(entries)),
      )
      log.info('waiting entries were written to the call log', { entries: brought })
    } catch (error) {
      log.warn('entries of the call log are still waiting for the disk', {
        entries: callLog.spill.waiting,
        error: (error as Error).message,
      })
    }
  }
}

async function longRoundOf(app: App, clock: ClockWatch, signal: AbortSignal): Promise<void> {
  await guarded(app, 'the heads of the call log', () => anchor(app))
  const { store, settings } = app
  if (settings.audit_keep_days === 0 || !clock.isTrusted) return
  await guarded(app, 'old entries of the call log', async () => {
    while (
      !signal.aborted &&
      (await sealOldCalls(store, settings.data, app.clock.now(), settings.audit_keep_days))
    )
      await pause(20)
  })
}

async function guarded(app: App, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    app.log.error('a round failed', { what, error: describeError(error) })
  }
}

async function every(
  interval: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let wait = 2_000; !signal.aborted; wait = interval) {
    await pause(wait, undefined, { signal, ref: false }).catch(() => {}) // ended: the loop sees it
    if (!signal.aborted) await work()
  }
}
