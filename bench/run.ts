// `npm run bench`: builds the server, and measures it beside a floor in the same run. Ratios hold on a busy machine; absolute
// figures do not.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chatShots, seedChat } from './chat.ts'
import { fire, load, rssOf, type Figures, type Shot } from './load.ts'
import { seed } from './seed.ts'

const root = new URL('..', import.meta.url).pathname
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const requests = Number(process.env.BENCH_REQUESTS ?? 1500)
const scratch = mkdtempSync(join(tmpdir(), 'workspace-bench-'))
const children: ChildProcess[] = []
const logFile = join(scratch, 'log') // what the servers say on standard error, which would stand in the middle of the table
const log = openSync(logFile, 'a')

interface Running {
  url: string
  pid: number
}

/** The limits are looked at, and never reached. */
const thresholds = Object.fromEntries(
  ['RATE_KEY', 'RATE_BURST', 'RATE_CONCURRENT', 'RATE_ORGANIZATION', 'RATE_ADDRESS', 'ABUSE_LOOP', 'ABUSE_MASS_READ', 'ABUSE_MASS_READ_MEGABYTES'].map(name => [`WORKSPACE_${name}`, '1000000000']),
)

/** Starts a program and waits for its line of JSON with a url. */
async function start(args: string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', log], env: { ...thresholds, ...process.env } })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /"url":\s*"([^"]+)"/.exec(line)?.[1]
    if (url) return { url, pid: child.pid! }
  }
  throw new Error(`${args.join(' ')} ended before it listened:\n${readFileSync(logFile, 'utf8')}`)
}

function serve(dataDir: string): Promise<Running> {
  return start(['bin/workspace', 'serve', '--data', dataDir, '--port', '0', '--json'])
}

interface Rung {
  name: string
  connections: number
  ours: Shot
  floor: Shot
  goal: number
}

interface Result extends Rung {
  us: Figures
  them: Figures
  /** Median over the rounds of our processor time a request divided by the floor's. */
  ratio: number
}

async function measure(rung: Rung, ours: Running, floor: Running): Promise<Result> {
  const runs: { us: Figures; them: Figures }[] = []
  await load(ours.url, ours.pid, rung.ours, rung.connections, 300)
  await load(floor.url, floor.pid, rung.floor, rung.connections, 300)
  for (let i = 0; i < rounds; i++) {
    const them = await load(floor.url, floor.pid, rung.floor, rung.connections, requests)
    const us = await load(ours.url, ours.pid, rung.ours, rung.connections, requests)
    runs.push({ us, them })
  }
  const us = middle(runs.map(run => run.us))
  const them = middle(runs.map(run => run.them))
  return { ...rung, us, them, ratio: median(runs.map(run => run.us.cpu_us / run.them.cpu_us)) }
}

function middle(all: Figures[]): Figures {
  const of = (name: keyof Figures) => median(all.map(one => one[name]))
  return { rps: of('rps'), p50_ms: of('p50_ms'), p99_ms: of('p99_ms'), cpu_us: of('cpu_us') }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

function shots(key: string) {
  const auth = { authorization: `Bearer ${key}` }
  const json = { ...auth, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const mcp = (method: string, params: object, more: Record<string, string> = {}): Shot => ({
    method: 'POST',
    path: '/mcp',
    headers: { ...json, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...more },
    body: () => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } } }),
  })
  let made = 0
  const task = () => ({ project_id: 'BEN3', title: `Made by the benchmark ${made++}` })
  const filter = { project_id: 'BEN0', status_category: ['todo'], limit: 20 }
  return {
    list: { method: 'GET', path: '/api/tasks?project_id=BEN0&status_category=todo&limit=20', headers: auth },
    create: { method: 'POST', path: '/api/tasks', headers: json, body: () => JSON.stringify(task()) },
    tools: mcp('tools/list', {}),
    callList: mcp('tools/call', { name: 'list_tasks', arguments: filter }, { 'mcp-name': 'list_tasks' }),
    callCreate: { ...mcp('tools/call', {}, { 'mcp-name': 'create_task' }), body: () => mcp('tools/call', { name: 'create_task', arguments: task() }).body!() },
  } satisfies Record<string, Shot>
}

function floorShots() {
  const auth = { authorization: 'Bearer svc_floor' }
  let made = 0
  return {
    list: { method: 'GET', path: '/list', headers: auth },
    create: { method: 'POST', path: '/create', headers: { ...auth, 'content-type': 'application/json' }, body: () => JSON.stringify({ project_id: 'BEN3', title: `Made by the benchmark ${made++}` }) },
    bytes: { method: 'GET', path: '/bytes', headers: auth },
  } satisfies Record<string, Shot>
}

