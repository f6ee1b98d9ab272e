// Loaded ahead of every test file. A process that lives on a minute after its last test waits for something that no one closes: it says
// for what and fails, where it would otherwise hang for ever.

import { afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const exitTimeoutMs = 60_000
const { setTimeout, clearTimeout } = globalThis // a test may replace them

if (isMainThread) watch()

/** Not in a hook at the very end: where a file does something between its tests, that one runs too early, and once. */
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
