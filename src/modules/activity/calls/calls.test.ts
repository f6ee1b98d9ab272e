import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueKey } from '../../../keys/issue.ts'
import {
  dayLong,
  keyOf,
  makeWorkspace,
  minute,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let label: { id: string }
let by: { via: 'mcp'; key: ReturnType<typeof keyOf> }

before(async () => {
  workspace = await makeWorkspace()
  const { app, clock, ann } = workspace
  by = {
    via: 'mcp',
    key: keyOf({
      id: (await issueKey(app.store, clock, { owner: ann.id, name: 'laptop', via: 'cli' })).id,
      name: 'laptop',
    }),
  }
  label = await ann.call(
    'create_label',
    { name: 'Logged', description: 'x'.repeat(300), idempotency_key: 'once' },
    by,
  )
  clock.pass(minute)
  await ann.call('list_labels', {}, by)
  clock.pass(minute)
  await assert.rejects(ann.call('update_label', { label_id: 'missing' }, by))
  await ann.call('list_teams') // signed in, without a key
})
after(() => workspace.close())

test('calls of own keys are listed newest first with effects and outcome', async () => {
  const { ann } = workspace
  const { items } = await ann.call('list_api_calls')
  assert.deepEqual(
    items.map((item: any) => [item.tool, item.status, item.kind, item.undo]),
    [
      ['update_label', 'error', 'write', 'not_possible'],
      ['list_labels', 'ok', 'read', 'not_possible'],
      ['create_label', 'ok', 'write', 'possible'],
    ],
  )
  const [refused, listed, created] = items
  assert.deepEqual(
    [refused.error_code, listed.result_count, created.key.title, created.idempotency_key],
    ['not_found', 1, 'laptop', 'once'],
  )
  assert.deepEqual(
    created.items.map((item: any) => item.title),
    ['Logged'],
  )
  assert.deepEqual(created.arguments.name, 'Logged')
  assert.equal(created.arguments.description.length, 300)
  assert.equal(created.ip, '127.0.0.1')
})

test('key, tool, status, kind, item and time filter the calls', async () => {
  const { ann } = workspace
  const tools = async (args: Record<string, unknown>) =>
    (await ann.call('list_api_calls', args)).items.map((item: any) => item.tool)
  assert.deepEqual(await tools({ tool: 'list_labels' }), ['list_labels'])
  assert.deepEqual(await tools({ status: 'error' }), ['update_label'])
  assert.deepEqual(await tools({ kind: 'write' }), ['update_label', 'create_label'])
  assert.deepEqual(await tools({ item_id: label.id }), ['create_label'])
  assert.deepEqual(await tools({ after: '2026-11-20T12:02:00Z' }), ['update_label'])
  assert.deepEqual(await tools({ before: '2026-11-20T12:00:30Z' }), ['create_label'])
  assert.deepEqual(await tools({ key_id: by.key.id, before: '2026-11-19' }), [])
})

test('pages continue where the previous one ended', async () => {
  const { ann } = workspace
  const first = await ann.call('list_api_calls', { limit: 2 })
  const second = await ann.call('list_api_calls', { limit: 2, cursor: first.next_cursor })
  assert.deepEqual(
    [first.has_more, second.has_more, second.items.map((item: any) => item.tool)],
    [true, false, ['create_label']],
  )
  assert.equal((await ann.refused('list_api_calls', { cursor: 'AAAA' })).code, 'invalid_argument')
})

test('calls of others are invisible, even to an administrator', async () => {
  const { bob, eve } = workspace
  assert.deepEqual((await bob.call('list_api_calls')).items, [])
  assert.deepEqual((await eve.call('list_api_calls')).items, [])
  const root = await workspace.person('Root', { role: 'admin' })
  assert.deepEqual((await root.call('list_api_calls')).items, [])
})

test('a call shows when it was undone and when it is too late', async () => {
  const { ann, clock } = workspace
  const [created] = (await ann.call('list_api_calls', { kind: 'write', status: 'ok' })).items
  await ann.call('undo_api_call', { call_id: created.id }, by)
  const states = async () =>
    (await ann.call('list_api_calls', { kind: 'write', status: 'ok' })).items.map((item: any) => [
      item.tool,
      item.undo,
    ])
  assert.deepEqual(await states(), [
    ['undo_api_call', 'possible'],
    ['create_label', 'done'],
  ])
  clock.pass(31 * dayLong)
  assert.deepEqual(await states(), [
    ['undo_api_call', 'expired'],
    ['create_label', 'done'],
  ])
})

test('a call with erased details is still listed', async () => {
  const { ann, app } = workspace
  await app.store.writer.run(
    async () =>
      void app.store.raw.write
        .prepare("UPDATE calls SET details_json = NULL, salt = NULL WHERE tool = 'create_label'")
        .run(),
  )
  const [created] = (await ann.call('list_api_calls', { tool: 'create_label' })).items
  assert.deepEqual([created.arguments, created.ip, created.route], [{}, '', ''])
})