/** Milliseconds from the start of the process to its first answer with data, median of nine. */
async function coldStart(dataDir: string, key: string): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < 10; i++) {
    const at = performance.now()
    const server = await serve(dataDir)
    await fire(server.url, shots(key).list)
    took.push(performance.now() - at)
    await stop(server.pid)
  }
  return median(took.slice(1)) // the first one after a build compiles it
}

async function stop(pid: number): Promise<void> {
  const child = children.find(one => one.pid === pid)!
  const ended = new Promise(go => child.once('exit', go))
  child.kill('SIGTERM')
  await ended
}

async function pageLatency(tasks: number): Promise<number> {
  const dataDir = join(scratch, `size-${tasks}`)
  const key = await seed(dataDir, tasks)
  const server = await serve(dataDir)
  const shot = { ...shots(key).list, path: '/api/tasks?limit=25' }
  await load(server.url, server.pid, shot, 1, 200)
  const figures = await load(server.url, server.pid, shot, 1, 500)
  await stop(server.pid)
  return figures.cpu_us
}

/** The server's time for reads of a workspace with many messages, by name, in milliseconds. */
async function chatTimes(messages: number): Promise<[name: string, milliseconds: number, slowest: number][]> {
  const dataDir = join(scratch, 'chat')
  const key = await seedChat(dataDir, messages)
  const server = await serve(dataDir)
  const times: [string, number, number][] = []
  for (const [name, shot] of Object.entries(chatShots(key))) {
    await load(server.url, server.pid, shot, 1, 20)
    const { cpu_us, p99_ms } = await load(server.url, server.pid, shot, 1, 200)
    times.push([name, cpu_us / 1000, p99_ms])
  }
  await stop(server.pid)
  return times
}

/** What the whole surface costs, on the same database once the other server has left it. */
async function wholeCatalogue(dataDir: string, key: string, before: number): Promise<{ lists: number; kilobytes: number; ratio: number }> {
  await stop(before)
  const server = await start(['bench/padded.ts', dataDir, '339'])
  const own = shots(key)
  const kilobytes = (await fire(server.url, own.tools)).length / 1000
  const runs: { lists: number; ratio: number }[] = []
  await load(server.url, server.pid, own.list, 16, 300)
  await load(server.url, server.pid, own.callList, 16, 300)
  for (let i = 0; i < rounds; i++) {
    const { rps: lists } = await load(server.url, server.pid, own.tools, 16, requests)
    const rest = await load(server.url, server.pid, own.list, 16, requests)
    const call = await load(server.url, server.pid, own.callList, 16, requests)
    runs.push({ lists, ratio: call.cpu_us / rest.cpu_us })
  }
  await stop(server.pid)
  return { lists: median(runs.map(run => run.lists)), kilobytes, ratio: median(runs.map(run => run.ratio)) }
}

/** Heap of 500 MCP sessions that idle, MB. */
async function idleSessions(): Promise<number> {
  const dataDir = join(scratch, 'sessions')
  const key = await seed(dataDir, 5)
  const said = execFileSync(process.execPath, ['--expose-gc', 'bench/sessions.ts', dataDir, key, '500'], { cwd: root, encoding: 'utf8' })
  return (JSON.parse(said) as { megabytes: number }).megabytes
}

interface PageFigure {
  work: string
  ms: number
  goal: string
}

/** What operations on one long page, and on a tree of 10,000, take of the server. */
function pageFigures(): PageFigure[] {
  return JSON.parse(execFileSync(process.execPath, ['bench/pages.ts', join(scratch, 'pages')], { cwd: root, encoding: 'utf8' })) as PageFigure[]
}

interface MailFigure {
  work: string
  value: number
  unit: string
  goal: string
}

