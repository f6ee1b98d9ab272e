import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { startServer } from '../../http/server.ts'
import { Queue } from '../../jobs/queue.ts'
import { modules } from '../../modules/index.ts'
import { openApp } from '../../start.ts'
import { dayLong } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

const version = '2026-07-28'
const tasksExtension = 'io.modelcontextprotocol/tasks'
const taskCapabilities = { extensions: { [tasksExtension]: {} } }
const records = 600

let served: ServedWorkspace
let content = ''
let imports = 0
before(async () => {
  served = await serveWorkspace()
})
beforeEach(() => {
  imports++
  const rows = Array.from({ length: records }, (_, n) => `Person ${n},p${n}@i${imports}.example`)
  content = `name,email\n${rows.join('\n')}`
})
after(() => served.close())

interface SendOptions {
  key?: string
  capabilities?: object
  path?: string
  headers?: Record<string, string>
  meta?: object
}

/** Sends a message of the current protocol. */
async function send(method: string, params: Record<string, unknown>, sent: SendOptions = {}) {
  const { key = served.bearer, capabilities = taskCapabilities, path = '/mcp' } = sent
  const name = params.name ?? params.taskId
  const { json, status } = await served.ask('POST', path, {
    key,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...sent.headers,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...sent.meta,
        },
      },
    },
  })
  return { ...json, status }
}

const importCall = (more: object = {}) => ({
  name: 'import_contacts',
  arguments: { content, ...more },
})
const startImport = async (sent: SendOptions = {}) => {
  const answer = await send('tools/call', importCall(), sent)
  assert.ok(answer.result, JSON.stringify(answer))
  return answer.result
}
const get = (taskId: string, sent: SendOptions = {}) => send('tasks/get', { taskId }, sent)
const drain = () => new Queue(served.app).drain()

/** The newest entries of the call log. */
function lastLogged(count: number): unknown[] {
  const newest = served.app.store.raw.read
    .prepare('SELECT tool, status, details_json FROM calls ORDER BY id DESC LIMIT ?')
    .all(count) as { tool: string; status: string; details_json: string }[]
  return newest
    .reverse()
    .map(({ tool, status, details_json }) => [tool, status, JSON.parse(details_json).route])
}

test('a large import is a task for clients with task support, from its start to the result of its job', async () => {
  const started = await startImport()
  const { taskId, createdAt, lastUpdatedAt, _meta, ...rest } = started
  assert.match(taskId, /^job_/)
  assert.deepEqual(rest, {
    resultType: 'task',
    status: 'working',
    ttlMs: 30 * dayLong,
    pollIntervalMs: 2000,
  })
  assert.deepEqual([createdAt, lastUpdatedAt], Array(2).fill('2026-11-20T12:00:00.000Z'))
  assert.match(_meta['workspace/call_id'], /^clg_/)
  assert.equal((await get(taskId)).result.status, 'working')
  await drain()
  const { result } = await get(taskId)
  assert.equal(result.resultType, 'complete')
  assert.equal(result.status, 'completed')
  const job = await served.ann.call('get_job', { job_id: taskId })
  assert.equal(job.result.counts.created, records)
  assert.deepEqual(result.result, {
    content: [{ type: 'text', text: JSON.stringify(job.result) }],
    structuredContent: job.result,
  })
})

test('every tasks/* message is logged as a call of its underlying operation', async () => {
  const { taskId } = await startImport()
  await get(taskId)
  await send('tasks/update', { taskId, inputResponses: {} })
  await send('tasks/cancel', { taskId })
  await get('job_none')
  assert.deepEqual(lastLogged(5), [
    ['import_contacts', 'ok', 'tools/call'],
    ['get_job', 'ok', 'tasks/get'],
    ['get_job', 'ok', 'tasks/update'],
    ['cancel_job', 'ok', 'tasks/cancel'],
    ['get_job', 'error', 'tasks/get'],
  ])
})

test('a client without task support gets the job id, and its tasks/* messages name the missing capability', async () => {
  const { result } = await send('tools/call', importCall(), { capabilities: {} })
  assert.equal(result.resultType, 'complete')
  const { job_id: taskId } = result.structuredContent.job
  for (const [method, params] of [
    ['tasks/get', { taskId }],
    ['tasks/update', { taskId, inputResponses: {} }],
    ['tasks/cancel', { taskId }],
  ] as const) {
    const { error } = await send(method, params, { capabilities: {} })
    assert.equal(error.code, -32021)
    assert.deepEqual(error.data.requiredCapabilities, taskCapabilities)
    assert.deepEqual((lastLogged(1)[0] as unknown[]).slice(1), ['error', method])
  }
  assert.equal((await get(taskId)).result.status, 'working')
})

