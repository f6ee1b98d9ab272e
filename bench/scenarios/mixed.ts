import { Agent, request, type ClientRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf, fire, lasting, percentile, rssOf, type Shot } from './load.ts'
import { officeOf } from './modules.ts'
import type { Office } from '../dataset.ts'
import type { Table } from '../report.ts'
import { settled, type Bench, type Running } from '../server.ts'
import { mcpShot, restShot } from '../requests.ts'
import type { Sizes } from '../sizes.ts'

const callers = 16
/** Number of memory samples during the load. */
const looks = 4

type Call = readonly [
  tool: string,
  args: (i: number, idOf: (kind: string) => string) => Record<string, unknown>,
]

const reads: readonly Call[] = [
  ['get_me', () => ({})],
  ['list_tasks', () => ({ assignee: 'me', limit: 25 })],
  [
    'list_tasks',
    (i) => ({ project_id: `PR${2 * (i % 10)}`, status_category: ['todo'], limit: 25 }),
  ],
  ['get_task', (_, idOf) => ({ task_id: idOf('task') })],
  ['list_unread_messages', () => ({})],
  ['list_messages', (_, idOf) => ({ channel_id: idOf('channel') })],
  ['get_page', (_, idOf) => ({ page_id: idOf('page') })],
  ['list_emails', () => ({ unread: true })],
  ['get_contact', (_, idOf) => ({ contact_id: idOf('contact') })],
  ['list_notifications', () => ({})],
  ['get_my_agenda', () => ({})],
  ['search_workspace', (i) => ({ query: ['budget', 'release', 'contract', 'server'][i % 4] })],
]

const writes: readonly Call[] = [
  ['create_task', (i) => ({ project_id: 'PR0', title: `Mixed task ${i}` })],
  ['update_task', (i, idOf) => ({ task_id: idOf('task'), priority: i % 2 === 0 ? 'high' : 'low' })],
  [
    'add_task_comment',
    (i, idOf) => ({ task_id: idOf('task'), body_markdown: `Mixed comment ${i}` }),
  ],
  [
    'send_message',
    (i, idOf) => ({ channel_id: idOf('channel'), body_markdown: `Mixed message ${i}` }),
  ],
  ['create_page', (i) => ({ title: `Mixed page ${i}`, body_markdown: 'What came of it.' })],
  [
    'log_interaction',
    (i, idOf) => ({
      kind: 'call',
      contact_ids: [idOf('contact')],
      summary_markdown: `Mixed call ${i}`,
    }),
  ],
]

interface Mixed {
  took: Record<string, number[]>
  errors: string[]
  /** Server processor time per call, in microseconds. */
  cpu_us: number
  rate: number
  /** Resident memory at the start, at each sample, and after a while without calls; MiB. */
  rss: number[]
  /** Events delivered to streams. */
  delivered: number
}

/** Four reads per write, half over REST and half over MCP; with and without open event streams. */
export async function mixed(bench: Bench, sizes: Sizes): Promise<{ of: string; tables: Table[] }> {
  const office = await officeOf(bench, sizes)
  const alone = await run(bench, office, sizes, 0)
  const watched = await run(bench, office, sizes, office.people.length)
  const all = ({ took }: Mixed) => Object.values(took).flat()
  const streams = `${office.people.length} streams`
  const both = [
    ['no streams', alone],
    [streams, watched],
  ] as const
  const failed = both.flatMap(([, { errors }]) => errors)
  if (failed.length > 0) console.log(`First error: ${failed[0]}`)
  const seconds = [
    ...Array.from({ length: looks }, (_, i) => `${Math.round((sizes.mixed / looks) * (i + 1))} s`),
  ]
  return {
    of: `${callers} callers for ${sizes.mixed} s, 80 % reads, half over REST and half over MCP`,
    tables: [
      {
        head: [
          'mixed load',
          'calls',
          'errors',
          'calls/s',
          'p50 ms',
          'p99 ms',
          'CPU µs a call',
          'events told',
        ],
        rows: both.map(([name, run]) => [
          name,
          all(run).length,
          run.errors.length,
          run.rate,
          percentile(all(run), 0.5),
          percentile(all(run), 0.99),
          run.cpu_us,
          run.delivered,
        ]),
      },
      {
        head: ['of that, without streams', 'calls', 'p50 ms', 'p99 ms'],
        rows: Object.entries(alone.took).map(([name, took]) => [
          name,
          took.length,
          percentile(took, 0.5),
          percentile(took, 0.99),
        ]),
      },
      {
        head: ['RSS, MiB', 'before', ...seconds, `after ${sizes.idle} s idle`],
        rows: both.map(([name, { rss }]) => [name, ...rss]),
      },
    ],
  }
}

