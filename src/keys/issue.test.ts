import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Refusal } from '../kernel/refusal.ts'
import { openStore } from '../db/open.ts'
import { scratch, workspaceJson } from '../testing/process.ts'
import { dayLong, HandClock, makeWorkspace } from '../testing/harness.ts'
import { applyRevocations, isWellFormedKey, issueKey, listKeys, revokeKey } from './issue.ts'
import { addOrganization } from '../identity/organization-creation.ts'
import { addPerson, requirePerson, setStatus } from '../identity/people.ts'
import { readRevocations } from './revocations.ts'
import { KeyGate } from './verify.ts'

const from = { ip: '127.0.0.1' }

async function setUp(t: TestContext) {
  const { dir, remove } = scratch()
  const clock = new HandClock()
  clock.at = Date.now()
  const store = openStore(dir)
  t.after(async () => {
    await store.close()
    remove()
  })
  const org = await addOrganization(store, clock, { name: 'Acme' })
  const ann = await addPerson(store, clock, {
    org,
    email: 'ann@acme.test',
    name: 'Ann',
    role: 'admin',
  })
  const bob = await addPerson(store, clock, {
    org,
    email: 'bob@acme.test',
    name: 'Bob',
    role: 'member',
  })
  const gate = new KeyGate(store, clock)
  const authenticate = (key: string) => gate.authenticate(`Bearer ${key}`, 'api', from)
  return { dir, clock, store, ann, bob, enter: authenticate }
}

const refusal = (code: string, field?: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code && (!field || error.more.field === field)

test('a key authenticates its owner until another process revokes it, effective at the next request', async (t) => {
  const { dir, clock, store, ann, enter } = await setUp(t)
  const { key, prefix } = await issueKey(store, clock, { owner: ann, name: 'laptop', via: 'cli' })
  for (let i = 0; i < 2; i++) assert.equal((await enter(key)).id, ann)
  await workspaceJson('keys', 'revoke', prefix, '--data', dir)
  await assert.rejects(enter(key), refusal('unauthenticated'))
})

test('a key created by another process authenticates at once', async (t) => {
  const { dir, ann, enter } = await setUp(t)
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'laptop',
    '--read-only',
    '--data',
    dir,
  )
  const actor = await enter(key)
  assert.deepEqual([actor.id, actor.key?.read_only, actor.key?.admin_grant], [ann, true, false])
})

test('a key expires, and is inactive while its owner is deactivated', async (t) => {
  const { clock, store, bob, enter } = await setUp(t)
  const { key } = await issueKey(store, clock, {
    owner: bob,
    name: 'a',
    via: 'web',
    expiresAt: clock.now() + dayLong,
  })
  const person = await requirePerson(store, 'bob@acme.test')
  await setStatus(store, clock, person, 'deactivated')
  await assert.rejects(enter(key), refusal('unauthenticated'))
  await setStatus(store, clock, person, 'active')
  assert.equal((await enter(key)).id, bob)
  clock.pass(dayLong)
  await assert.rejects(enter(key), refusal('unauthenticated'))
})

test('restoring an older database does not revive a revoked key', async (t) => {
  const { dir, clock, store, ann } = await setUp(t)
  const { id, key } = await issueKey(store, clock, { owner: ann, name: 'laptop', via: 'cli' })
  const validKey = await issueKey(store, clock, { owner: ann, name: 'phone', via: 'cli' })
  const backup = join(dir, 'backup.db')
  store.raw.write.exec(`VACUUM INTO '${backup}'`)
  await revokeKey(store, clock, dir, { key: id })
  const restored = scratch()
  t.after(restored.remove)
  copyFileSync(backup, join(restored.dir, 'workspace.db'))
  copyFileSync(join(dir, 'revoked.log'), join(restored.dir, 'revoked.log'))
  rmSync(backup)
  const older = openStore(restored.dir)
  t.after(() => older.close())
  const gate = new KeyGate(older, clock)
  assert.equal(
    (await gate.authenticate(`Bearer ${key}`, 'api', from)).id,
    ann,
    'the backup is from before the revocation',
  )
  assert.deepEqual(await applyRevocations(older, clock, restored.dir), [id])
  await assert.rejects(gate.authenticate(`Bearer ${key}`, 'api', from), refusal('unauthenticated'))
  assert.equal((await gate.authenticate(`Bearer ${validKey.key}`, 'api', from)).id, ann)
  assert.deepEqual(
    await applyRevocations(older, clock, restored.dir),
    [],
    'a second run revokes nothing',
  )
})

