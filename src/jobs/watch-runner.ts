import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../operations/app.ts'
import { exponentialBackoff } from '../kernel/backoff.ts'
import { describeError } from '../db/failures.ts'
import { sealedOf } from '../operations/jobs/sealed-secrets.ts'
import { runPiece } from '../operations/jobs/system.ts'
import type { Watch, WatchContext } from '../operations/jobs/watch.ts'

const backoff = exponentialBackoff({ first: 1_000, max: 60_000 })
const stableAfter = 60_000

/**
 * Runs the watches of all modules, in the only server of a data directory.
 * @returns a function that stops them and waits until they have ended
 */
export function startWatches(app: App): () => Promise<void> {
  const ending = new AbortController()
  const watches = app.catalogue.modules.flatMap((module) => module.watches ?? [])
  const running = watches.map((watch) => keepRunning(app, watch, ending.signal))
  return async () => {
    ending.abort()
    await Promise.all(running)
  }
}

async function keepRunning(app: App, watch: Watch, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = performance.now()
    try {
      await watch.run(contextOf(app, watch, signal))
    } catch (error) {
      if (signal.aborted) return
      app.log.error('work that came due failed', { what: watch.name, error: describeError(error) })
    }
    failures = performance.now() - startedAt > stableAfter ? 1 : failures + 1
    await pause(backoff(failures, Math.random), undefined, { signal, ref: false }).catch(() => {}) // aborted: the loop ends
  }
}

function contextOf(app: App, watch: Watch, signal: AbortSignal): WatchContext {
  const { outbound, settings, log, clock, store } = app
  return {
    outbound,
    settings,
    log,
    signal,
    secrets: sealedOf(app),
    all: store.read,
    now: () => clock.now(),
    write: (work) => runPiece(app, watch.name, work),
  }
}
