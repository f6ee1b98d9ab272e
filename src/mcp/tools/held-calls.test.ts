import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { modules } from '../../modules/index.ts'
import type { Module } from '../../operations/module.ts'
import { operation } from '../../operations/operation.ts'
import { waitForDecision } from '../../operations/approvals/decisions.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { dayLong } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

const version = '2026-07-28'
const pageCapabilities = { elicitation: { url: {} } }

const sent: string[] = []
const letters: Module = {
  name: 'letters',
  about: 'Sends letters.',
  operations: [
    operation({
      name: 'send_letter',
      kind: 'write',
      rest: 'POST /api/letters',
      about: 'Send a letter to somebody outside',
      outbound: true,
      input: { to: z.string() },
      output: z.strictObject({ to: z.string(), number: z.int() }),
      handle: async ({ to }) => ({ to, number: sent.push(to) }),
    }),
  ],
}

let served: ServedWorkspace
let bob: Browser
let holdingKey: { id: string; key: string }
before(async () => {
  served = await serveWorkspace({ modules: [...modules, letters] })
  await givePasswords(served, served.bob)
})
beforeEach(async () => {
  bob = await new Browser(served).signIn('bob@acme.test')
  holdingKey = await served.keyFor(served.bob, { name: 'helper', holdOutbound: true })
  sent.length = 0
})
after(() => served.close())

const release = (id: string) => bob.post(`/web/approvals/${id}/release`)
const deny = (id: string, reason: string) => bob.post(`/web/approvals/${id}/deny`, { reason })

interface CallOptions {
  key?: string
  capabilities?: object
  path?: string
  meta?: object
}

/** A call in the current protocol; `params` besides name and arguments. */
async function call(params: Record<string, unknown> = {}, sent: CallOptions = {}): Promise<any> {
  const { key = holdingKey.key, capabilities = pageCapabilities, path = '/mcp', meta = {} } = sent
  const toolCall = { name: 'send_letter', arguments: { to: 'eve' }, ...params }
  const { json } = await served.ask('POST', path, {
    key,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': toolCall.name,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...toolCall,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...meta,
        },
      },
    },
  })
  return json
}

/** The next round of a call, with the client's answer. */
const nextRound = (
  requestState: string,
  action: string,
  more: Record<string, unknown> = {},
  options?: CallOptions,
) => call({ requestState, inputResponses: { approval: { action } }, ...more }, options)

async function startHeldCall(params: Record<string, unknown> = {}, callOptions?: CallOptions) {
  const { result } = await call(params, callOptions)
  assert.equal(result.resultType, 'input_required', JSON.stringify(result))
  const { url } = result.inputRequests.approval.params
  return { result, state: result.requestState as string, id: url.split('#')[1] as string }
}

const refusalIn = (answer: any) => {
  assert.equal(answer.result.isError, true, JSON.stringify(answer))
  return answer.result.structuredContent
}

test('a held call asks a client that can open pages to open the approval page', async () => {
  const { result, id } = await startHeldCall()
  assert.deepEqual(Object.keys(result.inputRequests), ['approval'])
  const { method, params } = result.inputRequests.approval
  assert.deepEqual(
    [method, params.mode, params.url, params.elicitationId],
    ['elicitation/create', 'url', `${served.app.baseUrl}/approvals#${id}`, undefined],
  )
  assert.match(params.message, /Bob decides there/)
  const [row] = (await bob.get('/web/approvals')).json.items
  assert.deepEqual([row.id, row.state, sent], [id, 'pending', []])
})

test('calls via the SDK and via call_tool ask, too', async () => {
  const { result } = await call({}, { meta: { progressToken: 1 } })
  assert.equal(result.resultType, 'input_required')
  const inner = {
    name: 'call_tool',
    arguments: { tool_name: 'send_letter', kind: 'write', arguments: { to: 'eve' } },
  }
  const compact = { path: '/mcp?preset=compact' }
  const { state, id } = await startHeldCall(inner, compact)
  await release(id)
  const next = await nextRound(state, 'accept', inner, compact)
  assert.deepEqual(next.result.structuredContent, { to: 'eve', number: 1 })
})

