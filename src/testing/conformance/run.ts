// `npm run conformance`: runs the official suites against a real server. `npm run conformance -- 2026-07-28` runs those
// with a matching name. First with the fixtures that the suites expect by name mounted on the product's own transport
// (extras.ts): no scored scenario may fail. Then the product as shipped, in a separate process, where every scenario
// that needs a fixture must fail: the others that pass are compared with bare.ts.

import { runAuthorization } from './authorization.ts'
import { passesBare } from './bare.ts'
import { conformanceExtras } from './extras.ts'
import { startShipped, startInProcess } from './instance.ts'
import { runSuite, type Suite, type SuiteRun, type Verdict } from './suite.ts'
import { everything, authorizationFaults, faultsOf, scoredSuites } from './suites.ts'

/** Problems, printed before everything else. */
const wrong: string[] = []

async function run(suites: readonly Suite[], isBare: boolean): Promise<SuiteRun[]> {
  const wanted = suites.filter((suite) => suite.name.includes(process.argv[2] ?? ''))
  const runs: SuiteRun[] = []
  for (const suite of wanted) {
    const instance = await (isBare ? startShipped() : startInProcess(conformanceExtras())) // each with a key of its own, which nothing has used
    runs.push(await runSuite(suite, instance.url).finally(() => instance.close()))
  }
  return runs
}

function judgeBare(suiteRun: SuiteRun): void {
  const passing = suiteRun.verdicts.filter(passes).map((verdict) => verdict.scenario)
  const { scenarios, checks } = passesBare[suiteRun.name]!
  for (const scenario of scenarios.filter((name) => !passing.includes(name)))
    wrong.push(`${suiteRun.name}, as shipped: ${scenario} does not pass any more.`)
  if (sum(suiteRun, 'passed') < checks)
    wrong.push(
      `${suiteRun.name}, as shipped: ${sum(suiteRun, 'passed')} checks pass, and there were ${checks}.`,
    )
  const better = passing.filter((name) => !scenarios.includes(name))
  if (better.length > 0)
    console.log(
      `\n${suiteRun.name}, as shipped, also passes ${better.join(', ')}: add it to bare.ts.`,
    )
}

const passes = ({ outcome }: Verdict) => outcome === 'passes'

function mark(verdict: Verdict | undefined): string {
  if (!verdict) return ''
  return verdict.unscored ? `(${verdict.outcome})` : verdict.outcome
}

/** Scenarios in rows, runs in columns; unscored runs in brackets. */
function table(title: string, runs: readonly SuiteRun[]): string {
  const scenarios = [
    ...new Set(runs.flatMap((suiteRun) => suiteRun.verdicts.map((verdict) => verdict.scenario))),
  ].sort()
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(at === 0 ? 50 : 14))
      .join('')
      .trimEnd()
  return [
    `\n${line([title, ...runs.map((suiteRun) => suiteRun.name)])}`,
    ...scenarios.map((name) =>
      line([
        `  ${name}`,
        ...runs.map((suiteRun) =>
          mark(suiteRun.verdicts.find((verdict) => verdict.scenario === name)),
        ),
      ]),
    ),
    line([
      'scenarios that pass',
      ...runs.map(
        (suiteRun) => `${suiteRun.verdicts.filter(passes).length} of ${suiteRun.verdicts.length}`,
      ),
    ]),
    line([
      'checks passed, failed',
      ...runs.map((suiteRun) => `${sum(suiteRun, 'passed')}, ${sum(suiteRun, 'failed')}`),
    ]),
    line(['seconds', ...runs.map((suiteRun) => (suiteRun.milliseconds / 1000).toFixed(1))]),
  ].join('\n')
}

function sum({ verdicts }: SuiteRun, what: 'passed' | 'failed'): number {
  return verdicts.reduce((total, verdict) => total + verdict[what], 0)
}

const mounted = await run([...scoredSuites, everything], false)
console.log(table("With the suites' fixtures", mounted))
const bare = await run(scoredSuites, true)
console.log(table('As shipped', bare))
const authorization = 'authorization'.includes(process.argv[2] ?? '')
  ? [await runAuthorization()]
  : []
if (authorization.length > 0) console.log(table('The authorization server', authorization))
if (mounted.length + authorization.length === 0)
  wrong.push(`There is no run whose name has ${process.argv[2]}.`)
wrong.push(...mounted.flatMap(faultsOf), ...authorization.flatMap(authorizationFaults))
bare.forEach(judgeBare)
if (wrong.length > 0) console.error(`\n${wrong.join('\n')}`)
process.exitCode = wrong.length > 0 ? 1 : 0
