// `npm run test:executable`: runs the suites that start the program as a process with the executable from `npm run
// build`, or the one in WORKSPACE_EXECUTABLE. Tests that call the program in-process are left to `npm test`. `--
// test/crash.long.test.ts` runs only the named suites; `--second-chance` reruns failed ones separately
// (docs/testing.md).

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bundleTests, testSources } from './test-bundle.mjs'
import { testBundled } from './test-run.mjs'

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

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'second-chance': { type: 'boolean' } },
})
const sources = positionals.length > 0 ? positionals : [...testSources(false), ...testSources(true)]
const { files, starting } = await bundleTests(sources)
await testBundled(positionals.length > 0 ? files : starting, {
  secondChance: options['second-chance'],
})
