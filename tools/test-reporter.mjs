// Reporter for logs: a line for each file and each skipped test, the output of tests, complete failures, and Node's own
// counts at the very end.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export default async function* compact(events) {
  const failures = []
  const counts = []
  for await (const { type, data } of events) {
    const line = lineOf(type, data)
    if (line) yield line
    if (type === 'test:fail' && isOwnFailure(data)) failures.push(failure(data))
    else if (type === 'test:diagnostic' && !data.file) counts.push(`ℹ ${data.message}\n`)
  }
  yield ['\n', ...failures, ...counts].join('')
}

function lineOf(type, data) {
  if (type === 'test:stdout' || type === 'test:stderr') return data.message
  if (type === 'test:summary' && data.file) return fileLine(data)
  if (/^test:(pass|fail)$/.test(type) && data.details.type === 'suite') return suiteLine(type, data)
  if (type === 'test:pass' && data.skip !== undefined) return skippedLine(data)
  return undefined
}

/** A suite or file fails together with its tests; only the tests are worth printing. */
export function isOwnFailure({ todo, details }) {
  return todo === undefined && details.error.failureType !== 'subtestsFailed'
}

function fileLine({ success, file, counts, duration_ms }) {
  return `${success ? '✔' : '✖'} ${relative(ROOT, file)}  ${counts.tests} tests, ${Math.round(duration_ms)} ms\n`
}

/** A suite is a file that shares its process with others. */
function suiteLine(type, { name, details }) {
  return `${type === 'test:pass' ? '✔' : '✖'} ${name}  ${Math.round(details.duration_ms)} ms\n`
}

function skippedLine({ name, file, skip }) {
  return `- ${relative(ROOT, file ?? '')}: ${name} (skipped: ${skip})\n`
}

function failure({ name, file, line, details }) {
  const { error } = details
  const reason = inspect(error.cause ?? error, { depth: 6 }).replaceAll('\n', '\n  ')
  return `✖ ${name}\n  at ${relative(ROOT, file ?? '')}:${line}\n  ${reason}\n\n`
}
