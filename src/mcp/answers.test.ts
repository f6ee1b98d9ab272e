import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { yieldOrCancel } from '../operations/call/progress.ts'
import { modules } from '../modules/index.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'

// Tests official clients of both generations with answers that are long, slow, or contain invisible characters.

const steps = 4
const stepTime = 120
let lastStep = 0
const walk = operation({
  name: 'get_walk',
  kind: 'read',
  rest: 'GET /api/walk',
  about: 'Takes some steps',
  output: z.strictObject({ steps: z.int() }),
  reportsProgress: true,
  handle: async (_, ctx) => {
    for (let i = 0; i < steps; i++) {
      lastStep = i
      ctx.progress(i, steps, `step ${i}\u202e`)
      await new Promise((go) => setTimeout(go, stepTime))
      await yieldOrCancel(ctx)
    }
    ctx.progress(steps, steps)
    return { steps }
  },
})
const oddities: Module = {
  name: 'oddities',
  about: 'For the tests of answers.',
  operations: [walk],
}

let served: ServedWorkspace
let project: { key: string }
before(async () => {
  served = await serveWorkspace({ modules: [...modules, oddities] })
  project = await served.ann.call('create_project', { name: 'Answers', key: 'ANS' })
})
after(() => served.close())

type Notice = { progress: number; total?: number; message?: string }
interface AnyClient {
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options?: any,
  ): Promise<any>
  close(): Promise<void>
}

async function connect(era: string): Promise<AnyClient> {
  const url = new URL(`${served.url}/mcp`)
  const options = { requestInit: { headers: { authorization: `Bearer ${served.bearer}` } } }
  const info = { name: 'tests', version: '1.0' }
  const client =
    era === 'first generation'
      ? new OldClient(info)
      : new Client(info, { versionNegotiation: { mode: era === 'present' ? 'auto' : 'legacy' } })
  await client.connect(
    (era === 'first generation'
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)) as never,
  )
  const old = client as unknown as {
    callTool(params: unknown, schema: undefined, options?: unknown): Promise<unknown>
    close(): Promise<void>
  }
  return era === 'first generation'
    ? {
        callTool: (params, options) => old.callTool(params, undefined, options),
        close: () => old.close(),
      }
    : (client as unknown as AnyClient)
}

const lastCall = (tool: string) =>
  served.app.store.raw.read
    .prepare('SELECT error_code FROM calls WHERE tool = ? ORDER BY at DESC, seq DESC LIMIT 1')
    .get(tool) as { error_code: string | null } | undefined