test('a task exists only for the key that started it', async () => {
  const { taskId } = await startImport()
  const others = [
    served.bearer,
    (await served.keyFor(served.ann)).key,
    (await served.keyFor(served.bob)).key,
    (await served.keyFor(served.eve)).key,
  ]
  for (const [n, key] of others.entries())
    for (const [method, params] of [
      ['tasks/get', {}],
      ['tasks/update', { inputResponses: {} }],
      ['tasks/cancel', {}],
    ] as const) {
      const none = await send(
        method,
        { taskId: 'job_00000000000000000000000000', ...params },
        { key },
      )
      assert.equal(none.error.code, -32602)
      if (n === 0) continue
      assert.deepEqual(await send(method, { taskId, ...params }, { key }), none)
    }
  assert.equal((await get(taskId)).result.status, 'working')
})

test('a key that lost its rights gets nothing from its tasks', async () => {
  const { key, id } = await served.keyFor(served.ann)
  const { taskId } = await startImport({ key })
  assert.equal((await get(taskId, { key })).status, 200)
  served.app.store.raw.write
    .prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
    .run(served.clock.now(), id)
  assert.equal((await get(taskId, { key })).status, 401)
})

test('a waiting task is cancelled at once; cancelling it again changes nothing', async () => {
  const { taskId } = await startImport()
  for (let n = 0; n < 2; n++) {
    const { result } = await send('tasks/cancel', { taskId })
    assert.deepEqual(
      Object.keys(result).filter((field) => field !== '_meta'),
      ['resultType'],
    )
    const { status, result: none } = (await get(taskId)).result
    assert.deepEqual([status, none], ['cancelled', undefined])
  }
  await drain()
  const email = `p0@i${imports}.example`
  assert.equal((await served.ann.refused('get_contact', { contact_id: email })).code, 'not_found')
})

test('jobs not returned by a call are not tasks and cannot be cancelled', async () => {
  const { app, ann, clock } = served
  const key = await served.keyFor(ann)
  const requester = { org_id: ann.actor.org_id, owner_id: ann.id, key_id: key.id }
  const id = await app.store.writer.run(() =>
    app.jobs.add(app.store.write, clock.now(), 'prune_jobs', {}, requester),
  )
  for (const method of ['tasks/get', 'tasks/cancel'])
    assert.equal((await send(method, { taskId: id }, { key: key.key })).error.code, -32602)
  const { status, json } = await served.ask('POST', `/api/jobs/${id}/cancel`, { key: key.key })
  assert.deepEqual([status, json.code], [409, 'conflict'])
})

test('over REST a job can be cancelled by the key that started it, but not by another key of the same person', async () => {
  const { taskId } = await startImport()
  const address = `/api/jobs/${taskId}/cancel`
  const other = (await served.keyFor(served.ann)).key
  assert.equal((await served.ask('POST', address, { key: other })).status, 403)
  const bob = (await served.keyFor(served.bob)).key
  assert.equal((await served.ask('POST', address, { key: bob })).status, 404)
  const { status, json } = await served.ask('POST', address)
  assert.deepEqual([status, json.state], [200, 'cancelled'])
})

test('a permanently failed job is a completed task with an error result', async () => {
  const { taskId } = await startImport()
  served.app.store.raw.write
    .prepare(
      "UPDATE jobs SET state = 'dead', last_error = 'Too bad.', finished_at = ? WHERE id = ?",
    )
    .run(served.clock.now(), taskId)
  const { status, result } = (await get(taskId)).result
  assert.equal(status, 'completed')
  assert.equal(result.isError, true)
  assert.deepEqual(JSON.parse(result.content[0].text), {
    code: 'job_failed',
    message: 'Too bad.',
    job_id: taskId,
  })
})

test('progress is the status message of a working task', async () => {
  const { taskId } = await startImport()
  served.app.store.raw.write
    .prepare('UPDATE jobs SET progress_json = ? WHERE id = ?')
    .run(JSON.stringify({ done: 200, total: 600, message: 'records imported' }), taskId)
  assert.equal((await get(taskId)).result.statusMessage, '200 of 600 records imported')
})

test('the same idempotency key returns the same task, also through call_tool and via the SDK', async () => {
  const call = importCall({ idempotency_key: 'once' })
  const first = (await send('tools/call', call)).result
  const again = (await send('tools/call', call)).result
  assert.deepEqual([again.resultType, again.taskId], ['task', first.taskId])
  const { content: _, ...bySdk } = (await send('tools/call', call, { meta: { progressToken: 1 } }))
    .result
  assert.deepEqual([bySdk.resultType, bySdk.taskId, _], ['task', first.taskId, undefined])
  const compact = {
    name: 'call_tool',
    arguments: { tool_name: 'import_contacts', kind: 'write', arguments: call.arguments },
  }
  const { result } = await send('tools/call', compact, { path: '/mcp?preset=compact' })
  assert.equal(result.taskId, first.taskId)
})

