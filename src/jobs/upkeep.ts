import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../operations/app.ts'
import { describeError } from '../db/failures.ts'
import { SearchUnavailable } from '../search/engine.ts'

/** Commits close together are handled together. */
const gathered = 100
/** Delay after a failure. */
const later = 10_000

/**
 * Keeps search vectors up to date with the texts, soon after each commit of this or another process. Only the server
 * of a data directory does. A failure is logged, and retried with the next commit.
 * @returns a function that stops it, and with it the search thread
 */
export function startTending(app: App): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  let round: Promise<void> | undefined
  let again = false
  const go = async () => {
    for (let wait = gathered; again && !signal.aborted; ) {
      await pause(wait, undefined, { signal, ref: false }).catch(() => {}) // ended: the loop sees it
      if (signal.aborted) break
      again = false
      wait = (await tended(app)) ? gathered : later
      again ||= wait === later
    }
    round = undefined
  }
  const follow = () => {
    again = true
    round ??= go()
  }
  const end = app.live.watch(follow)
  follow() // what an earlier process committed last
  return async () => {
    end()
    ending.abort()
    await app.searchEngine.close()
    await round
  }
}

/** Whether it succeeded, or search is ending. */
async function tended(app: App): Promise<boolean> {
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
