import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../operations/app.ts'
import { describeError } from '../db/failures.ts'
import { SearchUnavailable } from '../search/engine.ts'

/** Commits close together are handled together. */
const batchDelay = 100
/** Delay after a failure. */
const retryDelay = 10_000

/**
 * Keeps search vectors up to date with the texts, soon after each commit of this or another process. Only the server
 * of a data directory does. A failure is logged, and retried with the next commit.
 * @returns a function that stops it, and with it the search thread
 */
export function startSearchUpkeep(app: App): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  let round: Promise<void> | undefined
  let isPending = false
  const runRounds = async () => {
    for (let wait = batchDelay; isPending && !signal.aborted; ) {
      await pause(wait, undefined, { signal, ref: false }).catch(() => {}) // aborted: the loop ends
      if (signal.aborted) break
      isPending = false
      wait = (await updateVectors(app)) ? batchDelay : retryDelay
      isPending ||= wait === retryDelay
    }
    round = undefined
  }
  const follow = () => {
    isPending = true
    round ??= runRounds()
  }
  const unwatch = app.live.watch(follow)
  follow() // for the last commits of an earlier process
  return async () => {
    unwatch()
    ending.abort()
    await app.searchEngine.close()
    await round
  }
}

/** Whether it succeeded, or search is ending. */
async function updateVectors(app: App): Promise<boolean> {
  try {
    await app.searchEngine.maintain()
    return true
  } catch (error) {
    if (error instanceof SearchUnavailable && app.searchEngine.isClosed) return true
    app.log.warn('the semantic index could not be updated; keyword search still works', {
      error: describeError(error),
    })
    return false
  }
}
