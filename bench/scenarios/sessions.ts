// Measures the cost of idle MCP sessions: the heap of one process, before and after opening them. Arguments: data
// directory, key, number of sessions.
// Prints one line of JSON. Run with --expose-gc.
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/kernel/time/clock.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openApp } from '../../src/start.ts'
import { makeFetch } from '../../src/http/server.ts'
import { modules } from '../../src/modules/index.ts'

const [dataDir, key, count] = process.argv.slice(2) as [string, string, string]
const silent = { info() {}, warn() {}, error: console.error }
const settings = {
  ...readSettings({}, {}),
  data: dataDir,
  mcp_sessions_per_key: 100_000,
  limits: false,
}
const app = await openApp({ settings, clock: systemClock, modules, log: silent })
app.baseUrl = 'http://localhost'
const fetchApp = makeFetch(app)

async function send(body: object, more: Record<string, string> = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...more,
  }
  const response = await fetchApp(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    }),
  )
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response
}

/** Opens a session and makes a client's usual first calls. */
async function begin(): Promise<void> {
  const clientInfo = { name: 'benchmark', version: '1' }
  const initialized = await send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  const session = {
    'mcp-session-id': initialized.headers.get('mcp-session-id')!,
    'mcp-protocol-version': '2025-11-25',
  }
  await initialized.text()
  await send({ method: 'notifications/initialized' }, session)
  await (await send({ id: 1, method: 'ping' }, session)).text()
  await (
    await send({ id: 2, method: 'tools/call', params: { name: 'get_me', arguments: {} } }, session)
  ).text()
}

async function heap(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await pause(50)
    global.gc!()
  }
  return process.memoryUsage().heapUsed
}

for (let i = 0; i < 50; i++) await begin()
const before = await heap()
for (let i = 0; i < Number(count); i++) await begin()
console.log(JSON.stringify({ sessions: Number(count), megabytes: ((await heap()) - before) / 1e6 }))
process.exit(0)
