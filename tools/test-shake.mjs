// `npm run test:shake -- [files] [--seed n] [--seeds n] [--web] [--one-core]`: runs tests with seeded random delays
// where delays are possible, eight files at once. `--web` runs browser tests, with delayed requests and a browser
// processor that is four times slower. `--one-core` uses one processor. Prints the seeds that failed; the same seed
// repeats the delays.

import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    web: { type: 'boolean', default: false },
    'one-core': { type: 'boolean', default: false },
  },
})
const seeds =
  options.seed === undefined
    ? Array.from({ length: Number(options.seeds) }, () => String(randomInt(1_000_000)))
    : [options.seed]
const failedSeeds = seeds.filter((seed) => !runTests(seed))
const rerunCommand = [
  'npm run test:shake --',
  ...process.argv.slice(2).filter((arg) => !/^(--seeds?(=.*)?|\d+)$/.test(arg)),
]
for (const seed of failedSeeds)
  console.log(`Failed: ${[...rerunCommand, '--seed', seed].join(' ')}`)
console.log(`${seeds.length - failedSeeds.length} of ${seeds.length} seeds passed.`)
process.exitCode = failedSeeds.length > 0 ? 1 : 0

function runTests(seed) {
  console.log(`Seed ${seed}`)
  const command = [
    ...(options['one-core'] ? ['taskset', '-c', '0'] : []),
    process.execPath,
    ...(options.web ? ['tools/test-web.mjs'] : ['tools/test.mjs', '--no-check']),
    ...files,
  ]
  const preload = pathToFileURL(`${root}tools/shake-preload.mjs`).href
  const { status } = spawnSync(command[0], command.slice(1), {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SHAKE_SEED: seed,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${preload}`.trim(),
      WORKSPACE_TEST_PICTURES: 'no',
    },
  })
  return status === 0
}
