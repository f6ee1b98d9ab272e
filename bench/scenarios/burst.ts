// `node tools/node.mjs bench/scenarios/burst.ts [seconds]`: how long a valid key waits during a flood of invalid ones.
// The invalid keys are well-formed, so each costs a database lookup; all limits apply except the rate of the valid key.
import { Agent } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'
import { mintKey } from '../../src/keys/format.ts'
import { oneInstance } from '../../src/testing/blackbox/instance.ts'
import { send } from '../../src/testing/blackbox/requests.ts'
import { fire, rssOf } from './load.ts'

const flooders = 50
const callers = 10

type Answered = Record<number, number>

if (!isMainThread) await flood(workerData as { url: string; milliseconds: number })
else {
  const seconds = Number(process.argv[2] ?? 30) / 3
  const unlimited = [
    '--rate-key',
    '0',
    '--rate-organization',
    '0',
    '--rate-concurrent',
    '0',
    '--abuse-loop',
    '0',
    '--abuse-mass-read',
    '0',
    '--abuse-mass-read-megabytes',
    '0',
  ]
  await measure('no flood', ['--limits', 'yes', ...unlimited], seconds, false)
  await measure('flood, with limits', ['--limits', 'yes', ...unlimited], seconds, true)
  await measure('flood, without limits', ['--limits', 'no'], seconds, true)
  process.exit(0)
}

/** Runs in its own thread so that the measured callers do not wait for the flood. */
async function flood({ url, milliseconds }: { url: string; milliseconds: number }): Promise<void> {
  const until = performance.now() + milliseconds
  const keys = Array.from({ length: 2000 }, () => mintKey().key)
  const answered: Answered = {}
  let turn = 0
  const lane = async () => {
    while (performance.now() < until) {
      const { status } = await send(
        { url, key: keys[turn++ % keys.length] },
        { method: 'GET', path: '/api/labels' },
      )
      answered[status] = (answered[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: flooders }, lane))
  parentPort!.postMessage(answered)
}

async function measure(
  name: string,
  flags: readonly string[],
  seconds: number,
  isFlooded: boolean,
): Promise<void> {
  const instance = await oneInstance(...flags)
  const { url } = instance.server
  const shot = {
    method: 'GET',
    path: '/api/labels',
    headers: { authorization: `Bearer ${await instance.newKey('ann@acme.test')}` },
  }
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  for (let i = 0; i < 500; i++) await fire(url, shot, agent)
  const answers = isFlooded ? floodBeside(url, (seconds + 1) * 1000) : Promise.resolve({})
  if (isFlooded) await pause(500)
  const until = performance.now() + seconds * 1000
  const took: number[] = []
  const call = async () => {
    while (performance.now() < until) {
      const at = performance.now()
      await fire(url, shot, agent)
      took.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  tell(name, took, seconds, await answers)
  console.log(`    ${Math.round(rssOf(instance.server.child.pid!))} MiB`)
  agent.destroy()
  await instance.remove()
}

function floodBeside(url: string, milliseconds: number): Promise<Answered> {
  return new Promise((resolve, reject) =>
    new Worker(new URL(import.meta.url), { workerData: { url, milliseconds } })
      .once('message', resolve)
      .once('error', reject),
  )
}

function tell(name: string, took: number[], seconds: number, answered: Answered): void {
  took.sort((a, b) => a - b)
  const at = (share: number) => `${took[Math.floor(took.length * share)]!.toFixed(1)} ms`
  const bad = Object.entries(answered).map(
    ([status, count]) => `${status}: ${Math.round(count / (seconds + 1))}/s`,
  )
  console.log(
    `${name}: good key ${Math.round(took.length / seconds)}/s, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}; bad keys ${bad.join(', ') || 'none'}`,
  )
}
