// `npm run check`: format, lint, unused exports and types. `npm run check -- --types` and `-- --style` run one half.
// Some rules are a ratchet: tools/ratchet.json limits the number of violations, and the limits may only decrease (`npm
// run check -- --ratchet` writes the current numbers, and refuses to raise one).

import { execFile, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { refreshWebTypes } from './generated.ts'
import { proseCounts } from './prose.ts'

type Counts = Record<string, number>
type Diagnostic = {
  category: string
  severity: string
  message: string
  location?: { path?: string; start?: { line: number } }
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = `${ROOT}node_modules/.cache/check`
const RATCHET = `${ROOT}tools/ratchet.json`
const PROJECTS = ['.', 'src/web', 'src/apps']
const CASTS = ['as never', 'as unknown as']

async function main(flags: string[]): Promise<void> {
  process.chdir(ROOT)
  if (flags.includes('--ratchet')) return saveRatchet()
  const types = flags.includes('--style') ? [] : typeChecks()
  const style = flags.includes('--types') ? [] : [unusedExports, styleProblems]
  const problems = await twoAtOnce([...types, ...style])
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exit(1)
}

/** Runs slow checks two at a time, in this order; only two, because type checks take a gigabyte of memory each. */
async function twoAtOnce(checks: readonly (() => Promise<string[]>)[]): Promise<string[]> {
  const problems: string[][] = []
  const left = checks.entries()
  const work = async () => {
    for (const [at, check] of left) problems[at] = await check()
  }
  await Promise.all([work(), work()])
  return problems.flat()
}

async function styleProblems(): Promise<string[]> {
  const diagnostics = await biome()
  const allowed = readRatchet()
  const diagnosticCounts = counted(diagnostics)
  return [
    ...diagnostics.filter(({ category }) => !(ruleOf(category) in allowed)).map(described),
    ...Object.entries(allowed)
      .filter(([rule, bound]) => (diagnosticCounts[rule] ?? 0) > bound)
      .flatMap(([rule, bound]) => [
        ratchetProblem(rule, bound, diagnosticCounts[rule] ?? 0),
        ...recentPlaces(rule, diagnostics),
      ]),
  ]
}

function ratchetProblem(rule: string, bound: number, count: number): string {
  return `${rule}: ${count} places, at most ${bound} allowed. Show them: ${commandFor(rule)}`
}

function commandFor(rule: string): string {
  if (rule.startsWith('prose/')) return 'npm run prose'
  return CASTS.includes(rule) ? `git grep -n '${rule}' src` : `npx biome lint --only=${rule}`
}

/** Violations of a rule in files changed since main: they include the ones that exceed the limit. */
function recentPlaces(rule: string, diagnostics: readonly Diagnostic[]): string[] {
  const changed = changedFiles()
  return diagnostics
    .filter(
      ({ category, location }) => ruleOf(category) === rule && changed.has(location?.path ?? ''),
    )
    .map((diagnostic) => `  in a file you changed: ${described(diagnostic)}`)
}

function changedFiles(): ReadonlySet<string> {
  const lists = [
    ['diff', '--name-only', '--merge-base', 'main'],
    ['ls-files', '--others', '--exclude-standard'],
  ].map((args) => spawnSync('git', args, { encoding: 'utf8' }).stdout ?? '')
  return new Set(lists.join('\n').split('\n').filter(Boolean))
}

async function saveRatchet(): Promise<void> {
  const allowed = readRatchet()
  const diagnosticCounts = counted(await biome())
  const raised = Object.keys(allowed).filter(
    (rule) => (diagnosticCounts[rule] ?? 0) > allowed[rule]!,
  )
  if (raised.length > 0) {
    process.stderr.write(
      `Not raised: ${raised.map((rule) => `${rule} (${diagnosticCounts[rule]} > ${allowed[rule]})`).join(', ')}\n`,
    )
    process.exit(1)
  }
  const bounds = Object.keys(allowed)
    .map((rule) => [rule, diagnosticCounts[rule] ?? 0] as const)
    .filter(([rule, count]) => count > 0 || isCountedHere(rule)) // Biome reports a rule without a bound by itself
  writeFileSync(RATCHET, `${JSON.stringify(Object.fromEntries(bounds), null, 2)}\n`)
}

const isCountedHere = (rule: string) => CASTS.includes(rule) || rule.startsWith('prose/')

function readRatchet(): Counts {
  return JSON.parse(readFileSync(RATCHET, 'utf8')) as Counts
}

/** Runs Biome on the whole tree; it exits with status 1 if it reports anything. */
async function biome(): Promise<Diagnostic[]> {
  const { stdout, stderr } = await capture(
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--reporter=json',
    '--max-diagnostics=none',
    '.',
  )
  if (!stdout.startsWith('{')) throw new Error(`Biome failed: ${stderr || stdout}`)
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics
}

function counted(diagnostics: Diagnostic[]): Counts {
  const counts: Counts = {}
  for (const { category } of diagnostics)
    counts[ruleOf(category)] = (counts[ruleOf(category)] ?? 0) + 1
  for (const cast of CASTS) counts[cast] = occurrences(cast)
  return { ...counts, ...proseCounts() }
}

function occurrences(text: string): number {
  const sources = globSync('src/**/*.{ts,tsx}').filter((file) => !isOfTests(file))
  const word = new RegExp(`\\b${text}\\b`) // in "it was never" there is none
  return sources.reduce((sum, file) => sum + readFileSync(file, 'utf8').split(word).length - 1, 0)
}

function isOfTests(file: string): boolean {
  return /\.test\.ts$|(^|\/)testing(\.ts$|\/)|^src\/web-tests\//.test(file)
}

function ruleOf(category: string): string {
  return category.replace(/^lint\//, '')
}

function described({ category, message, location }: Diagnostic): string {
  if (category === 'format') return `${location?.path ?? ''}: not formatted. Run: npm run format`
  return `${location?.path ?? ''}:${location?.start?.line ?? 0} ${category} ${message}`
}

/** Exports that no other file imports. Knip prints them and exits with status 1. */
async function unusedExports(): Promise<string[]> {
  const { status, stdout, stderr } = await capture(
    'node_modules/knip/bin/knip.js',
    '--include',
    'exports,types,files',
    '--reporter',
    'compact',
    '--no-progress',
  )
  if (status === 0) return []
  return [stdout.trim() || stderr.trim()]
}

function typeChecks(): (() => Promise<string[]>)[] {
  refreshWebTypes()
  mkdirSync(CACHE, { recursive: true })
  return PROJECTS.map((project) => async () => {
    const info = `${CACHE}/${project === '.' ? 'server' : project.replaceAll('/', '-')}.tsbuildinfo`
    const { status, stdout } = await capture(
      'node_modules/typescript/bin/tsc',
      '-p',
      project,
      '--incremental',
      '--tsBuildInfoFile',
      info,
    )
    return status === 0 ? [] : [stdout.trim()]
  })
}

/** @throws Error where a program does not start */
function capture(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((end, fail) =>
    execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      const status = error ? error.code : 0
      if (typeof status === 'number') end({ status, stdout, stderr })
      else fail(error)
    }),
  )
}

await main(process.argv.slice(2))
