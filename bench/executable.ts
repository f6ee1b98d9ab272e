import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs'
import { fire, median } from './scenarios/load.ts'
import type { Table } from './report.ts'
import { seed } from './seed.ts'
import { idleMemory, settled, started, startTime, type Bench } from './server.ts'
import { restShot } from './requests.ts'
import type { Sizes } from './sizes.ts'

const root = new URL('..', import.meta.url).pathname

/** The release executable: WORKSPACE_EXECUTABLE, or the output of `npm run build`. */
function found(): string | undefined {
  const file =
    process.env.WORKSPACE_EXECUTABLE ??
    globSync('dist/release/workspace-*/workspace', { cwd: root }).map((name) => `${root}${name}`)[0]
  return file !== undefined && existsSync(file) ? file : undefined
}

/** Compares the single-file download with the same build run by Node. */
export async function executable(
  bench: Bench,
  { tasks }: Sizes,
): Promise<{ of: string; tables: Table[] } | undefined> {
  const file = found()
  if (file === undefined) return undefined
  process.env.XDG_CACHE_HOME = bench.dir('cache') // begun empty: the first start unpacks
  mkdirSync(bench.dir('cache'))
  const dataDir = bench.dir('executable')
  const list = restShot(await seed(dataDir, tasks), 'list_tasks', { limit: 25 })
  const run = (command: string, args: readonly string[]) => {
    const startedAt = performance.now()
    execFileSync(command, args, { cwd: root, stdio: 'ignore' })
    return performance.now() - startedAt
  }
  const [unpacking, first] = await started(
    () => bench.serve(dataDir, file),
    (server) => fire(server.url, list),
  )
  await settled(unpacking) // the vectors of the tasks are made once, and count for neither
  await bench.stop(unpacking)
  const measure = async (executable: string | undefined) => {
    const version = () =>
      executable === undefined
        ? run(process.execPath, ['bin/workspace', '--version'])
        : run(executable, ['--version'])
    const versions = Array.from({ length: 10 }, version).slice(1)
    const start = await startTime(
      bench,
      () => bench.serve(dataDir, executable),
      (server) => fire(server.url, list),
      9,
    )
    const server = await bench.serve(dataDir, executable)
    await fire(server.url, list)
    const idle = await idleMemory(server)
    await bench.stop(server)
    return { version: median(versions), start, idle }
  }
  const ours = await measure(file)
  const node = await measure(undefined)
  const [archive] = globSync(`${file.slice(0, file.lastIndexOf('/'))}.tar.*`)
  const rows = [
    ['size, MB', statSync(file).size / 1e6, '', '≤ 150'],
    ...(archive ? [['archive, MB', statSync(archive).size / 1e6, '', '≤ 45']] : []),
    ['`--version`, ms', ours.version, node.version, '< 150'],
    ['start to first answer, ms', ours.start, node.start, '< 600'],
    ['the very first one, which unpacks, ms', first, '', ''],
    ['idle RSS, MiB', ours.idle.rss, node.idle.rss, ''],
    ['of that, not the file of the program, MiB', ours.idle.ownMs, node.idle.ownMs, ''],
  ]
  bench.forget('executable')
  return {
    of: `${tasks.toLocaleString('en')} tasks; medians of nine starts`,
    tables: [{ head: ['', 'executable', 'the same build in Node', 'goal'], rows }],
  }
}
