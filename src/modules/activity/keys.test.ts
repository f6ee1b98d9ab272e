import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueKey } from '../../keys/issue.ts'
import { dayLong, hour, keyOf, makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { percentile, usageBy } from './usage.ts'
import type { CallTally } from './calls/access-calls.ts'

let workspace: TestWorkspace
let key: ReturnType<typeof keyOf>

before(async () => {
  workspace = await makeWorkspace()
  const { app, clock, ann, bob } = workspace
  const issued = await issueKey(app.store, clock, {
    owner: ann.id,
    name: 'laptop',
    via: 'cli',
    expiresAt: clock.now() + 10 * dayLong,
  })
  key = keyOf({ id: issued.id })
  clock.pass(1000)
  await issueKey(app.store, clock, { owner: ann.id, name: 'server', via: 'cli' })
  await issueKey(app.store, clock, { owner: bob.id, name: 'bobs', via: 'cli' })
})
after(() => workspace.close())

test('own keys are listed by name and first characters, never with a secret', async () => {
  const { ann } = workspace
  const { items } = await ann.call('list_api_keys', {}, { via: 'mcp', key })
  assert.deepEqual(
    items.map((item: any) => [item.name, item.status, item.is_current]),
    [
      ['server', 'active', false],
      ['laptop', 'active', true],
    ],
  )
  assert.match(items[0].prefix, /^svc_\w{8}…$/)
  assert.doesNotMatch(JSON.stringify(items), /argon2|secret|lookup/)
})

test('a key of someone else is not found', async () => {
  const { bob, eve } = workspace
  assert.equal((await bob.refused('get_api_key_usage', { key_id: key.id })).code, 'not_found')
  assert.equal((await eve.refused('get_api_key_usage', { key_id: key.id })).code, 'not_found')
  assert.equal((await bob.refused('list_api_calls', { key_id: key.id })).code, 'not_found')
  assert.equal((await bob.refused('get_api_key_usage', { key_id: 'current' })).code, 'not_found')
})

test('usage of the current key counts calls, errors and refusals by tool, module, day and status', async () => {
  const { ann, clock } = workspace
  const by = { via: 'mcp' as const, key }
  await ann.call('list_labels', {}, by)
  await ann.call('list_labels', {}, by)
  await assert.rejects(ann.call('update_label', { label_id: 'nothing' }, by))
  await assert.rejects(
    ann.call('create_label', { name: 'x' }, { via: 'mcp', key: { ...key, read_only: true } }),
  )
  clock.pass(12 * hour) // another day in Berlin
  await ann.call('list_teams', {}, by)
  const usage = async (group_by?: string) =>
    ann.call('get_api_key_usage', { key_id: 'current', ...(group_by ? { group_by } : {}) }, by)
  const byTool = await usage()
  assert.deepEqual([byTool.errors, byTool.denied], [1, 1])
  assert.deepEqual(
    byTool.by_group
      .filter((item: any) => item.key !== 'list_api_keys' && item.key !== 'get_api_key_usage')
      .map((item: any) => [item.key, item.calls, item.errors]),
    [
      ['list_labels', 2, 0],
      ['create_label', 1, 1],
      ['list_teams', 1, 0],
      ['update_label', 1, 1],
    ],
  )
  assert.deepEqual(byTool.rate_limit, undefined)
  assert.equal((await usage('module')).by_group.find((item: any) => item.key === 'labels').calls, 4)
  assert.deepEqual(
    (await usage('day')).by_group.map((item: any) => item.key),
    ['2026-11-20', '2026-11-21'],
  )
  assert.deepEqual(
    (await usage('status')).by_group.map((item: any) => item.key),
    ['ok', 'denied', 'error'],
  )
  assert.equal(byTool.key.call_count_30d, byTool.calls)
})

test('a period that ends before it starts is refused; one without calls counts zero', async () => {
  const { ann } = workspace
  assert.equal(
    (
      await ann.refused('get_api_key_usage', {
        key_id: key.id,
        from: '2026-11-21',
        to: '2026-11-20',
      })
    ).code,
    'invalid_argument',
  )
  const none = await ann.call('get_api_key_usage', {
    key_id: key.id,
    from: '2020-01-01',
    to: '2020-01-31',
  })
  assert.deepEqual([none.calls, none.by_group], [0, []])
  assert.equal(none.to, '2020-01-31T22:59:59.000Z')
})

test('expired and revoked keys are listed as such', async () => {
  const { ann, clock, app } = workspace
  clock.pass(11 * dayLong)
  await app.store.writer.run(
    async () =>
      void app.store.raw.write
        .prepare("UPDATE api_keys SET revoked_at = 1, revoked_by = owner_id WHERE name = 'server'")
        .run(),
  )
  const names = async (status: string) =>
    (await ann.call('list_api_keys', { status })).items.map((item: any) => item.name)
  assert.deepEqual(
    [await names('active'), await names('expired'), await names('revoked')],
    [[], ['laptop'], ['server']],
  )
})

const tally = (ms: number, count: number): CallTally => ({ group: 'x', status: 'ok', ms, count })

test('p95 is the duration that 95 of 100 calls did not exceed', () => {
  assert.equal(percentile([tally(5, 95), tally(900, 5)], 0.95), 5)
  assert.equal(percentile([tally(5, 94), tally(900, 6)], 0.95), 900)
  assert.equal(percentile([tally(7, 1)], 0.95), 7)
  assert.equal(percentile([], 0.95), 0)
  assert.deepEqual(
    usageBy(
      [tally(1, 1), { ...tally(2, 5), group: 'y' }],
      (callTally) => String(callTally.group),
      'calls',
    ).map((groupUsage) => groupUsage.key),
    ['y', 'x'],
  )
})
