// Runs bundled tests. With a second chance, each failed file is rerun separately; if it then passes, it is recorded as
// unstable instead of failing the run (docs/testing.md).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run as runTests } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { testLimitMs } from '../src/testing/limits.ts'
import { fileAlone, filesIn, sourceOf } from './test-bundle.mjs'
import compact, { isOwnFailure } from './test-reporter.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const unstableFile = `${root}test-results/unstable.json`

/**
 * Number of concurrent test files: one more than the cores of a small machine, because many wait for the disk, a
 * server or a browser.
 */
export const concurrency = process.env.SHAKE_SEED === undefined ? 3 : 8
const lingering = ['--import', pathToFileURL(`${root}tools/test-lingering.mjs`).href]
export const preloads = [
  '--import',
  pathToFileURL(`${root}tools/test-unhooked.mjs`).href,
  ...lingering,
]

/**
 * Runs bundled tests, and sets the exit code of this process to 1 if one fails.
 *
 * @param {string[]} files bundles, or groups of them
 * @param {{ inSuites?: boolean, secondChance?: boolean }} options `inSuites`: groups import their tests within suites, which node:test
 *   notices by the hooks that `test-unhooked.mjs` removes
 */
export async function testBundled(files, { inSuites = false, secondChance = false } = {}) {
  const { success, failures } = await runFiles(files, { inSuites })
  if (success) return
  const passedAgain = secondChance && failures.length > 0 && (await passAlone(failures, inSuites))
  if (passedAgain) noteUnstable(failures)
  else process.exitCode = 1
}

async function runFiles(files, { inSuites }) {
  const failures = []
  let success = true
  const events = runTests({
    files,
    concurrency,
    timeout: testLimitMs,
    execArgv: [...(inSuites ? lingering : preloads), '--enable-source-maps'],
  })
  events.on('test:summary', (summary) => {
    if (!summary.file) success = summary.success
  })
  events.on('test:fail', (data) => {
    if (isOwnFailure(data)) failures.push(data)
  })
  const sourceEvents = events.map(({ type, data }) => ({
    type,
    data: data.file ? { ...data, file: sourceOf(data.file) } : data,
  }))
  await pipeline(
    sourceEvents.compose(process.stdout.isTTY ? new spec() : compact),
    process.stdout,
    {
      end: false,
    },
  )
  return { success, failures }
}

/**
 * True if each failed file passes on its own. A process that failed as a whole may have left any of its files
 * untested.
 */
async function passAlone(failures, inSuites) {
  const sources = new Set(failures.flatMap(({ file }) => filesIn(file)))
  for (const source of sources) {
    process.stdout.write(`\nSecond chance: ${relative(root, source)}\n`)
    const { success } = await runFiles([fileAlone(source)], { inSuites })
    if (!success) return false
  }
  return true
}

function noteUnstable(failures) {
  const noted = failures.map(({ file, name, details: { error } }) => ({
    file: relative(root, sourceOf(file)),
    test: name,
    message: String((error.cause ?? error).message ?? error).split('\n', 1)[0],
  }))
  mkdirSync(dirname(unstableFile), { recursive: true })
  writeFileSync(unstableFile, `${JSON.stringify([...readUnstable(), ...noted], null, 2)}\n`)
}

/** Tests of this and earlier runs that failed and then passed on their own. */
function readUnstable() {
  try {
    return JSON.parse(readFileSync(unstableFile, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
