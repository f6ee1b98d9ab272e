// `npm run test:web`: builds the web app, then looks at it with a real browser. `-- activity` takes the files whose name has that in it.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { buildApps } from './apps-build.mjs'
import { buildWeb } from './web-build.mjs'

const folder = 'src/web-tests'
process.chdir(new URL('..', import.meta.url).pathname)
await buildApps()
await buildWeb()
const wanted = process.argv.slice(2)
const files = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.web.ts') && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
)
if (files.length === 0) {
  process.stderr.write(`No file of ${folder} has ${wanted.join(' or ')} in its name.\n`)
  process.exit(2)
}
const { status } = spawnSync(
  process.execPath,
  [
    'tools/test.mjs',
    '--no-check',
    '--test-concurrency=3', // browsers wait for servers, and these for browsers
    ...files.map((name) => `${folder}/${name}`),
  ],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
