// Preloaded in every test file. If a process is still alive a minute after its last test, because something was not
// closed, it reports what it waits for and fails instead of hanging forever.

import { afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const exitTimeoutMs = 60_000
const { setTimeout, clearTimeout } = globalThis // a test may replace them

if (isMainThread) watch()

/** Not in a global after hook: in files that run code between tests, that runs too early, and only once. */
function watch() {
  let running = 0
  let waiting
  beforeEach(() => {
    running++
    clearTimeout(waiting)
  })
  afterEach(() => {
    if (--running === 0) waiting = setTimeout(giveUp, exitTimeoutMs).unref()
  })
}

function giveUp() {
  console.error(
    `${process.argv[1]} did not end within ${exitTimeoutMs / 1000} s after its last test. It still waits for: ${process.getActiveResourcesInfo().join(', ')}`,
  )
  process.exit(1)
}
