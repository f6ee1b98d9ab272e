import fc from '../properties.ts'
import { sentTo, type Known } from './arbitraries.ts'
import { oddBodies } from './hostile.ts'
import {
  inLanes,
  restOf,
  send,
  toolCallOf,
  type RawResponse,
  type RawRequest,
  type Door,
} from './requests.ts'
import type { Offered } from './surface.ts'
import { flawOf, rpcFlawOf } from './verdict.ts'

export interface Fuzzed {
  sent: number
  /** Number of responses by status; 0: the connection broke. */
  statuses: Record<number, number>
  /** Each kind of flaw, once per operation. */
  flaws: string[]
}

interface Shot {
  name: string
  asked: RawRequest
  isRpc: boolean
}

export interface FuzzOptions {
  count: number
  seed: number
  lanes?: number
  /** Awaited before each request; false stops the run. */
  goOn?: () => Promise<boolean>
}

/** Sends this many random requests to all operations, over REST and both eras of MCP, generated from the seed. */
export async function fuzz(
  door: Door,
  offered: readonly Offered[],
  idPool: Known,
  options: FuzzOptions,
): Promise<Fuzzed> {
  const flaws = new Map<string, string>()
  const fuzzed: Fuzzed = { sent: 0, statuses: {}, flaws: [] }
  await inLanes(
    shots(offered, idPool, options),
    options.lanes ?? 16,
    async ({ name, asked, isRpc }) => {
      if (options.goOn && !(await options.goOn())) return
      const answer = await send(door, asked).catch((error: unknown) => error as Error)
      fuzzed.sent++
      const status = answer instanceof Error ? 0 : answer.status
      fuzzed.statuses[status] = (fuzzed.statuses[status] ?? 0) + 1
      const flaw = answer instanceof Error ? `no answer: ${answer.message}` : flawIn(answer, isRpc)
      if (flaw)
        flaws.set(
          `${name} ${flaw.slice(0, 40)}`,
          `${name} ${asked.method} ${asked.path.slice(0, 200)} ${String(asked.body ?? '').slice(0, 400)}\n    ${flaw}`,
        )
    },
  )
  return { ...fuzzed, flaws: [...flaws.values()] }
}

function flawIn(answer: RawResponse, isRpc: boolean): string | undefined {
  return isRpc && answer.headers['content-type'] !== 'application/problem+json; charset=utf-8'
    ? rpcFlawOf(answer)
    : flawOf(answer)
}

/** Cycles through all operations: arguments over REST and MCP, with occasional invalid bodies. */
function* shots(
  offered: readonly Offered[],
  idPool: Known,
  { count, seed }: { count: number; seed: number },
): Generator<Shot> {
  const rounds = Math.ceil(count / offered.length)
  const samples = offered.map((op) =>
    fc.sample(sentTo(op, idPool), { numRuns: Math.min(rounds, 400), seed }),
  ) // beyond that they come again, to things that have changed by then
  let left = count
  for (let round = 0; round < rounds; round++)
    for (const [i, op] of offered.entries())
      if (left-- > 0) yield shotOf(op, samples[i]![round % samples[i]!.length]!, round + i)
}

function shotOf(op: Offered, args: Record<string, unknown>, turn: number): Shot {
  const { name } = op
  if (turn % 10 === 9) return { name, isRpc: true, asked: toolCallOf(name, args, 'legacy') }
  if (turn % 10 > 5) return { name, isRpc: true, asked: toolCallOf(name, args) }
  if (turn % 10 < 5) return { name, isRpc: false, asked: restOf(op, args) }
  const body = oddBodies[turn % oddBodies.length]!
  return turn % 20 === 5
    ? { name, isRpc: true, asked: { ...toolCallOf(name, {}), body } }
    : { name, isRpc: false, asked: { ...restOf(op, {}), body } }
}
