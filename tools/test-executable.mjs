// `npm run test:executable`: whatever starts the program starts the executable that `npm run build` left, or the one that
// WORKSPACE_EXECUTABLE names: the suites that do, the web app in a browser, the conformance run. What calls the program's functions in
// its own process is left to `npm test`. One suite: `WORKSPACE_EXECUTABLE=… npm test -- src/crash.test.ts`.

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { bundleTests } from './test-bundle.mjs'
import { testBundled } from './test.mjs'

process.chdir(new URL('..', import.meta.url).pathname)
const executable = process.env.WORKSPACE_EXECUTABLE || globSync('dist/release/workspace-*/workspace')[0]
const version = executable && spawnSync(executable, ['--version'], { encoding: 'utf8' })
if (version?.status !== 0) {
  process.stderr.write(executable ? `${executable} does not start.\n${version.stderr ?? version.error}\n` : 'There is no executable in dist/release. Run npm run build\n')
  process.exit(1)
}
process.env.WORKSPACE_EXECUTABLE = executable
console.log(`${executable} is workspace ${version.stdout}`)

await testBundled((await bundleTests()).starting)
for (const program of ['tools/test-web.mjs', 'src/testing/conformance/run.ts']) {
  console.log(`\n${program}`)
  if (spawnSync(process.execPath, [program], { stdio: 'inherit' }).status !== 0) process.exitCode = 1
}
