import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  calendarOf,
  cardsOf,
  longCsv,
  packedPdf,
  sparseWorkbook,
  wideCsv,
  zipOfMany,
  zipOfOne,
} from './hostile-inputs.ts'
import type { Table } from '../report.ts'
import { seed } from '../seed.ts'
import { settled, type Bench, type Running } from '../server.ts'

type Asked = [method: string, path: string, body?: Record<string, unknown>]
type Ask = (...args: Asked) => Promise<{ status: number; body: any }>

/** Sends hostile inputs while others poll the server's health. */
export async function hostile(bench: Bench): Promise<{ of: string; tables: Table[] }> {
  const dataDir = bench.dir('hostile')
  const key = await seed(dataDir, 10)
  const server = await bench.serve(dataDir)
  await settled(server)
  const tables = await besideHostile(server, key)
  await bench.stop(server)
  bench.forget('hostile')
  return { of: 'a new organization', tables }
}

/** The same for any server: `node bench/scenarios/hostile.ts <url> <key> <pid>`. */
export async function besideHostile(server: Running, key: string): Promise<Table[]> {
  const ask: Ask = async (method, path, body) => {
    const answer = await again(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const page = async (body_markdown: string) =>
    (await ask('POST', '/pages', { title: 'Hostile', body_markdown })).body.id as string
  const long = await page('a'.repeat(500_000))
  await ask('POST', `/pages/${long}/append`, { body_markdown: 'a'.repeat(500_000) })
  const calendar = (await ask('GET', '/calendars')).body.items?.[0]?.id as string
  const upload = async (name: string, bytes: Buffer): ReturnType<Ask> => {
    const session = await ask('POST', '/upload-sessions', { name, size_bytes: bytes.length })
    const answer = await again(session.body.upload_url.replace(/^https?:\/\/[^/]+/, server.url), {
      method: 'PUT',
      body: new Uint8Array(bytes),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const imported = async (path: string, name: string, bytes: Buffer) => {
    const { body } = await upload(name, bytes)
    return () => ask('POST', path, { file_id: body.file_id, dry_run: true })
  }
  const pdf = packedPdf(1000)
  const workbook = sparseWorkbook()
  const published = async (text: string) => {
    const id = await page(text)
    const { body } = await ask('PUT', `/pages/${id}/publication`, {})
    if (!body.public_url) throw new Error(JSON.stringify(body))
    const url = body.public_url as string
    return async () => ({
      status: (await again(url.replace(/^https?:\/\/[^/]+/, server.url))).status,
      body: undefined,
    })
  }
  const slow = await published('[a]('.repeat(60_000))
  const inputs: [string, () => Promise<{ status: number; body: unknown }>][] = [
    [
      'nothing',
      async () => {
        await pause(1000)
        return { status: 0, body: undefined }
      },
    ],
    [
      'edits of a page: a passage of 20,000 letters',
      () =>
        ask('POST', `/pages/${long}/edits`, {
          find: `${'a'.repeat(20_000)} b`,
          new_markdown: 'x',
          dry_run: true,
        }),
    ],
    [
      'edits of a page: a passage of 60,000 letters',
      () =>
        ask('POST', `/pages/${long}/edits`, {
          find: `${'a'.repeat(60_000)} b`,
          new_markdown: 'x',
          dry_run: true,
        }),
    ],
    [
      'import_contacts: 200,000 columns',
      await imported('/contacts/import', 'wide.csv', Buffer.from(wideCsv(200_000))),
    ],
    [
      'import_contacts: 300,000 rows',
      await imported('/contacts/import', 'long.csv', Buffer.from(longCsv(300_000))),
    ],
    [
      'import_contacts: 50,000 rows',
      await imported('/contacts/import', 'fitting.csv', Buffer.from(longCsv(50_000))),
    ],
    [
      'import_contacts: 60,000 vCards',
      await imported('/contacts/import', 'cards.vcf', Buffer.from(cardsOf(60_000))),
    ],
    [
      'import_pages: zip of 60,000 entries',
      await imported('/pages/import', 'many.zip', zipOfMany(60_000)),
    ],
    [
      'import_pages: zip with 500 MB unpacked',
      await imported('/pages/import', 'large.zip', zipOfOne(500)),
    ],
    [
      'import_calendar: 60,000 events',
      () => ask('POST', `/calendars/${calendar}/import`, { ics: calendarOf(60_000) }),
    ],
    ['a PDF packed twice', () => read(ask, upload('a.pdf', pdf))],
    ['a sparse workbook', () => read(ask, upload('a.xlsx', workbook))],
    ['a published page that renders slowly', slow],
  ]
  const measured: (string | number)[][] = []
  for (const [name, run] of inputs) {
    const probe = new Probe(server)
    const { status } = await run()
    measured.push([name, status, ...Object.values(await probe.end()).map(Math.round)])
    console.log(measured.at(-1)!.join(' | '))
  }
  return [
    {
      head: [
        'beside',
        'answer',
        'worst /healthz, ms',
        'main thread, ms',
        'peak of the server, MiB',
        'of its readers, MiB',
      ],
      rows: measured,
    },
  ]
}

/** The server may close a kept-alive connection just as it is reused. */
async function again(url: string, init?: RequestInit): Promise<Response> {
  return fetch(url, init).catch(() => fetch(url, init))
}

/** Waits until the text of an uploaded file has been extracted or has failed. */
async function read(ask: Ask, uploaded: ReturnType<Ask>): ReturnType<Ask> {
  const { status, body } = await uploaded
  for (let i = 0; i < 300; i++) {
    const { body: contentBody } = await ask('GET', `/files/${body.file_id}/content`)
    if (!/text is being read/.test(JSON.stringify(contentBody).slice(-500))) break
    await pause(100)
  }
  return { status, body }
}

/** Polls /healthz from a thread of its own and samples the server's processor time and memory. */
class Probe {
  readonly #server: Running
  readonly #worker: Worker
  readonly #begun: number
  readonly #timer: NodeJS.Timeout
  #readers = 0

  constructor(server: Running) {
    this.#server = server
    this.#worker = new Worker(asking, { eval: true, workerData: `${server.url}/healthz` })
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5') // its peak begins anew
    this.#begun = mainThread(server.pid)
    this.#timer = setInterval(
      () => (this.#readers = Math.max(this.#readers, ...childrenOf(server.pid).map(peakOf))),
      50,
    )
  }

  async end() {
    await pause(100)
    clearInterval(this.#timer)
    const worst = await new Promise<number>((go) => {
      this.#worker.once('message', go)
      this.#worker.postMessage('end')
    })
    await this.#worker.terminate()
    return {
      worst,
      main: mainThread(this.#server.pid) - this.#begun,
      peak: peakOf(this.#server.pid),
      readers: this.#readers,
    }
  }
}

const asking = `
const { parentPort, workerData } = require('node:worker_threads')
const { get, Agent } = require('node:http')
const agent = new Agent({ keepAlive: true })
let worst = 0, isOver = false
const once = () => new Promise(go => get(workerData, { agent }, answer => answer.resume().on('end', go)).on('error', go))
parentPort.on('message', () => (isOver = true))
void (async () => {
  while (!isOver) {
    const start = performance.now()
    await once()
    worst = Math.max(worst, performance.now() - start)
    await new Promise(go => setTimeout(go, 5))
  }
  parentPort.postMessage(worst)
})()`

/** Processor time of the main thread so far, in milliseconds. */
function mainThread(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

function peakOf(pid: number): number {
  try {
    return (
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    )
  } catch {
    return 0 // it has ended
  }
}

const [url, key, pid] = process.argv.slice(2)
if (import.meta.main && url && key) await besideHostile({ url, pid: Number(pid) }, key)
