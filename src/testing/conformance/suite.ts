import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `skips`: concerns a feature that this server does not have and need not have. */
export type CheckOutcome = 'passes' | 'warns' | 'fails' | 'skips'

/** Result of a scenario. */
export interface Verdict {
  scenario: string
  outcome: CheckOutcome
  /** Number of passed checks. */
  passed: number
  failed: number
  /** According to the suite's own requirements. */
  unscored: boolean
  /** Failures, and what the suite expected instead. */
  complaints: string[]
}

export interface SuiteRun {
  name: string
  verdicts: Verdict[]
  milliseconds: number
  /** Exit code of the suite, judged with its baseline. */
  exitCode: number
  output: string
}

export interface Suite {
  name: string
  /** The alias of the version in package.json. */
  package: 'mcp-conformance-stable' | 'mcp-conformance-next'
  args: readonly string[]
}

/** Long enough for a busy machine; a whole run takes less than a minute. */
const suiteTimeoutMs = 170_000

interface Check {
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  id: string
  errorMessage?: string
}

/** Runs the official suite against an address. */
export async function runSuite(suite: Suite, url: string): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-conformance-'))
  const began = performance.now()
  try {
    const { exitCode, output } = await run(suite, [
      'server',
      '--url',
      url,
      '--output-dir',
      folder,
      ...suite.args,
    ])
    const verdicts = verdictsOf(folder, unscoredIn(suite), output)
    return { name: suite.name, verdicts, milliseconds: performance.now() - began, exitCode, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(suite: Suite, args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const main = mainOf(suite.package)
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { timeout: suiteTimeoutMs, maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) => {
        resolve({
          exitCode: error ? Number((error as { code?: unknown }).code ?? 1) : 0,
          output: stdout + stderr,
        })
      },
    )
  })
}

function folderOf(suite: Pick<Suite, 'package'>): string {
  return fileURLToPath(new URL(`../../../node_modules/${suite.package}`, import.meta.url))
}

/** The main file of a version of the suite. */
export function mainOf(name: Suite['package']): string {
  return join(folderOf({ package: name }), 'dist/index.js')
}

/** Each scenario creates a folder named after itself and the time. */
export function verdictsOf(folder: string, unscored: Set<string>, output: string): Verdict[] {
  const verdicts = new Map<string, Verdict>()
  for (const name of readdirSync(folder)) {
    const scenario = name
      .replace(/^(authorization-)?server-/, '')
      .replace(/-\d{4}-\d{2}-\d{2}T.*$/, '')
    const file = join(folder, name, 'checks.json')
    if (existsSync(file))
      verdicts.set(
        scenario,
        verdictOf(
          scenario,
          JSON.parse(readFileSync(file, 'utf8')) as Check[],
          unscored.has(scenario),
        ),
      )
  }
  // An aborted scenario leaves no checks.
  for (const [, scenario] of output.matchAll(/=== Running scenario: (\S+) ===/g)) {
    const broken: Check = {
      status: 'FAILURE',
      id: 'run',
      errorMessage: 'The scenario did not come to its end.',
    }
    if (!verdicts.has(scenario!))
      verdicts.set(scenario!, verdictOf(scenario!, [broken], unscored.has(scenario!)))
  }
  return [...verdicts.values()].sort((a, b) => (a.scenario < b.scenario ? -1 : 1))
}

function verdictOf(scenario: string, checks: readonly Check[], unscored: boolean): Verdict {
  const count = (status: Check['status']) =>
    checks.filter((check) => check.status === status).length
  const complaints = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ status, id, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`)
  return {
    scenario,
    outcome: outcomeOf(checks),
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    unscored,
    complaints,
  }
}

function outcomeOf(checks: readonly Check[]): CheckOutcome {
  if (checks.some((check) => check.status === 'FAILURE')) return 'fails'
  if (checks.some((check) => check.status === 'WARNING')) return 'warns'
  return checks.some((check) => check.status === 'SUCCESS' && !alwaysMade.test(check.id))
    ? 'passes'
    : 'skips'
}

/** The check of all messages against the protocol schema, part of every scenario. */
const alwaysMade = /^wire-schema-/

/** Scenarios that a requirement set runs without scoring. */
function unscoredIn(suite: Suite): Set<string> {
  const revision = suite.args[suite.args.indexOf('--requirements') + 1]
  if (!suite.args.includes('--requirements')) return new Set()
  const text = readFileSync(join(folderOf(suite), `requirements/${revision}.yaml`), 'utf8')
  return new Set(
    [...text.slice(text.indexOf('\nnot_scored:')).matchAll(/- scenario: (\S+)/g)].map(
      ([, name]) => name!,
    ),
  )
}
