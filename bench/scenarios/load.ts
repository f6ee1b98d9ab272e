import { Agent, request } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'

/** One kind of request, rebuilt for each try (a create needs a new title). */
export interface Shot {
  method: string
  path: string
  headers: Record<string, string>
  body?: () => string
}

export interface Figures {
  /** Requests per second of wall clock time. */
  rps: number
  p50_ms: number
  p99_ms: number
  /** User and system time of the server process per request, in microseconds. */
  cpu_us: number
}

/**
 * Sends `count` requests over this many keep-alive connections, one request at a time on each.
 * @throws Error if an answer is not 2xx: a fast refusal is no result
 */
export async function load(
  url: string,
  pid: number,
  shot: Shot,
  connections: number,
  count: number,
): Promise<Figures> {
  return fireWhile(url, pid, () => shot, connections, times(count))
}

/** Returns true the given number of times. */
export function times(count: number): () => boolean {
  return () => count-- > 0
}

/** True for this many milliseconds from the first call. */
export function lasting(milliseconds: number): () => boolean {
  let end: number | undefined
  return () => performance.now() < (end ??= performance.now() + milliseconds)
}

/** Keeps sending while `goesOn` returns true, each time with the next shot. */
export async function fireWhile(
  url: string,
  pid: number,
  next: () => Shot,
  connections: number,
  goesOn: () => boolean,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  const cpu = cpuOf(pid)
  const started = performance.now()
  const lane = async () => {
    while (goesOn()) {
      const shot = next()
      const at = performance.now()
      await fire(url, shot, agent)
      took.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane)).finally(() => agent.destroy())
  const wall = performance.now() - started
  const spent = cpuOf(pid) - cpu
  return {
    rps: (took.length / wall) * 1000,
    p50_ms: percentile(took, 0.5),
    p99_ms: percentile(took, 0.99),
    cpu_us: (spent * 1e6) / took.length,
  }
}

export function percentile(took: readonly number[], share: number): number {
  return [...took].sort((a, b) => a - b)[Math.floor(took.length * share)]!
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Sends one request; returns the text of the answer. */
export function fire(url: string, shot: Shot, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = shot.body?.()
    const headers = {
      ...shot.headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const sent = request(
      url + shot.path,
      { method: shot.method, headers, ...(agent ? { agent } : {}) },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString()
          if (answer.statusCode! >= 300)
            reject(
              new Error(`${shot.method} ${shot.path}: ${answer.statusCode} ${text.slice(0, 300)}`),
            )
          else resolve(text)
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Processor seconds used so far by the threads of a process (Linux). */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return (
    threads.reduce(
      (sum, thread) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    ) / 1e9
  )
}

/** Resident memory of a process, MiB (Linux). */
export function rssOf(pid: number): number {
  return statusOf(pid, 'VmRSS')
}

/**
 * The part of resident memory not backed by files such as Node's code: file pages are shared by all processes and
 * reclaimable by the system.
 */
export function ownMemoryOf(pid: number): number {
  return statusOf(pid, 'RssAnon')
}

function statusOf(pid: number, what: string): number {
  return (
    Number(
      new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1],
    ) / 1024
  )
}
