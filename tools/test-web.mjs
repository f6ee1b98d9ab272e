// `npm run test:web`: builds the web app and tests it in a real browser. `-- activity` runs files with a matching name,
// `-- --gate` those of the gate; `--second-chance` reruns each failed file separately (docs/testing.md).
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildApps } from './apps-build.mjs'
import { bundleJourneys } from './test-bundle.mjs'
import { testBundled } from './test-run.mjs'
import { buildWeb } from './web-build.mjs'

const folder = 'src/web-tests'
/** The main path of each module, once. */
const gate = [
  'automation-code',
  'calendar-meetings',
  'chat-order',
  'deals',
  'drive-folders',
  'experts',
  'file-edit',
  'first-load',
  'first-start',
  'forms',
  'goals',
  'incidents',
  'knowledge',
  'mail-outbox',
  'meeting-transcript',
  'page-outline',
  'people',
  'planning-walk',
  'search',
  'time',
  'trash',
  'walk',
].map((name) => `${name}.web.ts`)

process.chdir(new URL('..', import.meta.url).pathname)
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { gate: { type: 'boolean' }, 'second-chance': { type: 'boolean' } },
})
await buildApps()
await buildWeb()
const all = readdirSync(folder).filter((name) => name.endsWith('.web.ts'))
const missing = gate.filter((name) => !all.includes(name))
if (missing.length > 0) fail(`Not in ${folder}: ${missing.join(', ')}`)
const files = (options.gate ? gate : all).filter(
  (name) => names.length === 0 || names.some((part) => name.includes(part)),
)
if (files.length === 0) fail(`No file of ${folder} has ${names.join(' or ')} in its name.`)
await testBundled(await bundleJourneys(files), {
  inSuites: true,
  secondChance: options['second-chance'],
})

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
