import { fire, fireWhile, median, times, type Figures, type Shot } from './scenarios/load.ts'
import type { Table } from './report.ts'
import { seed } from './seed.ts'
import { settled, type Bench, type Running } from './server.ts'
import { floorShots, mcpShot, restShot, toolsListShot } from './requests.ts'
import type { Sizes } from './sizes.ts'

interface Rung {
  work: string
  connections: number
  ours: () => Shot
  floor: Shot
  goal: number
}

/** Starts bench/floor.ts; `bytes` is the length of the text it serves from memory. */
export function startFloor(bench: Bench, name: string, bytes = 1000): Promise<Running> {
  return bench.start(process.execPath, ['bench/floor.ts', bench.dir(name), String(bytes)])
}

/** Compares the hot path of tasks with a bare server that does the same work. */
export async function floor(
  bench: Bench,
  { rounds, requests, tasks }: Sizes,
): Promise<{ of: string; tables: Table[] }> {
  const key = await seed(bench.dir('floor'), tasks)
  const ours = await bench.serve(bench.dir('floor'))
  await settled(ours)
  const tools = toolsListShot(key)
  const them = await startFloor(bench, 'floor.db', (await fire(ours.url, tools)).length)
  const filter = { project_id: 'BEN0', status_category: ['todo'], limit: 20 }
  let createdCount = 0
  const task = () => ({ project_id: 'BEN3', title: `Made by the benchmark ${createdCount++}` })
  const base = floorShots()
  const rungs = (
    [
      {
        work: 'REST list of 20 filtered',
        ours: () => restShot(key, 'list_tasks', filter),
        floor: base.list,
        goal: 3,
      },
      {
        work: 'REST create',
        ours: () => restShot(key, 'create_task', task()),
        floor: base.create,
        goal: 5,
      },
      { work: 'MCP tools/list', ours: () => tools, floor: base.bytes, goal: 3.5 },
      {
        work: 'MCP tools/call list_tasks',
        ours: () => mcpShot(key, 'list_tasks', filter),
        floor: base.list,
        goal: 4,
      },
      {
        work: 'MCP tools/call create_task',
        ours: () => mcpShot(key, 'create_task', task()),
        floor: base.create,
        goal: 5,
      },
    ] satisfies Omit<Rung, 'connections'>[]
  ).flatMap((rung) => [1, 16].map((connections) => ({ ...rung, connections })))
  const rows = []
  for (const rung of rungs) {
    await settled(ours) // else a rung pays for the vectors of the tasks that the one before it made
    const { us, floor, ratio } = await measure(rung, ours, them, rounds, requests)
    rows.push([
      rung.work,
      rung.connections,
      us.rps,
      us.p50_ms,
      us.p99_ms,
      us.cpu_us,
      floor.rps,
      floor.cpu_us,
      ratio,
      `≤ ${rung.goal}`,
    ])
  }
  await bench.stop(ours)
  await bench.stop(them)
  bench.forget('floor')
  const head = [
    'work',
    'callers',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'floor requests/s',
    'floor CPU µs',
    'CPU ratio',
    'goal',
  ]
  return {
    of: `${tasks.toLocaleString('en')} tasks, median of ${rounds} rounds of ${requests} requests`,
    tables: [{ head, rows }],
  }
}

/**
 * Measures both alternately; `ratio` is the median over the rounds of our processor time per request divided by the
 * floor's.
 */
async function measure(
  rung: Rung,
  ours: Running,
  floor: Running,
  rounds: number,
  requests: number,
): Promise<{ us: Figures; floor: Figures; ratio: number }> {
  const fireAt = ({ url, pid }: Running, next: () => Shot, count: number) =>
    fireWhile(url, pid, next, rung.connections, times(count))
  const runs: { us: Figures; them: Figures }[] = []
  await fireAt(ours, rung.ours, 300)
  await fireAt(floor, () => rung.floor, 300)
  for (let i = 0; i < rounds; i++) {
    const them = await fireAt(floor, () => rung.floor, requests)
    const us = await fireAt(ours, rung.ours, requests)
    runs.push({ us, them })
  }
  return {
    us: middle(runs.map((run) => run.us)),
    floor: middle(runs.map((run) => run.them)),
    ratio: median(runs.map((run) => run.us.cpu_us / run.them.cpu_us)),
  }
}

function middle(all: readonly Figures[]): Figures {
  const medianOf = (name: keyof Figures) => median(all.map((figures) => figures[name]))
  return {
    rps: medianOf('rps'),
    p50_ms: medianOf('p50_ms'),
    p99_ms: medianOf('p99_ms'),
    cpu_us: medianOf('cpu_us'),
  }
}
