// `npm run test:executable`: whatever starts the program starts the executable that `npm run build` left, or the one that
// WORKSPACE_EXECUTABLE names: the suites that do, the web app in a browser, the conformance run. What calls the program's functions in
// its own process is left to `npm test`. One suite: `WORKSPACE_EXECUTABLE=… npm test -- test/crash.long.test.ts`.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleTests, testSources } from './test-bundle.mjs'
import { testBundled } from './test.mjs'

process.chdir(new URL('..', import.meta.url).pathname)
const executable =
  process.env.WORKSPACE_EXECUTABLE || globSync('dist/release/workspace-*/workspace')[0]
const version = executable && spawnSync(executable, ['--version'], { encoding: 'utf8' })
if (version?.status !== 0) {
  process.stderr.write(
    executable
      ? `${executable} does not start.\n${version.stderr ?? version.error}\n`
      : 'There is no executable in dist/release. Run npm run build\n',
  )
  process.exit(1)
}
process.env.WORKSPACE_EXECUTABLE = executable
console.log(`${executable} is workspace ${version.stdout}`)

if (process.argv[2] === 'suites')
  await testBundled((await bundleTests([...testSources(false), ...testSources(true)])).starting)
else await testAll()

/** What failed is printed once more at the very end, where it is found in a log of which only the end is kept. */
async function testAll() {
  const parts = {
    suites: [fileURLToPath(import.meta.url), 'suites'],
    'web app': ['tools/test-web.mjs'],
    conformance: ['src/testing/conformance/run.ts'],
  }
  const failed = []
  for (const [name, args] of Object.entries(parts)) {
    console.log(`\n${name}`)
    const { status, end } = await shown(args)
    if (status !== 0) failed.push(`\n${name} failed (${status}):\n${end}`)
  }
  process.stderr.write(failed.join(''))
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** Runs a program, shows what it prints, and answers how it ended and the end of what it printed: its failures. */
async function shown(args) {
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'pipe', 'pipe'] })
  let end = ''
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      process[stream].write(text)
      end = (end + text).slice(-5_000)
    })
  }
  const [status, signal] = await once(child, 'close')
  return { status: status ?? signal, end }
}
