import { Agent, request } from 'node:http'
import { readFileSync } from 'node:fs'

/** One kind of request, made anew for each try (a create needs a new title). */
export interface Shot {
  method: string
  path: string
  headers: Record<string, string>
  body?: () => string
}

export interface Figures {
  /** Requests a second, wall clock. */
  rps: number
  p50_ms: number
  p99_ms: number
  /** User and system time of the server's process for each request, microseconds. */
  cpu_us: number
}

/**
 * Fires `count` requests over so many connections that stay open, each with one request under way at a time.
 * @throws Error where an answer is not 2xx: a fast refusal is no result
 */
export async function load(url: string, pid: number, shot: Shot, connections: number, count: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  let left = count
  const cpu = cpuOf(pid)
  const started = performance.now()
  const lane = async () => {
    while (left-- > 0) {
      const at = performance.now()
      await fire(url, shot, agent)
      took.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  const wall = performance.now() - started
  const spent = cpuOf(pid) - cpu
  agent.destroy()
  took.sort((a, b) => a - b)
  return { rps: (count / wall) * 1000, p50_ms: took[Math.floor(took.length * 0.5)]!, p99_ms: took[Math.floor(took.length * 0.99)]!, cpu_us: (spent * 1e6) / count }
}

/** One request; the answer's text. */
export function fire(url: string, shot: Shot, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = shot.body?.()
    const headers = { ...shot.headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) }
    const sent = request(url + shot.path, { method: shot.method, headers, ...(agent ? { agent } : {}) }, answer => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (answer.statusCode! >= 300) reject(new Error(`${shot.method} ${shot.path}: ${answer.statusCode} ${text.slice(0, 300)}`))
        else resolve(text)
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const ticksPerSecond = 100

/** Seconds of processor time that a process has used so far (Linux). */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Resident memory of a process, MiB (Linux). */
export function rssOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  return Number(kib) / 1024
}
