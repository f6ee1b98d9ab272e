// `npm run bench`: builds the server, measures it part by part, and writes each part's tables into docs/performance.md.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { executable } from './executable.ts'
import { hostile } from './scenarios/hostile.ts'
import { growth } from './scenarios/growth.ts'
import { floor } from './against-floor.ts'
import { deep } from './scenarios/deep.ts'
import { jobs } from './scenarios/jobs.ts'
import { mixed } from './scenarios/mixed.ts'
import { modulesPart } from './scenarios/modules.ts'
import { typing } from './web/keystrokes.ts'
import { web } from './web/web.ts'
import { renderTables, writeDown, type Table } from './report.ts'
import { Bench } from './server.ts'
import { full, small, type Sizes } from './sizes.ts'
import { whole } from './whole.ts'

/** A measurement. `of` describes its scale; undefined if this machine lacks a requirement. */
type Part = (bench: Bench, sizes: Sizes) => Promise<{ of: string; tables: Table[] } | undefined>

const parts: Record<string, Part> = {
  floor,
  whole,
  hostile,
  modules: modulesPart,
  mixed,
  growth,
  executable,
  web,
  typing,
  jobs,
  ...deep,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    small: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(
    `npm run bench -- [--only ${Object.keys(parts).join(',')}] [--small]\n\n--only   these parts, with commas between them\n--small  small amounts, to try it: prints the tables, and writes nothing down\n\nWORKSPACE_EXECUTABLE  path of the executable that the part "executable" measures; else that of dist/release`,
  )
  process.exit(0)
}
const wanted = values.only?.split(',') ?? Object.keys(parts)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(
    `There is no part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`,
  )

/** bin/workspace runs the build only if its sources are unchanged. */
async function isBuilt(): Promise<boolean> {
  const stamp = (await import(new URL('../tools/stamp.mjs', import.meta.url).href)) as {
    isBuilt: () => boolean
  }
  return stamp.isBuilt()
}

const bench = new Bench()
process.once('exit', () => bench.end())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))
if (!(await isBuilt()))
  execFileSync(process.execPath, ['tools/build.mjs'], {
    cwd: new URL('..', import.meta.url).pathname,
    stdio: 'inherit',
  })
for (const [i, name] of wanted.entries()) {
  const startedAt = performance.now()
  console.log(`\n${i + 1} of ${wanted.length}: ${name} …`)
  const measured = await parts[name]!(bench, values.small ? small : full)
  if (!measured) {
    console.log('left out: this machine lacks what it needs')
    continue
  }
  const text = renderTables(measured.tables, measured.of)
  console.log(`${text}\n\n${name}: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  if (!(await isBuilt()))
    throw new Error(
      'The sources were edited meanwhile: some of this was measured from them, not from the build. Nothing of this part was written down.',
    )
  if (!values.small) writeDown(name, text)
}