async function run(bench: Bench, office: Office, sizes: Sizes, streams: number): Promise<Mixed> {
  const server = await bench.serve(bench.dir('office'))
  await settled(server)
  const open = await Promise.all(
    office.people.slice(0, streams).map((email) => Stream.open(server, email, office.password)),
  )
  const result = await loaded(server, office, sizes)
  await pause(sizes.idle * 1000)
  result.rss.push(rssOf(server.pid))
  result.delivered = open.reduce((sum, stream) => sum + stream.delivered, 0)
  for (const stream of open) stream.close()
  await bench.stop(server)
  return result
}

async function loaded(
  { url, pid }: Running,
  { key, ids }: Office,
  { mixed: seconds }: Sizes,
): Promise<Mixed> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const took: Record<string, number[]> = {
    'REST read': [],
    'REST write': [],
    'MCP read': [],
    'MCP write': [],
  }
  const errors: string[] = []
  const rss = [rssOf(pid)]
  let count = 0
  const next = (): { kind: string; shot: Shot } => {
    const i = count++
    const isWrite = i % 5 === 4
    const overMcp = Math.floor(i / 5) % 2 === 1
    const turn = Math.floor(i / 10) * (isWrite ? 1 : 4) + (isWrite ? 0 : i % 5)
    const [tool, args] = isWrite ? writes[turn % writes.length]! : reads[turn % reads.length]!
    const callArgs = args(i, (kind) => ids[kind]![(i * 7) % ids[kind]!.length]!)
    return {
      kind: `${overMcp ? 'MCP' : 'REST'} ${isWrite ? 'write' : 'read'}`,
      shot: overMcp ? mcpShot(key, tool, callArgs) : restShot(key, tool, callArgs),
    }
  }
  const goesOn = lasting(seconds * 1000)
  const lane = async () => {
    while (goesOn()) {
      const { kind, shot } = next()
      const at = performance.now()
      try {
        const text = await fire(url, shot, agent)
        if (text.includes('"isError":true')) errors.push(text.slice(0, 500))
      } catch (error) {
        errors.push((error as Error).message)
      }
      took[kind]!.push(performance.now() - at)
    }
  }
  const look = async () => {
    for (let i = 0; i < looks; i++) {
      await pause((seconds * 1000) / looks)
      rss.push(rssOf(pid))
    }
  }
  const startedAt = performance.now()
  const cpu = cpuOf(pid)
  await Promise.all([look(), ...Array.from({ length: callers }, lane)])
  const calls = Object.values(took).flat().length
  agent.destroy()
  return {
    took,
    errors,
    cpu_us: ((cpuOf(pid) - cpu) * 1e6) / calls,
    rate: (calls / (performance.now() - startedAt)) * 1000,
    rss,
    delivered: 0,
  }
}

/** The browser of a signed-in person with an open event stream. */
class Stream {
  delivered = 0
  readonly #request: ClientRequest

  private constructor(sent: ClientRequest) {
    this.#request = sent
  }

  static async open({ url }: Running, email: string, password: string): Promise<Stream> {
    const answer = await fetch(`${url}/web/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password }),
    })
    if (!answer.ok) throw new Error(`${email} was not signed in: ${await answer.text()}`)
    const cookie = answer.headers
      .getSetCookie()
      .map((name) => name.split(';')[0])
      .join('; ')
    const sent = request(`${url}/web/events`, { headers: { cookie, accept: 'text/event-stream' } })
    const stream = new Stream(sent)
    await new Promise<void>((ready, fail) => {
      sent.once('error', fail)
      sent.once('response', (response) => {
        if (response.statusCode !== 200) fail(new Error(`GET /web/events: ${response.statusCode}`))
        response.on(
          'data',
          (part: Buffer) => (stream.delivered += part.toString().split('\nevent: ').length - 1),
        )
        response.on('error', () => {}) // closed by us
        ready()
      })
      sent.end()
    })
    return stream
  }

  close(): void {
    this.#request.destroy()
  }
}