test('a revocation is recorded permanently and only once', async (t) => {
  const { dir, clock, store, ann, bob } = await setUp(t)
  const { id, key, prefix } = await issueKey(store, clock, {
    owner: bob,
    name: 'laptop',
    via: 'cli',
  })
  const first = await revokeKey(store, clock, dir, { key: prefix, by: ann })
  clock.pass(dayLong)
  for (const name of [id, prefix, key, prefix.slice(0, -1)]) {
    const again = await revokeKey(store, clock, dir, { key: name, by: bob })
    assert.deepEqual(
      [again.already, again.key.revoked_at, again.key.revoked_by],
      [true, first.key.revoked_at, ann],
    )
  }
  assert.deepEqual(
    readRevocations(dir).map((revocation) => revocation.key_id),
    [id],
  )
  const calls = await store.read
    .selectFrom('calls')
    .select(['tool', 'actor_id', 'kind'])
    .orderBy('seq')
    .execute()
  assert.deepEqual(calls, [
    { tool: 'create_api_key', actor_id: bob, kind: 'write' },
    { tool: 'revoke_api_key', actor_id: ann, kind: 'destructive' },
  ])
})

test('an ambiguous key prefix is refused with the matching keys', async (t) => {
  const { dir, clock, store, ann } = await setUp(t)
  const keys = [
    await issueKey(store, clock, { owner: ann, name: 'one', via: 'cli' }),
    await issueKey(store, clock, { owner: ann, name: 'two', via: 'cli' }),
  ]
  for (const [i, { id }] of keys.entries())
    store.raw.write
      .prepare('UPDATE api_keys SET lookup = ? WHERE id = ?')
      .run(`SAMEsame000${i}`, id)
  await assert.rejects(revokeKey(store, clock, dir, { key: 'svc_SAMEsame…' }), (error) => {
    const { candidates } = (error as Refusal).more.context as { candidates: { id: string }[] }
    assert.deepEqual(
      candidates.map((candidate) => candidate.id),
      keys.map((key) => key.id),
    )
    return refusal('conflict')(error)
  })
  assert.equal(
    (await revokeKey(store, clock, dir, { key: 'svc_SAMEsame0001' })).key.id,
    keys[1]!.id,
  )
  for (const text of ['svc_', 'svc_a', 'SAMEsame', '%', ''])
    await assert.rejects(revokeKey(store, clock, dir, { key: text }), refusal('invalid_argument'))
  await assert.rejects(revokeKey(store, clock, dir, { key: 'svc_ABCD' }), refusal('not_found'))
})

test('the toolsets of a key are stored normalized', async (t) => {
  const { clock, store, ann, enter } = await setUp(t)
  const { key } = await issueKey(store, clock, {
    owner: ann,
    name: 'x',
    via: 'cli',
    modules: ['tasks', 'labels', 'views'],
    toolsets: ['tasks:ro', 'labels:rw', 'views', 'labels'],
  })
  assert.deepEqual((await enter(key)).key!.toolsets, ['tasks:ro', 'labels', 'views'])
})

test('invalid key options are refused before anything is created', async (t) => {
  const { clock, store, ann, bob } = await setUp(t)
  const issue = (more: object) =>
    issueKey(store, clock, {
      owner: ann,
      name: 'x',
      via: 'cli',
      modules: ['tasks', 'labels'],
      ...more,
    })
  for (const name of ['', '  ', 'x'.repeat(101), 'a\0b'])
    await assert.rejects(issue({ name }), refusal('invalid_argument'))
  await assert.rejects(issue({ name: (await issue({})).key }), refusal('invalid_argument', 'name'))
  for (const toolsets of [
    ['nope'],
    ['tasks', 'nope'],
    [],
    ['tasks:no'],
    ['tasks:'],
    ['nope:ro'],
    ['tasks:ro', 'tasks'],
    ['tasks:ro:ro'],
  ])
    await assert.rejects(issue({ toolsets }), refusal('invalid_argument', 'toolsets'))
  await assert.rejects(issue({ expiresAt: clock.now() }), refusal('invalid_argument', 'expires_at'))
  await assert.rejects(issue({ owner: bob, adminGrant: true }), refusal('permission_denied'))
  await setStatus(store, clock, await requirePerson(store, bob), 'deactivated')
  await assert.rejects(issue({ owner: bob }), refusal('conflict'))
  await assert.rejects(issue({ owner: 'usr_nobody' }), refusal('not_found'))
  assert.equal((await listKeys(store)).length, 1)
})

test('only the digest of a key is stored: its secret is in no file', async (t) => {
  const { dir, clock, store, ann } = await setUp(t)
  const { key } = await issueKey(store, clock, { owner: ann, name: 'laptop', via: 'cli' })
  store.raw.write.pragma('wal_checkpoint(TRUNCATE)')
  const { readFileSync, readdirSync } = await import('node:fs')
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name)))
  assert.ok(
    files.some((file) => file.includes(key.slice(4, 16))) &&
      !files.some((file) => file.includes(key.slice(16, 40))),
  )
  assert.equal(isWellFormedKey(` ${key}\n`), true)
})

test('a key of a test workspace acts as its owner through the pipeline', async (t) => {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  const { key } = await issueKey(workspace.app.store, workspace.clock, {
    owner: workspace.ann.id,
    name: 'x',
    via: 'web',
    adminGrant: true,
  })
  const actor = await workspace.app.keys.authenticate(`Bearer ${key}`, 'mcp', from)
  assert.deepEqual([actor.id, actor.via, actor.key?.admin_grant], [workspace.ann.id, 'mcp', true])
})
