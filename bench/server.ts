import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf, median, ownMemoryOf, rssOf } from './scenarios/load.ts'

const root = new URL('..', import.meta.url).pathname
/** Launch arguments: the flag that the launcher passes to the Node that it fetches, and to the executable itself. */
const launcher = ['--max-semi-space-size=8', 'bin/workspace']

export interface Running {
  url: string
  pid: number
}

/** Limits are checked but never reached. */
const thresholds = Object.fromEntries(
  [
    'RATE_KEY',
    'RATE_BURST',
    'RATE_CONCURRENT',
    'RATE_ORGANIZATION',
    'RATE_ADDRESS',
    'ABUSE_LOOP',
    'ABUSE_MASS_READ',
    'ABUSE_MASS_READ_MEGABYTES',
  ].map((name) => [`WORKSPACE_${name}`, '1000000000']),
)

/** Processes and files of a benchmark run; `end` removes all of them. */
export class Bench {
  readonly #scratch = mkdtempSync(join(tmpdir(), 'workspace-bench-'))
  readonly #children = new Set<ChildProcess>()
  readonly #logFile = join(this.#scratch, 'log')
  /** Log for the servers' standard error, which would otherwise interrupt the tables. */
  readonly #log = openSync(this.#logFile, 'a')

  /** A path below the directory of this run. */
  dir(name: string): string {
    return join(this.#scratch, name)
  }

  /** Starts a program and waits for its line of JSON with a url. */
  async start(command: string, args: readonly string[]): Promise<Running> {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', this.#log],
      env: { ...thresholds, ...process.env },
    })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    for await (const line of createInterface({ input: child.stdout! })) {
      const url = /"url":\s*"([^"]+)"/.exec(line)?.[1]
      if (!url) continue
      child.stdout!.resume()
      return { url, pid: child.pid! }
    }
    throw new Error(
      `${command} ${args.join(' ')} ended before it listened:\n${readFileSync(this.#logFile, 'utf8')}`,
    )
  }

  /** `workspace serve` on a free port; `executable` replaces the build of this tree. */
  serve(dataDir: string, executable?: string): Promise<Running> {
    const flags = ['serve', '--data', dataDir, '--port', '0', '--json']
    return executable === undefined
      ? this.start(process.execPath, [...launcher, ...flags])
      : this.start(executable, flags)
  }

  async stop({ pid }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = [...this.#children].find((childProcess) => childProcess.pid === pid)!
    const ended = new Promise((go) => child.once('exit', go))
    child.kill(signal)
    await ended
  }

  /** Runs a script of this directory to completion and parses the JSON it prints. */
  script<T>(args: readonly string[]): T {
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', this.#log],
      maxBuffer: 2 ** 26,
    })
    if (status !== 0)
      throw new Error(
        `${args.join(' ')} ended with ${status}:\n${readFileSync(this.#logFile, 'utf8').slice(-3000)}`,
      )
    return JSON.parse(stdout) as T
  }

  /** Removes data that is not needed any more. */
  forget(name: string): void {
    rmSync(this.dir(name), { recursive: true, force: true })
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.#scratch, { recursive: true, force: true })
  }
}

/**
 * Milliseconds from a program's start to its first answer with data, median of several starts; one earlier start,
 * which may compile, does not count.
 */
export async function startTime(
  bench: Bench,
  start: () => Promise<Running>,
  ask: (server: Running) => Promise<unknown>,
  count: number,
): Promise<number> {
  const took: number[] = []
  for (let i = 0; i <= count; i++) {
    const [server, milliseconds] = await started(start, ask)
    took.push(milliseconds)
    await bench.stop(server)
  }
  return median(took.slice(1))
}

/** A server, and the milliseconds to its first answer. */
export async function started(
  start: () => Promise<Running>,
  ask: (server: Running) => Promise<unknown>,
): Promise<[Running, number]> {
  const at = performance.now()
  const server = await start()
  await ask(server)
  return [server, performance.now() - at]
}

/** Waits until a newly started server is idle, including embedding of existing texts; ten minutes at most. */
export async function settled({ pid }: Running): Promise<void> {
  for (let i = 0, before = cpuOf(pid); i < 600; i++) {
    await pause(1000)
    const now = cpuOf(pid)
    if (now - before < 0.1) return
    before = now
  }
}

/** Memory of an idle server after its next round, in which it releases the memory of its start. */
export async function idleMemory(server: Running): Promise<{ rss: number; ownMs: number }> {
  await settled(server)
  await pause(15_000)
  return { rss: rssOf(server.pid), ownMs: ownMemoryOf(server.pid) }
}
