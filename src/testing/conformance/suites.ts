// The runs of the official suites, and what counts as a failure in each.

import type { Suite, SuiteRun, Verdict } from './suite.ts'

const stable: Suite = {
  name: '0.1.16 all',
  package: 'mcp-conformance-stable',
  args: ['--suite', 'all'],
}
const requirements = (revision: string): Suite => ({
  name: revision,
  package: 'mcp-conformance-next',
  args: ['--requirements', revision],
})
/** All scenarios, including extensions. */
export const everything: Suite = {
  name: '0.2 all',
  package: 'mcp-conformance-next',
  args: ['--suite', 'all'],
}
/** Runs in which nothing may fail. */
export const scoredSuites = [stable, requirements('2025-11-25'), requirements('2026-07-28')]

/** Expected warnings, by run. */
const fair: Record<string, readonly string[]> = {
  [stable.name]: ['server-sse-polling'], // it says 2025-03-26 in the header, whose clients cannot take an event without data
}

/** Describes the faults of a run against the product with the suites' fixtures mounted. */
export function faultsOf(suiteRun: SuiteRun): string[] {
  const { name, verdicts, output, exitCode } = suiteRun
  const faults: string[] = []
  if (verdicts.length < 30)
    faults.push(`${name}: only ${verdicts.length} scenarios ran.\n${output.slice(-2000)}`)
  if (exitCode !== 0)
    faults.push(
      `${name}: the suite does not pass it (exit code ${exitCode}):\n${output.slice(-1500)}`,
    )
  const failing = verdicts.filter((verdict) => !verdict.unscored && !isFair(suiteRun, verdict))
  return [
    ...faults,
    ...failing.flatMap(({ scenario, complaints }) =>
      complaints.map((complaint) => `${name}: ${scenario}: ${complaint}`),
    ),
  ]
}

function isFair({ name }: SuiteRun, { scenario, outcome }: Verdict): boolean {
  return outcome === 'warns' && fair[name]?.includes(scenario) === true
}

/** Failures of the authorization server scenarios: each of their three checks must pass. */
export function authorizationFaults({ name, verdicts, output, exitCode }: SuiteRun): string[] {
  const passed = verdicts.reduce((total, verdict) => total + verdict.passed, 0)
  const isWhole =
    exitCode === 0 && passed === 3 && verdicts.every(({ outcome }) => outcome === 'passes')
  return isWhole
    ? []
    : [`${name}: ${passed} of 3 checks pass (exit code ${exitCode}):\n${output.slice(-3000)}`]
}