for (const era of ['present', 'older', 'first generation']) {
  test(`a client of the ${era} protocol receives progress while a call is running`, async () => {
    const client = await connect(era)
    const progressNotices: (Notice & { walked: number })[] = []
    const result = await client.callTool(
      { name: 'get_walk', arguments: {} },
      {
        onprogress: (notice: Notice) => void progressNotices.push({ ...notice, walked: lastStep }),
      },
    )
    assert.deepEqual(result.structuredContent, { steps })
    assert.deepEqual(
      progressNotices.map((item) => item.progress),
      [0, 1, 2, 3],
    )
    assert.deepEqual([progressNotices[0]!.total, progressNotices[0]!.message], [steps, 'step 0'])
    assert.ok(
      progressNotices[0]!.walked < progressNotices[3]!.walked,
      'progress arrives while the call runs, not all at the end',
    )
    await client.close()
  })

  test(`a client of the ${era} protocol receives progress of a write, too`, async () => {
    const client = await connect(era)
    const progressNotices: Notice[] = []
    const tasks = Array.from({ length: 30 }, (_, i) => ({ title: `Task ${i}` }))
    const result = await client.callTool(
      { name: 'bulk_create_tasks', arguments: { project_id: project.key, tasks } },
      { onprogress: (notice: Notice) => void progressNotices.push(notice) },
    )
    assert.equal(result.structuredContent.changed, 30)
    assert.deepEqual(progressNotices[0], { progress: 0, total: 30, message: 'tasks created' })
    assert.ok(
      progressNotices.every(
        (notice, i) => i === 0 || notice.progress > progressNotices[i - 1]!.progress,
      ),
    )
    await client.close()
  })

  test(`a client of the ${era} protocol ends a long read by disconnecting`, async () => {
    const client = await connect(era)
    const controller = new AbortController()
    const before = served.app.store.raw.read
      .prepare("SELECT count(*) AS n FROM calls WHERE tool = 'get_walk'")
      .get() as { n: number }
    await assert.rejects(
      client.callTool(
        { name: 'get_walk', arguments: {} },
        { signal: controller.signal, onprogress: () => controller.abort() },
      ),
    )
    const count = () =>
      (
        served.app.store.raw.read
          .prepare("SELECT count(*) AS n FROM calls WHERE tool = 'get_walk'")
          .get() as { n: number }
      ).n
    while (count() === before.n) await new Promise((go) => setTimeout(go, 10))
    assert.equal(lastCall('get_walk')!.error_code, 'cancelled')
    await client.close()
  })

  test(`a client of the ${era} protocol pages through a list with truncated pages and misses nothing`, async () => {
    const title = (i: number) => `Long ${era} ${String(i).padStart(2, '0')} ${'ü'.repeat(400)}`
    const tasks = Array.from({ length: 100 }, (_, i) => ({ title: title(i) }))
    await served.ann.call('bulk_create_tasks', { project_id: project.key, tasks })
    const client = await connect(era)
    const keys: string[] = []
    let cuts = 0
    for (let cursor: string | undefined, more = true; more; ) {
      const result = await client.callTool({
        name: 'list_tasks',
        arguments: {
          project_id: project.key,
          sort: 'created_at',
          limit: 100,
          ...(cursor ? { cursor } : {}),
        },
      })
      assert.ok(Buffer.byteLength(result.content[0].text) <= 65_536)
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
      if (result.content.length > 1) {
        cuts++
        assert.match(result.content[1].text, /continue with cursor=next_cursor/)
        assert.equal(
          result._meta['workspace/cut'].items.shown,
          result.structuredContent.items.length,
        )
        assert.match(result.structuredContent.truncated.how_to_continue, /next_cursor/)
      }
      keys.push(
        ...result.structuredContent.items
          .map((item: { title: string }) => item.title)
          .filter((name: string) => name.startsWith(`Long ${era} `)),
      )
      ;({ has_more: more, next_cursor: cursor } = result.structuredContent)
    }
    assert.ok(cuts > 0)
    assert.deepEqual(
      [...new Set(keys)].sort(),
      tasks.map((task) => task.title),
    )
    assert.equal(keys.length, 100)
    await client.close()
  })
}

test('a task with an overlong description is truncated inside; REST returns it in full', async () => {
  const description_markdown = `# Plan\n\n${'All work and no play. 😀\n'.repeat(6000)}`
  const longTask = await served.ann.call('create_task', {
    project_id: project.key,
    title: 'Long read',
    description_markdown,
  })
  const client = await connect('present')
  const { structuredContent, content, _meta } = await client.callTool({
    name: 'get_task',
    arguments: { task_id: longTask.key },
  })
  assert.ok(description_markdown.startsWith(structuredContent.description_markdown))
  assert.deepEqual([structuredContent.id, structuredContent.title], [longTask.id, 'Long read'])
  const address = /GET (\S+)/.exec(content[1].text)![1]!
  assert.equal(_meta['workspace/cut'].rest, `GET ${address}`)
  const full = await served.ask('GET', new URL(address).pathname)
  assert.equal(full.json.description_markdown, description_markdown)
  await client.close()
})

test('invisible characters are in the database and in REST, but not in what a model reads', async () => {
  const hidden = 'Pay\u202e now\u200b\u{e0064}\u{e0065}\u0007!'
  const title = 'Pay\u200f now\u200b\u{e0064}\u{e0065}!' // only characters that a one-line name may contain
  const response = await served.ask('POST', '/api/tasks', {
    body: { project_id: project.key, title, description_markdown: `می‌خواهم 👩‍🚀 ${hidden}` },
  })
  assert.equal(response.json.title, title)
  const client = await connect('present')
  const { structuredContent, content } = await client.callTool({
    name: 'get_task',
    arguments: { task_id: response.json.key },
  })
  assert.deepEqual(
    [structuredContent.title, structuredContent.description_markdown],
    ['Pay now!', 'می‌خواهم 👩‍🚀 Pay now!'],
  )
  assert.equal(JSON.parse(content[0].text).title, 'Pay now!')
  const refused = await client.callTool({
    name: 'create_label',
    arguments: { name: 'x', 'co\u202elor': 'red' },
  })
  assert.doesNotMatch(refused.content[0].text, /\u202e/)
  assert.equal((await served.ask('GET', `/api/tasks/${response.json.key}`)).json.title, title)
  await client.close()
})