test('clients that cannot open pages get the refusal with its link', async () => {
  for (const capabilities of [{}, { elicitation: {} }, { elicitation: { form: {} } }]) {
    const { code, approval_url } = refusalIn(await call({}, { capabilities }))
    assert.equal(code, 'approval_required')
    assert.match(approval_url, /\/approvals#apr_/)
  }
})

test('a client response never releases a call: it stays pending', async () => {
  const { state, id } = await startHeldCall()
  for (const action of ['decline', 'cancel', 'approve']) {
    const { code, approval_id } = refusalIn(await nextRound(state, action))
    assert.deepEqual([code, approval_id], ['approval_required', id])
  }
  const content = { approved: true, approval: id }
  const noContent = { requestState: state, inputResponses: { approval: { content } } }
  assert.equal(refusalIn(await call(noContent)).code, 'approval_required')
  assert.equal(refusalIn(await call({ requestState: state })).code, 'approval_required')
  assert.deepEqual(sent, [])
  assert.equal((await bob.get('/web/approvals')).json.items[0].state, 'pending')
})

test('the round after an accepted page waits for the decision and returns the result of the released call', async () => {
  const { state, id } = await startHeldCall()
  const next = nextRound(state, 'accept')
  assert.equal((await release(id)).status, 200)
  assert.deepEqual((await next).result.structuredContent, { to: 'eve', number: 1 })
  assert.deepEqual((await nextRound(state, 'decline')).result.structuredContent, {
    to: 'eve',
    number: 1,
  })
  assert.deepEqual(sent, ['eve'], 'and was made once')
  const newest = served.app.store.raw.read
    .prepare("SELECT status, kind FROM calls WHERE tool = 'send_letter' ORDER BY seq DESC LIMIT 4")
    .all() as { status: string }[]
  assert.deepEqual(
    newest.map(({ status }) => status),
    ['ok', 'ok', 'ok', 'error'],
  )
})

test('a denied call is refused with the reason given by the person', async () => {
  const { state, id } = await startHeldCall()
  await deny(id, 'Not to Eve.')
  const { code, reason, message } = refusalIn(await nextRound(state, 'accept'))
  assert.deepEqual([code, reason], ['permission_denied', 'Not to Eve.'])
  assert.match(message, /Bob denied this call/)
})

test('a released call is not executed again once its key may send', async () => {
  const { state, id } = await startHeldCall()
  await release(id)
  served.app.store.raw.write
    .prepare('UPDATE api_keys SET hold_outbound = 0 WHERE id = ?')
    .run(holdingKey.id)
  assert.deepEqual((await nextRound(state, 'accept')).result.structuredContent, {
    to: 'eve',
    number: 1,
  })
  assert.deepEqual(sent, ['eve'])
})

test('after seven days without a decision the call expires, and the next one is held anew', async () => {
  const { state, id } = await startHeldCall()
  served.clock.pass(7 * dayLong)
  const { code, message } = refusalIn(await nextRound(state, 'decline'))
  assert.equal(code, 'conflict')
  assert.match(message, /has expired/)
  assert.notEqual((await startHeldCall()).id, id)
})

test('a state is valid only for its own call and key, and only if unaltered', async () => {
  const { state, id } = await startHeldCall()
  await release(id)
  const other = refusalIn(await nextRound(state, 'accept', { arguments: { to: 'mallory' } }))
  assert.equal(other.code, 'conflict')
  const tool = refusalIn(
    await nextRound(state, 'accept', { name: 'create_label', arguments: { name: 'x' } }),
  )
  assert.equal(tool.code, 'conflict')
  const { key } = await served.keyFor(served.bob, { name: 'other', holdOutbound: true })
  const [version, body, mac] = state.split('.')
  const payload = JSON.parse(Buffer.from(body!, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify({ ...payload, exp: payload.exp + 1 }))
  for (const [sentState, options] of [
    [state, { key }],
    [`${version}.${forged.toString('base64url')}.${mac}`, {}],
    [`${state}x`, {}],
    ['', {}],
    ['x'.repeat(10_000), {}],
    [id, {}],
  ] as const) {
    const { error } = await nextRound(sentState, 'accept', {}, options)
    assert.equal(error?.code, -32602, sentState.slice(0, 50))
  }
  const [last] = served.app.store.raw.read
    .prepare('SELECT status, error_code FROM calls ORDER BY seq DESC LIMIT 1')
    .all()
  assert.deepEqual(last, { status: 'error', error_code: 'invalid_argument' })
  assert.deepEqual(sent, ['eve'])
})

test('waiting ends with the decision, the timeout or a disconnect', async () => {
  const { id } = await startHeldCall()
  const { app } = served
  const signal = new AbortController().signal
  assert.equal(await waitForDecision(app, id as never, { atMost: 20, signal }), false)
  const aborted = AbortSignal.abort()
  assert.equal(await waitForDecision(app, id as never, { atMost: 60_000, signal: aborted }), false)
  const decided = waitForDecision(app, id as never, { atMost: 60_000, signal })
  await deny(id, 'No.')
  assert.equal(await decided, true)
})

/** The official client, whose person acts when a page is to be opened. */
async function connect(
  mode: 'auto' | 'legacy',
  open: (url: string) => Promise<'accept' | 'decline'>,
): Promise<Client> {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode }, capabilities: pageCapabilities },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => ({
    action: await open((params as { url: string }).url),
  }))
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${holdingKey.key}` } },
    }),
  )
  return client
}

const letter = { name: 'send_letter', arguments: { to: 'eve' } }

for (const mode of ['auto', 'legacy'] as const) {
  test(`the official client is asked, the person decides on the page, and the call gets its result (${mode})`, async (t) => {
    const completed: string[] = []
    const opened: string[] = []
    const client = await connect(mode, async (url) => {
      opened.push(url)
      await release(url.split('#')[1]!)
      return 'accept'
    })
    t.after(() => client.close())
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      completed.push(params.elicitationId)
    })
    const answer = await client.callTool(letter)
    assert.deepEqual(answer.structuredContent, { to: 'eve', number: 1 })
    assert.equal(opened.length, 1)
    assert.deepEqual(completed, mode === 'legacy' ? [opened[0]!.split('#')[1]] : [])
  })

  test(`the official client gets the refusal with its link if the person opens no page (${mode})`, async (t) => {
    const client = await connect(mode, async () => 'decline')
    t.after(() => client.close())
    const answer = await client.callTool(letter)
    assert.equal((answer.structuredContent as { code: string }).code, 'approval_required')
    assert.deepEqual(sent, [])
  })
}
