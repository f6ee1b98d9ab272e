import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer } from '../src/http/server.ts'
import { issueKey } from '../src/keys/issue.ts'
import type { Entry } from '../src/operations/entry.ts'
import type { JsonSchema } from '../src/operations/schemas.ts'
import { oddBodies, oddValues } from '../src/testing/blackbox/hostile.ts'
import { inLanes, rpcOf } from '../src/testing/blackbox/requests.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'

// Every input to every operation over both transports gets a structured response, never a 5xx or a reset.

let workspace: TestWorkspace
let server: Awaited<ReturnType<typeof startServer>>
let key: string

before(async () => {
  workspace = await makeWorkspace()
  key = (
    await issueKey(workspace.app.store, workspace.clock, {
      owner: workspace.ann.id,
      name: 'malformed',
      via: 'cli',
    })
  ).key
  server = await startServer(workspace.app, { host: '127.0.0.1', port: 0 })
})
after(async () => {
  await server.close()
  await workspace.close()
})

const huge = JSON.stringify({ title: 'x'.repeat(10 * 2 ** 20) })
/**
 * Each argument gets a part of the odd values over each transport, and neighbouring arguments get different parts, so
 * that together all are covered. The transport makes no difference to the schema that refuses a value.
 * blackbox/malformed.long.test.ts mixes them.
 */
const oneIn = 24
const transports = ['REST', 'MCP'] as const

test('every operation refuses unusual values of every argument over REST with a structured error', async () => {
  const sent = await each('REST', async (entry, name, value) => {
    await structured(
      await rest(entry, name, value),
      `${entry.operation.name} ${name} = ${shorten(value)}`,
    )
  })
  assert.ok(sent > 2500, `only ${sent} requests were made`)
})

test('every operation refuses unusual values of every argument over MCP with a structured error', async () => {
  const sent = await each('MCP', async (entry, name, value) => {
    const answer = await mcp(entry.operation.name, { [name]: value })
    const about = `${entry.operation.name} ${name} = ${shorten(value)}`
    assert.ok(answer.status < 500, `${about}: ${answer.status}`)
    const { result, error } = rpcOf(await read(answer)) as {
      result?: { isError?: boolean; structuredContent?: { code?: string } }
      error?: { code: number }
    }
    assert.ok(result || error, about)
    if (result?.isError) assert.notEqual(result.structuredContent?.code, 'internal', about)
  })
  assert.ok(sent > 2500, `only ${sent} requests were made`)
})

test('every operation with a body refuses malformed bodies', async () => {
  const taking = workspace.app.catalogue.entries.filter(
    (entry) => entry.method !== 'GET' && entry.method !== 'DELETE',
  )
  const all = taking.flatMap((entry, i) =>
    oddBodies.filter((_, j) => (i + j) % 3 === 0).map((body) => ({ entry, body })),
  ) // the bodies are read in one place for all operations
  await inLanes(all, lanes, async ({ entry, body }) =>
    structured(
      await send(entry, pathOf(entry, 'x'), body),
      `${entry.operation.name} ${body.slice(0, 40)}`,
    ),
  )
})

test('a body of ten megabytes is refused as too large, and the next request is served', async () => {
  const create = workspace.app.catalogue.requireEntry('create_label')
  const answer = await send(create, pathOf(create, 'x'), huge)
  assert.equal(answer.status, 413)
  assert.equal(((await answer.json()) as { code: string }).code, 'too_large')
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
})

test('bytes that are not UTF-8 are refused', async () => {
  const create = workspace.app.catalogue.requireEntry('create_label')
  const answer = await fetch(server.url + pathOf(create, 'x'), {
    method: 'POST',
    headers: headers(),
    body: Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  })
  assert.equal(answer.status, 400)
  await structured(answer, 'invalid UTF-8')
})

const lanes = 16

/** Tries odd values for every argument of every operation, concurrently; returns their number. */
async function each(
  transport: (typeof transports)[number],
  attempt: (entry: Entry, name: string, value: unknown) => Promise<void>,
): Promise<number> {
  const first = transports.indexOf(transport) * (oneIn / transports.length)
  const args = workspace.app.catalogue.entries.flatMap((entry) =>
    [
      ...Object.keys((entry.schemas.inputJson.properties ?? {}) as JsonSchema),
      'no_such_argument',
    ].map((name) => ({ entry, name })),
  )
  const all = args.flatMap((arg, i) =>
    oddValues.filter((_, j) => (i + j + first) % oneIn === 0).map((value) => ({ ...arg, value })),
  )
  await inLanes(all, lanes, ({ entry, name, value }) => attempt(entry, name, value))
  return all.length
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}

function pathOf(entry: Entry, value: unknown, name?: string): string {
  return entry.path.replace(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(part === name ? text(value) : 'x'),
  )
}

function text(value: unknown): string {
  const plain = typeof value === 'string' ? value : JSON.stringify(value)
  return plain.toWellFormed() || 'x'
}

function rest(entry: Entry, name: string, value: unknown): Promise<Response> {
  const inPath = entry.schemas.path.includes(name)
  const path = pathOf(entry, value, name)
  if (entry.method === 'GET' || entry.method === 'DELETE')
    return send(entry, inPath ? path : `${path}?${name}=${encodeURIComponent(text(value))}`)
  return send(entry, path, JSON.stringify(inPath ? {} : { [name]: value }))
}

function send(entry: Entry, path: string, body?: string): Promise<Response> {
  return fetch(server.url + path, {
    method: entry.method,
    headers: headers(),
    ...(body === undefined ? {} : { body }),
  })
}

function mcp(name: string, args: Record<string, unknown>): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers(),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta },
    }),
  })
}

/** The body of a response: for a long call, an event stream. */
async function read(answer: Response): Promise<{ json: unknown; text: string }> {
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { json: isJson ? JSON.parse(text) : undefined, text }
}

async function structured(answer: Response, about: string): Promise<void> {
  const body = await answer.text()
  assert.ok(answer.status < 500, `${about}: ${answer.status} ${body.slice(0, 300)}`)
  if (answer.status < 400) return
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, about)
  const problem = JSON.parse(body) as {
    code: string
    message: string
    status: number
    request_id: string
  }
  assert.equal(problem.status, answer.status, about)
  assert.ok(
    problem.code && problem.message && problem.request_id,
    `${about}: ${body.slice(0, 300)}`,
  )
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 60)
}
