import { fire, fireWhile, load, median, rssOf, times } from './scenarios/load.ts'
import type { Table } from './report.ts'
import { seed } from './seed.ts'
import { idleMemory, settled, startTime, type Bench } from './server.ts'
import { mcpShot, restShot, toolsListShot } from './requests.ts'
import type { Sizes } from './sizes.ts'

const filter = { project_id: 'BEN0', status_category: ['todo'], limit: 20 }

/** Measures the server as a whole: its start, its memory, and its list of tools. */
export async function whole(
  bench: Bench,
  { rounds, requests, tasks }: Sizes,
): Promise<{ of: string; tables: Table[] }> {
  const dataDir = bench.dir('whole')
  const key = await seed(dataDir, tasks)
  const [list, call, tools] = [
    restShot(key, 'list_tasks', filter),
    mcpShot(key, 'list_tasks', filter),
    toolsListShot(key),
  ]
  const first = await bench.serve(dataDir)
  await settled(first) // the vectors of the tasks are made once, and belong to no start
  await bench.stop(first)
  const cold = await startTime(
    bench,
    () => bench.serve(dataDir),
    (server) => fire(server.url, list),
    9,
  )
  const server = await bench.serve(dataDir)
  await fire(server.url, { method: 'GET', path: '/healthz', headers: {} })
  const idle = await idleMemory(server)
  const { url, pid } = server
  const kilobytes = (await fire(url, tools)).length / 1000
  let createdCount = 0
  const create = () =>
    restShot(key, 'create_task', {
      project_id: 'BEN3',
      title: `Made by the benchmark ${createdCount++}`,
    })
  const creates = async (connections: number) =>
    (await fireWhile(url, pid, create, connections, times(requests))).rps
  for (const shot of [list, call]) await load(url, pid, shot, 16, 300)
  const lists: number[] = []
  const ratios: number[] = []
  const together: number[] = []
  for (let i = 0; i < rounds; i++) {
    lists.push((await load(url, pid, tools, 16, requests)).rps)
    const rest = await load(url, pid, list, 16, requests)
    ratios.push((await load(url, pid, call, 16, requests)).cpu_us / rest.cpu_us)
    const alone = await creates(1)
    together.push((await creates(16)) / alone)
  }
  const loaded = rssOf(pid)
  const rested = await idleMemory(server)
  await bench.stop(server)
  const sessions = bench.script<{ megabytes: number }>([
    '--expose-gc',
    'bench/scenarios/sessions.ts',
    dataDir,
    key,
    '500',
  ])
  bench.forget('whole')
  const rows = [
    ['cold start to first answer, ms', cold, '< 400'],
    ['idle RSS, MiB', idle.rss, '< 120'],
    ["of that, not Node's file, MiB", idle.ownMs, ''],
    ['RSS after the load, MiB', loaded, ''],
    ['RSS once it has rested from it, MiB', rested.rss, ''],
    ['tools/list, KB', kilobytes, ''],
    ['tools/list with 16 callers, a second', median(lists), '≥ 500'],
    ['tools/call list_tasks : the same over REST, CPU', median(ratios), '≤ 1.5'],
    ['create with 16 callers : with 1 caller, rate', median(together), '≥ 4'],
    ['500 idle MCP sessions, MB of heap', sessions.megabytes, '< 10'],
  ]
  return {
    of: `all operations, ${tasks.toLocaleString('en')} tasks`,
    tables: [{ head: ['whole', 'figure', 'goal'], rows }],
  }
}