/** What the first sync of a mailbox takes; nothing where the machine has no mail server. */
function mailFigures(): MailFigure[] {
  return JSON.parse(execFileSync(process.execPath, ['bench/mail.ts', process.env.BENCH_MAILS ?? '10000'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', log] })) as MailFigure[]
}

function row(cells: (string | number)[]): string {
  return `| ${cells.map(cell => (typeof cell === 'number' ? shown(cell) : cell)).join(' | ')} |`
}

function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2)
}

/** bin/workspace runs the build only as long as the sources are those that it was made from. */
async function isBuilt(): Promise<boolean> {
  const stamp = (await import(new URL('../tools/stamp.mjs', import.meta.url).href)) as { isBuilt: () => boolean }
  return stamp.isBuilt()
}

async function main(): Promise<void> {
  if (!(await isBuilt())) execFileSync(process.execPath, ['tools/build.mjs'], { cwd: root, stdio: 'inherit' })
  const dataDir = join(scratch, 'data')
  const key = await seed(dataDir, 10_000)
  const cold = await coldStart(dataDir, key)
  const ours = await serve(dataDir)
  await fire(ours.url, { method: 'GET', path: '/healthz', headers: {} })
  await new Promise(go => setTimeout(go, 2000))
  const idle = rssOf(ours.pid)
  const own = shots(key)
  const listed = (await fire(ours.url, own.tools)).length
  const floor = await start(['bench/floor.ts', join(scratch, 'floor.db'), String(listed)])
  const base = floorShots()
  const rungs: Rung[] = [
    { name: 'REST list of 20 filtered', connections: 1, ours: own.list, floor: base.list, goal: 2.5 },
    { name: 'REST list of 20 filtered', connections: 16, ours: own.list, floor: base.list, goal: 2.5 },
    { name: 'REST create', connections: 1, ours: own.create, floor: base.create, goal: 3 },
    { name: 'REST create', connections: 16, ours: own.create, floor: base.create, goal: 3 },
    { name: 'MCP tools/list', connections: 16, ours: own.tools, floor: base.bytes, goal: 3.5 },
    { name: 'MCP tools/call list_tasks', connections: 1, ours: own.callList, floor: base.list, goal: 5 },
    { name: 'MCP tools/call list_tasks', connections: 16, ours: own.callList, floor: base.list, goal: 5 },
    { name: 'MCP tools/call create_task', connections: 1, ours: own.callCreate, floor: base.create, goal: 5 },
    { name: 'MCP tools/call create_task', connections: 16, ours: own.callCreate, floor: base.create, goal: 5 },
  ]
  console.log(`${cpus()[0]!.model}, ${cpus().length} processors; Node ${process.version}; 10,000 tasks; ${rounds} rounds of ${requests} requests; ${new Date().toISOString().slice(0, 10)}\n`)
  console.log(row(['work', 'callers', 'rps', 'p50 ms', 'p99 ms', 'CPU µs', 'floor rps', 'floor CPU µs', 'CPU ratio', 'goal']))
  console.log(row(Array.from({ length: 10 }, () => '---')))
  const results: Result[] = []
  for (const rung of rungs) {
    const result = await measure(rung, ours, floor)
    results.push(result)
    const { us, them, ratio } = result
    console.log(row([rung.name, String(rung.connections), us.rps, us.p50_ms, us.p99_ms, us.cpu_us, them.rps, them.cpu_us, ratio, `≤ ${rung.goal}`]))
  }
  const loaded = rssOf(ours.pid)
  const whole = await wholeCatalogue(dataDir, key, ours.pid)
  const sessions = await idleSessions()
  const creates = results.filter(result => result.name === 'REST create')
  const small = await pageLatency(1_000)
  const large = await pageLatency(Number(process.env.BENCH_LARGE ?? 100_000))
  const messages = Number(process.env.BENCH_MESSAGES ?? 100_000)
  const chat = await chatTimes(messages)
  console.log('')
  console.log(row(['whole', 'figure', 'goal']))
  console.log(row(['---', '---', '---']))
  console.log(row(['create, 16 callers : 1 caller, rate', creates[1]!.us.rps / creates[0]!.us.rps, '≥ 4']))
  console.log(row(['cold start to first answer, ms', cold, '< 400']))
  console.log(row(['idle RSS, MiB', idle, '< 120']))
  console.log(row(['RSS after the load, MiB', loaded, '']))
  console.log(row(['tools/list, KB', listed / 1000, '']))
  console.log(row(['339 tools: tools/list, 16 callers, a second', whole.lists, '≥ 500']))
  console.log(row(['339 tools: tools/list, KB', whole.kilobytes, '']))
  console.log(row(['339 tools: tools/call list_tasks : the same over REST, CPU', whole.ratio, '≤ 1.5']))
  console.log(row(['500 idle MCP sessions, MB of heap', sessions, '< 10']))
  console.log(row(['page of 25 with 100,000 tasks : with 1,000, CPU', large / small, '≤ 1.5']))
  console.log('')
  console.log(row([`chat, ${messages} messages`, 'server ms', 'p99 ms', 'goal']))
  console.log(row(Array.from({ length: 4 }, () => '---')))
  for (const [name, milliseconds, slowest] of chat) console.log(row([name, milliseconds, slowest, '< 20']))
  console.log('')
  console.log(row(['pages', 'ms', 'goal']))
  console.log(row(['---', '---', '---']))
  for (const { work, ms, goal } of pageFigures()) console.log(row([work, ms, goal]))
  const mail = mailFigures()
  if (mail.length > 0) {
    console.log('')
    console.log(row(['mail', 'figure', 'unit', 'goal']))
    console.log(row(Array.from({ length: 4 }, () => '---')))
    for (const { work, value, unit, goal } of mail) console.log(row([work, value, unit, goal]))
  }
  if (!(await isBuilt())) console.log('\nThe sources were edited meanwhile: some of this was measured from them, not from the build.')
}

try {
  await main()
} finally {
  for (const child of children) child.kill('SIGTERM')
  rmSync(scratch, { recursive: true, force: true })
}
