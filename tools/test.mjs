// `npm test`: `npm run check`, then every quick test, of a build.  `npm run test:long`: the long ones (*.long.test.ts) and the web app in a
// browser; `--in-process` leaves out what `npm run test:executable` runs: the web app, and tests that start the program.
// `npm test -- src/keys/format.test.ts` runs the named files (or folders, or globs) only, of the sources.  `--no-check` skips the check,
// `--engine postgres` lays the workspaces of tests into a PostgreSQL, any other flag goes to node (`--test-name-pattern=refuses`, `--watch`).

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run as runTests } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

const SELF = fileURLToPath(import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = 'node_modules/typescript/bin/tsc'
const ATONCE = 3 // files: one more than the cores of a small machine, because many wait for the disk or for a server that they started
const PATIENCE = 120_000 // for one test, not for a file
const FIRST = ['unhooked', 'lingering'].flatMap((name) => [
  '--import',
  pathToFileURL(`${ROOT}tools/test-${name}.mjs`).href,
])

async function main(given) {
  process.chdir(ROOT)
  if (!existsSync(TSC)) {
    process.stderr.write('What tests need is not installed. Run npm ci\n')
    process.exit(1)
  }
  if (given.includes('--long')) return testLong(given.includes('--in-process'))
  if (!given.includes('--no-check')) run('tools/check.ts')
  const engine = given.indexOf('--engine')
  const named = given.filter(
    (arg, i) => arg !== '--no-check' && (engine < 0 || (i !== engine && i !== engine + 1)),
  )
  const test = () => (named.length === 0 ? testQuick() : testSome(named))
  if (engine < 0) return test()
  if (given[engine + 1] !== 'postgres') throw new Error('--engine takes postgres.')
  await onPostgres(test)
}

/** Lays the workspaces of tests into databases of a PostgreSQL that lives as long as they do. */
async function onPostgres(test) {
  const { noPostgres, startPostgres } = await import('../src/testing/servers/daemons.ts')
  if (noPostgres) throw new Error(`There is no PostgreSQL to test with: it ${noPostgres}.`)
  const daemon = await startPostgres()
  process.env.WORKSPACE_TEST_DATABASE = daemon.url
  try {
    await test()
  } finally {
    await daemon.close()
  }
}

function testSome(named) {
  const flags = named.filter((arg) => arg.startsWith('-'))
  const files = named.filter((arg) => !arg.startsWith('-')).map(testsIn)
  run(
    '--test',
    `--test-concurrency=${ATONCE}`,
    `--test-timeout=${PATIENCE}`,
    `--test-reporter=${process.stdout.isTTY ? 'spec' : SELF}`,
    '--test-reporter-destination=stdout',
    ...FIRST,
    ...flags,
    ...(files.length > 0 ? files : ['src/**/*.test.ts', 'test/**/*.test.ts']),
  )
}

/** The tests of a folder, or the file or glob that was named. */
function testsIn(path) {
  return existsSync(path) && statSync(path).isDirectory() ? join(path, '**/*.test.ts') : path
}

/** The servers and commands that tests start run from dist/, as people have them; the tests themselves from a build of their own. */
async function testQuick() {
  run('tools/build.mjs')
  const { bundleTests, together } = await import('./test-bundle.mjs')
  const { files, starting } = await bundleTests()
  const others = files.filter((file) => !starting.includes(file))
  await inMemory(() => testBundled([...together(others), ...starting]))
}

async function testLong(inProcess) {
  run('tools/build.mjs')
  const { bundleTests, testSources } = await import('./test-bundle.mjs')
  const { files, starting } = await bundleTests(testSources(true))
  await testBundled(inProcess ? files.filter((file) => !starting.includes(file)) : files)
  if (!inProcess) run('tools/test-web.mjs')
}

/** Quick tests keep their databases in memory where the system has a file system for that: they are not about losing power. */
async function inMemory(work) {
  const folder = '/dev/shm'
  const space = existsSync(folder) ? statfsSync(folder) : undefined
  const isLarge = space !== undefined && space.bavail * space.bsize > 2 * 2 ** 30
  const scratch = mkdtempSync(join(isLarge ? folder : tmpdir(), 'workspace-tests-'))
  chmodSync(scratch, 0o755) // servers that tests start run as users of their own
  process.env.TMPDIR = scratch
  try {
    await work()
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Runs bundled tests; where one fails, this process will. */
export async function testBundled(files) {
  const { sourceOf } = await import('./test-bundle.mjs')
  const events = runTests({
    files,
    concurrency: ATONCE,
    timeout: PATIENCE,
    execArgv: [...FIRST, '--enable-source-maps'],
  })
  events.on('test:summary', ({ file, success }) => {
    if (!file && !success) process.exitCode = 1
  })
  const named = events.map(({ type, data }) => ({
    type,
    data: data.file ? { ...data, file: sourceOf(data.file) } : data,
  }))
  await pipeline(named.compose(process.stdout.isTTY ? new spec() : compact), process.stdout, {
    end: false,
  })
}

/** Runs Node to its end; if that is not a success, ends this process likewise. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Reporter for logs: a line for each file and each skipped test, what the tests print, the failures in full, and node's own counts at the very end. */
export default async function* compact(events) {
  const failures = []
  const counts = []
  for await (const { type, data } of events) {
    const line = lineOf(type, data)
    if (line) yield line
    else if (type === 'test:fail' && isOwnFailure(data)) failures.push(failure(data))
    else if (type === 'test:diagnostic' && !data.file) counts.push(`ℹ ${data.message}\n`)
  }
  yield ['\n', ...failures, ...counts].join('')
}

function lineOf(type, data) {
  if (type === 'test:stdout' || type === 'test:stderr') return data.message
  if (type === 'test:summary' && data.file) return fileLine(data)
  if (type === 'test:pass' && data.skip !== undefined) return skippedLine(data)
  return undefined
}

/** A suite or file fails along with its tests; only the tests are worth printing. */
function isOwnFailure({ todo, details }) {
  return todo === undefined && details.error.failureType !== 'subtestsFailed'
}

function fileLine({ success, file, counts, duration_ms }) {
  return `${success ? '✔' : '✖'} ${relative(ROOT, file)}  ${counts.tests} tests, ${Math.round(duration_ms)} ms\n`
}

function skippedLine({ name, file, skip }) {
  return `- ${relative(ROOT, file ?? '')}: ${name} (skipped: ${skip})\n`
}

function failure({ name, file, line, details }) {
  const { error } = details
  const reason = inspect(error.cause ?? error, { depth: 6 }).replaceAll('\n', '\n  ')
  return `✖ ${name}\n  at ${relative(ROOT, file ?? '')}:${line}\n  ${reason}\n\n`
}

if (process.argv[1] === SELF) await main(process.argv.slice(2))
