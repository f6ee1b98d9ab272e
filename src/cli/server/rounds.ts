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

const shortIntervalMs = 10_000
const longIntervalMs = 60 * 60 * 1000
const largeLogBytes = 256 * 2 ** 20

/**
 * Periodic upkeep of a server: the size of the log beside the database, the disk space, the clock, entries waiting
 * for the call log, unused memory; hourly also the heads of the call log, and its expired entries.
 * @returns a function that ends it, and signs the heads once more
 */
export function startRounds(app: App, clock: ClockWatch): () => Promise<void> {
  const stop = new AbortController()
  const short = new ShortRound(app, clock)
  const loops = [
    every(shortIntervalMs, stop.signal, () => short.run()),
    every(longIntervalMs, stop.signal, () => runLongRound(app, clock, stop.signal)),
  ]
  return async () => {
    stop.abort()
    await Promise.all(loops)
    await short.run()
    await logFailures(app, 'the heads of the call log', () => anchor(app))
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
  #isLogWarned = false

  constructor(app: App, clock: ClockWatch) {
    this.#app = app
    this.#clock = clock
  }

  async run(): Promise<void> {
    this.#clock.check()
    await logFailures(this.#app, 'the free disk space', async () => this.#checkSpace())
    await logFailures(this.#app, 'the log beside the database', async () => this.#truncateLog())
    await this.#drainSpill()
    this.#memory.collectIfIdle(cpuTime())
  }

  #checkSpace(): void {
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

  #truncateLog(): void {
    const checkpoint = checkpointIfLarge(this.#app.store.index)
    const size = checkpoint?.after ?? walSize(this.#app.store.path)
    if (size > largeLogBytes && !this.#isLogWarned)
      this.#app.log.warn(
        'the write-ahead log cannot be truncated: something has been reading for a long time',
        { megabytes: Math.floor(size / 10 ** 6) },
      )
    this.#isLogWarned = size > largeLogBytes
  }

  /** Writes the spilled entries to the call log. Fails while the disk is full, which is logged already. */
  async #drainSpill(): Promise<void> {
    const { callLog, store, log } = this.#app
    if (!callLog.spill?.waiting) return
    try {
      const count = await callLog.spill.drain((entries) =>
        store.writer.run(async () => callLog.appendMissing(entries)),
      )
      log.info('waiting entries were written to the call log', { entries: count })
    } catch (error) {
      log.warn('entries of the call log are still waiting for the disk', {
        entries: callLog.spill.waiting,
        error: (error as Error).message,
      })
    }
  }
}

async function runLongRound(app: App, clock: ClockWatch, signal: AbortSignal): Promise<void> {
  await logFailures(app, 'the heads of the call log', () => anchor(app))
  const { store, settings } = app
  if (settings.audit_keep_days === 0 || !clock.isTrusted) return
  await logFailures(app, 'old entries of the call log', async () => {
    while (
      !signal.aborted &&
      (await sealOldCalls(store, settings.data, app.clock.now(), settings.audit_keep_days))
    )
      await pause(20)
  })
}

async function logFailures(app: App, subject: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    app.log.error('a round failed', { what: subject, error: describeError(error) })
  }
}

async function every(
  interval: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let wait = 2_000; !signal.aborted; wait = interval) {
    await pause(wait, undefined, { signal, ref: false }).catch(() => {}) // aborted: the loop ends
    if (!signal.aborted) await work()
  }
}
