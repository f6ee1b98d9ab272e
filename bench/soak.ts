// `npm run soak -- --minutes 5`: a server process under every kind of load at once, valid and invalid, slow and silent,
// killed now and then. Prints its observations and exits with 1 if an invariant is violated.
import { parseArgs } from 'node:util'
import { oneInstance } from '../src/testing/blackbox/instance.ts'
import { freePort, Soak } from '../src/testing/blackbox/soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    keys: { type: 'string', default: '8' },
    'kill-every': { type: 'string', default: '1' }, // minutes
    requests: { type: 'string', default: '60000' }, // malformed ones
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(
    'npm run soak -- [--minutes 5] [--keys 8] [--kill-every 1] [--requests 60000] [--seed n]',
  )
  process.exit(0)
}

const instance = await oneInstance(
  '--port',
  String(await freePort()),
  '--limits',
  'no',
  '--mcp-streams-per-key',
  '500',
  '--mcp-sessions-per-key',
  '500',
)
const soak = new Soak(instance, {
  milliseconds: Number(values.minutes) * 60_000,
  keys: Number(values.keys),
  killEvery: Number(values['kill-every']) * 60_000,
  malformed: Number(values.requests),
  seed: Number(values.seed),
})
const findings = await soak.run().finally(() => instance.remove())
console.log(`seed ${values.seed}`)
for (const { what, value, bar, holds } of findings)
  console.log(
    `${holds ? 'ok  ' : 'FAIL'}  ${what.padEnd(52)} ${value}${bar === '' ? '' : `   (${bar})`}`,
  )
process.exitCode = findings.every((finding) => finding.holds) ? 0 : 1