test('a small import and a dry run are answered immediately', async () => {
  const small = { content: `name,email\nSmall,small@i${imports}.example` }
  assert.equal((await send('tools/call', importCall(small))).result.resultType, 'complete')
  const dry = (await send('tools/call', importCall({ dry_run: true }))).result
  assert.deepEqual([dry.resultType, dry.structuredContent.dry_run], ['complete', true])
})

test('with output schemas the result of a job is text, since it does not match the schema of the tool', async () => {
  const path = '/mcp?output_schemas=1'
  const { taskId } = await startImport({ path })
  await drain()
  const { result } = (await get(taskId, { path })).result
  assert.equal(result.structuredContent, undefined)
  assert.equal(JSON.parse(result.content[0].text).counts.created, records)
})

test('an invalid message is refused with a reason: missing or non-text id, missing responses, another name in the header', async () => {
  const { taskId } = await startImport()
  for (const [method, params, words] of [
    ['tasks/get', {}, /taskId/],
    ['tasks/get', { taskId: 5 }, /taskId/],
    ['tasks/cancel', { taskId: null }, /taskId/],
    ['tasks/update', { taskId }, /inputResponses/],
    ['tasks/get', { taskId: 'x'.repeat(5000) }, /not found/],
    ['tasks/get', { taskId: `${taskId}' OR 1=1` }, /not found/],
  ] as const) {
    const { error } = await send(method, params, { headers: { 'mcp-method': method } })
    assert.equal(error.code, -32602, JSON.stringify(error))
    assert.match(error.message, words)
  }
  const mismatch = await get(taskId, { headers: { 'mcp-name': 'job_other' } })
  assert.deepEqual([mismatch.status, mismatch.error.code], [400, -32020])
  for (const method of ['tasks/list', 'tasks/result'])
    assert.equal((await send(method, { taskId })).error.code, -32601)
})

const anyResult = z.looseObject({})

async function connect(mode: 'auto' | 'legacy', capabilities: object) {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode }, capabilities },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${served.bearer}` } },
    }),
  )
  return client
}

test('the official client polls and cancels a task in the current protocol', async (t) => {
  const client = await connect('auto', taskCapabilities)
  t.after(() => client.close())
  assert.deepEqual(client.getServerCapabilities()?.extensions?.[tasksExtension], {})
  const { taskId } = await startImport()
  const ask = (method: string) => client.request({ method, params: { taskId } }, anyResult)
  assert.equal((await ask('tasks/get')).status, 'working')
  await ask('tasks/cancel')
  assert.equal((await ask('tasks/get')).status, 'cancelled')
})

test('earlier protocols have no such tasks: they are not offered, the call answers immediately, and tasks/* is an unknown method', async (t) => {
  const client = await connect('legacy', taskCapabilities)
  t.after(() => client.close())
  const offered = client.getServerCapabilities()
  assert.deepEqual([offered?.extensions?.[tasksExtension], offered?.tasks], [undefined, undefined])
  const answer = await client.callTool(importCall())
  const { job_id: taskId } = (answer.structuredContent as { job: { job_id: string } }).job
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/result', 'tasks/list'])
    await assert.rejects(client.request({ method, params: { taskId } }, anyResult), {
      code: -32601,
    })
  assert.deepEqual(lastLogged(1), [['unknown', 'error', 'unknown method']])
})

test('exactly the operations that can return a job handle declare the kind of job that they start', () => {
  const { catalogue, jobs } = served.app
  const jobStarters = catalogue.routes.filter(
    ({ operation }) => 'job' in ((operation.output as z.ZodObject).shape ?? {}),
  )
  assert.deepEqual(jobStarters.map(({ operation }) => operation.name).sort(), [
    'import_calendar',
    'import_channels',
    'import_contacts',
    'import_tasks',
  ])
  assert.deepEqual(
    catalogue.routes.filter(({ operation }) => operation.startsJob !== undefined),
    jobStarters,
  )
  for (const kind of catalogue.startedJobs) assert.ok(jobs.kinds.has(kind), kind)
})

test('tasks survive a restart of the server', async (t) => {
  const first = await serveWorkspace()
  t.after(() => first.close())
  const other = served
  served = first
  const { taskId } = await startImport()
  await first.server.close()
  const { settings, clock, log } = first.app
  const app = await openApp({ settings, clock, modules, log })
  const server = await startServer(app, { host: '127.0.0.1', port: 0 })
  t.after(async () => {
    served = other
    await server.close()
    await app.store.close()
  })
  await new Queue(app).drain()
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${first.bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tasks/get',
      'mcp-name': taskId,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks/get',
      params: {
        taskId,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': taskCapabilities,
        },
      },
    }),
  })
  const { result } = (await response.json()) as { result: { status: string } }
  assert.equal(result.status, 'completed')
})
