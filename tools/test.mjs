// `npm test`: the type check, then every test.  `npm test -- src/keys/format.test.ts` runs the named files (or globs) only,
// `--no-check` skips the type check, any other flag goes to node (`--test-name-pattern=refuses`, `--watch`).

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

const SELF = fileURLToPath(import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = 'node_modules/typescript/bin/tsc'

function main(given) {
  process.chdir(ROOT)
  if (!existsSync(TSC)) {
    process.stderr.write('What tests need is not installed. Run npm ci\n')
    process.exit(1)
  }
  if (!given.includes('--no-check')) run(TSC, '-p', '.')
  const flags = given.filter((arg) => arg.startsWith('-') && arg !== '--no-check')
  const files = given.filter((arg) => !arg.startsWith('-'))
  run(
    '--test',
    '--test-concurrency=2', // files at once: tests start real servers, and small machines have two cores
    '--test-timeout=120000', // for one test, not for a file
    `--test-reporter=${process.stdout.isTTY ? 'spec' : SELF}`,
    '--test-reporter-destination=stdout',
    ...flags,
    ...(files.length > 0 ? files : ['src/**/*.test.ts']),
  )
}

/** Runs Node to its end; if that is not a success, ends this process likewise. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Reporter for logs: one line for a file, what the tests print, the failures in full, and node's own counts at the very end. */
export default async function* compact(events) {
  const failures = []
  const counts = []
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    else if (type === 'test:summary' && data.file) yield fileLine(data)
    else if (type === 'test:fail' && isOwnFailure(data)) failures.push(failure(data))
    else if (type === 'test:diagnostic' && !data.file) counts.push(`ℹ ${data.message}\n`)
  }
  yield ['\n', ...failures, ...counts].join('')
}

/** A suite or file fails along with its tests; only the tests are worth printing. */
function isOwnFailure({ todo, details }) {
  return todo === undefined && details.error.failureType !== 'subtestsFailed'
}

function fileLine({ success, file, counts, duration_ms }) {
  return `${success ? '✔' : '✖'} ${relative(ROOT, file)}  ${counts.tests} tests, ${Math.round(duration_ms)} ms\n`
}

function failure({ name, file, line, details }) {
  const { error } = details
  const reason = inspect(error.cause ?? error, { depth: 6 }).replaceAll('\n', '\n  ')
  return `✖ ${name}\n  at ${relative(ROOT, file ?? '')}:${line}\n  ${reason}\n\n`
}

if (process.argv[1] === SELF) main(process.argv.slice(2))
