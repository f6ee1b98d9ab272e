// `npm test`: runs `npm run check`, then every quick test, from a build. `npm run test:long`: the long ones
// (*.long.test.ts) and the browser tests; `--in-process` omits the tests covered by `npm run test:executable`: the
// browser tests, and tests that start the program.
// `npm test -- src/keys/format.test.ts` runs only the named files (or folders, or globs), from the sources.
// `--no-check` skips the check, `--engine postgres` creates test workspaces in PostgreSQL, any other flag is passed to
// node (`--test-name-pattern=refuses`, `--watch`).
// `--second-chance` (all quick tests only) reruns each failed file separately: docs/testing.md.

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testLimitMs } from '../src/testing/limits.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = 'node_modules/typescript/bin/tsc'

async function main(args) {
  process.chdir(ROOT)
  if (!existsSync(TSC)) {
    process.stderr.write('What tests need is not installed. Run npm ci\n')
    process.exit(1)
  }
  if (args.includes('--long')) return testLong(args.includes('--in-process'))
  if (!args.includes('--no-check')) run('tools/check.ts')
  const engine = args.indexOf('--engine')
  const testFiles = args.filter(
    (arg, i) =>
      !['--no-check', '--second-chance'].includes(arg) &&
      (engine < 0 || (i !== engine && i !== engine + 1)),
  )
  const secondChance = args.includes('--second-chance')
  const test = () => (testFiles.length === 0 ? testQuick({ secondChance }) : testSome(testFiles))
  if (engine < 0) return test()
  if (args[engine + 1] !== 'postgres') throw new Error('--engine takes postgres.')
  await onPostgres(test)
}

/** Creates test workspaces in a PostgreSQL server that runs for the duration of the tests. */
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

async function testSome(args) {
  const { concurrency, preloads } = await import('./test-run.mjs')
  const flags = args.filter((arg) => arg.startsWith('-'))
  const files = args.filter((arg) => !arg.startsWith('-')).map(testsIn)
  run(
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${testLimitMs}`,
    `--test-reporter=${process.stdout.isTTY ? 'spec' : `${ROOT}tools/test-reporter.mjs`}`,
    '--test-reporter-destination=stdout',
    ...preloads,
    ...flags,
    ...(files.length > 0 ? files : ['src/**/*.test.ts', 'test/**/*.test.ts']),
  )
}

/** The tests of a folder, or the named file or glob. */
function testsIn(path) {
  return existsSync(path) && statSync(path).isDirectory() ? join(path, '**/*.test.ts') : path
}

/** Servers and commands started by tests run from dist/, as for users; the tests themselves from a separate build. */
async function testQuick({ secondChance }) {
  run('tools/build.mjs')
  const { bundleTests, together } = await import('./test-bundle.mjs')
  const { testBundled } = await import('./test-run.mjs')
  const { files, starting } = await bundleTests()
  const others = files.filter((file) => !starting.includes(file))
  await inMemory(() => testBundled([...together(others), ...starting], { secondChance }))
}

async function testLong(inProcess) {
  run('tools/build.mjs')
  const { bundleTests, testSources } = await import('./test-bundle.mjs')
  const { testBundled } = await import('./test-run.mjs')
  const { files, starting } = await bundleTests(testSources(true))
  await testBundled(inProcess ? files.filter((file) => !starting.includes(file)) : files)
  if (!inProcess) run('tools/test-web.mjs')
}

/** Quick tests keep their databases in memory if the system has a file system for that: they do not test power loss. */
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

/** Runs Node to completion; on failure, ends this process with the same result. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

await main(process.argv.slice(2))
