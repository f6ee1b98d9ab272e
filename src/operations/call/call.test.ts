import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { dayLong, keyOf, makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { issueKey } from '../../keys/issue.ts'
import { labelsModule } from '../../modules/labels/index.ts'
import { label } from '../../modules/labels/access.ts'
import { fields, markdown, pageOf, paging, secret, shortText } from '../../kernel/fields.ts'
import { operation } from '../operation.ts'
import type { Module } from '../module.ts'
import { Refusal } from '../../kernel/refusal.ts'

const done = z.strictObject({ id: z.string(), dry_run: z.boolean() })
const ran: string[] = []

/** Operations that each show one aspect of the pipeline. */
const probes: Module = {
  name: 'probes',
  about: 'For this test. Nouns: probe.',
  operations: [
    operation({
      name: 'add_probe',
      kind: 'write',
      rest: 'POST /api/probes/{label_id}',
      about: 'Add a label after another one',
      on: { label: label.see },
      input: {
        name: shortText(),
        fail: z.enum(['refusal', 'bug', 'answer']).optional(),
        body: markdown().optional(),
        token: secret(z.string().max(100)).optional(),
      },
      dryRun: true,
      output: done,
      async handle({ label: after, name, fail }, ctx) {
        const row = await ctx.add('labels', { name, color: after.color })
        ctx.afterCommit(async () => void ran.push(name))
        if (fail === 'refusal') throw new Refusal('conflict', 'Not this one.')
        if (fail === 'bug') throw new TypeError('Cannot read properties of undefined')
        if (fail === 'answer') return { id: 1 } as never
        return { id: row.id, dry_run: ctx.dryRun }
      },
    }),
    operation({
      name: 'change_probe',
      kind: 'write',
      idempotent: true,
      rest: 'PATCH /api/probes/{label_id}',
      about: 'Change a label if it is as expected',
      on: { label: label.edit },
      input: { name: shortText() },
      revision: 'label',
      output: done,
      handle: async ({ label: row, name }, ctx) => ({
        id: (await ctx.change('labels', row, { name })).id,
        dry_run: ctx.dryRun,
      }),
    }),
    operation({
      name: 'read_probe',
      kind: 'read',
      rest: 'GET /api/probes',
      about: 'Read in a way that writes',
      input: { how: z.enum(['nested', 'raw']) },
      output: done,
      async handle({ how }, ctx) {
        if (how === 'nested') await ctx.call('create_label', { name: 'from a read' })
        await (ctx as any).call('list_labels', {})
        await label.visibleTo(ctx).selectAll().execute()
        return { id: 'x', dry_run: false }
      },
    }),
    operation({
      name: 'list_probes',
      kind: 'read',
      rest: 'GET /api/probes/list',
      about: 'List what was added, by another operation',
      input: { ...paging, fields: fields() },
      output: pageOf(z.strictObject({ id: z.string(), name: z.string(), color: z.string() })),
      async handle({ limit }, ctx) {
        const page = await ctx.call<{ items: any[]; has_more: boolean }>('list_labels', { limit })
        return {
          items: page.items.map(({ id, name, color }) => ({ id, name, color })),
          has_more: false,
        }
      },
    }),
    operation({
      name: 'nest_probe',
      kind: 'write',
      rest: 'POST /api/probes',
      about: 'Make two labels or none',
      input: { first: shortText(), second: shortText() },
      output: done,
      async handle({ first, second }, ctx) {
        const label = await ctx.call<{ id: string }>('create_label', { name: first })
        await ctx.call('create_label', { name: second })
        return { id: label.id, dry_run: false }
      },
    }),
  ],
}

let workspace: TestWorkspace
let root: { id: string }

before(async () => {
  workspace = await makeWorkspace({ modules: [labelsModule, probes] })
  root = await workspace.ann.call('create_label', { name: 'Root', color: '#111111' })
})
after(() => workspace.close())

const names = async () =>
  (await workspace.ann.call('list_labels', { limit: 100 })).items.map((item: any) => item.name)
const raw = () => workspace.app.store.raw.read
const count = (table: string) =>
  raw().prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
const lastEntry = () =>
  raw()
    .prepare('SELECT * FROM calls ORDER BY org_id = ? DESC, seq DESC LIMIT 1')
    .get(workspace.ann.actor.org_id) as Record<string, any>

test('the same idempotency key returns the first result, with or without ids in the arguments', async () => {
  const { ann } = workspace
  const args = { label_id: root.id, name: 'Once', idempotency_key: 'k1' }
  const first = await ann.call('add_probe', args)
  assert.deepEqual(await ann.call('add_probe', args), first)
  assert.deepEqual(
    await ann.call('add_probe', { name: 'Once', label_id: root.id }, { idempotencyKey: 'k1' }),
    first,
  )
  assert.equal((await names()).filter((name: string) => name === 'Once').length, 1)
})

test('twenty simultaneous calls with one key create one row and get the same response', async () => {
  const { ann } = workspace
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      ann.call('add_probe', { label_id: root.id, name: 'Parallel', idempotency_key: 'k20' }),
    ),
  )
  assert.equal(new Set(answers.map((answer) => answer.id)).size, 1)
  assert.equal((await names()).filter((name: string) => name === 'Parallel').length, 1)
})

test('different arguments with the same key are refused; keys are scoped to person, tool and day', async () => {
  const { ann, bob, clock } = workspace
  const args = { label_id: root.id, name: 'Keyed', idempotency_key: 'k2' }
  const first = await ann.call('add_probe', args)
  const refusal = await ann.refused('add_probe', { ...args, name: 'Keyed otherwise' })
  assert.deepEqual([refusal.code, refusal.more.field], ['idempotency_conflict', 'idempotency_key'])
  assert.equal(
    (await ann.refused('add_probe', { ...args, label_id: first.id })).code,
    'idempotency_conflict',
  )
  await assert.doesNotReject(
    ann.call('create_label', { name: 'Other tool', idempotency_key: 'k2' }),
  )
  await assert.doesNotReject(bob.call('add_probe', { ...args, name: 'Keyed by bob' }))
  clock.pass(dayLong + 1)
  assert.notEqual((await ann.call('add_probe', { ...args, name: 'Keyed anew' })).id, first.id)
})

test('a refused call does not consume its key', async () => {
  const { ann } = workspace
  await ann.refused('add_probe', {
    label_id: root.id,
    name: 'Again',
    fail: 'refusal',
    idempotency_key: 'k3',
  })
  await assert.doesNotReject(
    ann.call('add_probe', { label_id: root.id, name: 'Again', idempotency_key: 'k3' }),
  )
})

test('a stale revision is refused with the current one', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Rev 1' })
  await ann.call('change_probe', { label_id: label.id, name: 'Rev 2', expected_revision: 1 })
  const refusal = await ann.refused('change_probe', {
    label_id: label.id,
    name: 'Rev 3',
    expected_revision: 1,
  })
  assert.deepEqual([refusal.code, refusal.more.context], ['conflict', { current_revision: 2 }])
  assert.ok((await names()).includes('Rev 2'))
})

test('a dry run leaves only its log entry', async () => {
  const { ann } = workspace
  const before = ['labels', 'changes', 'search_docs', 'replays'].map(count)
  const calls = count('calls')
  const answer = await ann.call('add_probe', {
    label_id: root.id,
    name: 'Dry',
    dry_run: true,
    idempotency_key: 'dry',
  })
  assert.equal(answer.dry_run, true)
  assert.deepEqual(['labels', 'changes', 'search_docs', 'replays'].map(count), before)
  assert.equal(count('calls'), calls + 1)
  const entry = lastEntry()
  assert.deepEqual([entry.tool, entry.status, entry.changed], ['add_probe', 'ok', 0])
  assert.ok(!ran.includes('Dry'))
})

test('a dry run of a call that would be refused is refused', async () => {
  const { ann } = workspace
  assert.equal(
    (
      await ann.refused('add_probe', {
        label_id: root.id,
        name: 'Dry',
        fail: 'refusal',
        dry_run: true,
      })
    ).code,
    'conflict',
  )
  assert.deepEqual([lastEntry().status, lastEntry().error_code], ['error', 'conflict'])
})

test('deferred work runs after the commit, and not for refused calls', async () => {
  const { ann } = workspace
  await ann.call('add_probe', { label_id: root.id, name: 'Told' })
  await ann.refused('add_probe', { label_id: root.id, name: 'Untold', fail: 'refusal' })
  assert.ok(ran.includes('Told'))
  assert.ok(!ran.includes('Untold'))
  assert.ok(!(await names()).includes('Untold'))
})

test('an unexpected error is rolled back, logged in full, and shown only as a reference', async (t) => {
  const { ann, app } = workspace
  const logged: unknown[] = []
  t.mock.method(app.log, 'error', (...line: unknown[]) => logged.push(line))
  const refusal = await ann.refused('add_probe', { label_id: root.id, name: 'Bug', fail: 'bug' })
  assert.equal(refusal.code, 'internal')
  assert.doesNotMatch(refusal.message, /undefined/)
  assert.match(
    JSON.stringify(logged),
    new RegExp(`${(refusal.more.context as any).reference}.*Cannot read properties`),
  )
  assert.equal(
    (await ann.refused('add_probe', { label_id: root.id, name: 'Bug', fail: 'answer' })).code,
    'internal',
  )
  assert.deepEqual([lastEntry().status, lastEntry().error_code], ['error', 'internal'])
  assert.ok(!(await names()).includes('Bug'))
})

test('every call has a log entry with operation, caller, outcome and items; bodies and secrets by length and hash', async () => {
  const { ann, bob } = workspace
  const probe = await ann.call('add_probe', {
    label_id: root.id,
    name: 'Logged',
    body: 'a body',
    token: 'hunter2',
  })
  const entry = lastEntry()
  assert.deepEqual(
    [entry.tool, entry.kind, entry.status, entry.actor_id, entry.changed],
    ['add_probe', 'write', 'ok', ann.id, 1],
  )
  assert.deepEqual(JSON.parse(entry.items_json), [
    { type: 'label', id: root.id },
    { type: 'label', id: probe.id },
  ])
  const { arguments: args } = JSON.parse(entry.details_json)
  assert.deepEqual([args.name, args.body.length, args.token.length], ['Logged', 6, 7])
  assert.doesNotMatch(entry.details_json, /a body|hunter2/)
  await ann.refused('add_probe', { label_id: root.id, name: 'x', password: 'hunter3' })
  assert.deepEqual(JSON.parse(lastEntry().details_json).arguments.password, 'string')
  await bob.refused('nothing_here', { x: 'secret' })
  assert.deepEqual([lastEntry().tool, lastEntry().error_code], ['nothing_here', 'not_found'])
  const key = `svc_${'k'.repeat(61)}`
  await ann.call('create_label', { name: key })
  assert.doesNotMatch(lastEntry().details_json, /kkkk/)
})

test('a read-only or module-limited key is refused before anything is read', async () => {
  const { ann, app, clock } = workspace
  const { id } = await issueKey(app.store, clock, { owner: ann.id, name: 'narrow', via: 'cli' })
  await assert.rejects(
    ann.call('create_label', { name: 'x' }, { key: keyOf({ id, read_only: true }) }),
    { code: 'permission_denied' },
  )
  assert.equal(lastEntry().status, 'denied')
  await assert.rejects(ann.call('list_labels', {}, { key: keyOf({ id, toolsets: ['probes'] }) }), {
    code: 'permission_denied',
  })
  await assert.rejects(
    ann.call('list_probes', {}, { key: keyOf({ id, toolsets: ['probes'] }) }),
    { code: 'permission_denied' },
    'neither by way of another operation',
  )
  await assert.doesNotReject(
    ann.call('list_labels', {}, { key: keyOf({ id, read_only: true, toolsets: ['labels'] }) }),
  )
})

test('a key revoked or a person deactivated since the request arrived cannot write', async () => {
  const { ann, app, clock } = workspace
  const { id } = await issueKey(app.store, clock, { owner: ann.id, name: 'revoked', via: 'cli' })
  await app.store.writer.run(
    async () =>
      void app.store.raw.write
        .prepare('UPDATE api_keys SET revoked_at = 1, revoked_by = ? WHERE id = ?')
        .run(ann.id, id),
  )
  await assert.rejects(ann.call('create_label', { name: 'too late' }, { key: keyOf({ id }) }), {
    code: 'unauthenticated',
  })
  const inactive = await workspace.person('Gone')
  await app.store.writer.run(
    async () =>
      void app.store.raw.write
        .prepare("UPDATE users SET status = 'deactivated' WHERE id = ?")
        .run(inactive.id),
  )
  assert.equal(
    (await inactive.refused('create_label', { name: 'too late' })).code,
    'unauthenticated',
  )
  assert.ok(!(await names()).includes('too late'))
})

test('a read operation cannot write, neither directly nor through another operation', async (t) => {
  const { ann, app } = workspace
  t.mock.method(app.log, 'error', () => {})
  assert.equal((await ann.refused('read_probe', { how: 'nested' })).code, 'internal')
  assert.throws(() => app.store.raw.read.exec("UPDATE labels SET name = 'x'"), /readonly/)
  await assert.doesNotReject(ann.call('read_probe', { how: 'raw' }))
})

test('an operation that calls others is one call: one log entry, and all or nothing', async () => {
  const { ann } = workspace
  const calls = count('calls')
  await ann.call('nest_probe', { first: 'Nested 1', second: 'Nested 2' })
  assert.equal(count('calls'), calls + 1)
  const changes = raw()
    .prepare('SELECT op FROM changes WHERE call_id = ?')
    .pluck()
    .all(lastEntry().id)
  assert.deepEqual(changes, ['created', 'created'])
  const refusal = await ann.refused('nest_probe', { first: 'Nested 3', second: ' ' })
  assert.equal(refusal.code, 'invalid_argument')
  assert.ok(!(await names()).includes('Nested 3'))
})

test('fields keeps id and the requested fields, and refuses unknown ones', async () => {
  const { ann } = workspace
  const { items } = await ann.call('list_probes', { fields: ['name'] })
  assert.deepEqual(Object.keys(items[0]).sort(), ['id', 'name'])
  const refusal = await ann.refused('list_probes', { fields: ['name', 'size'] })
  assert.match(refusal.body().message, /size is not a field.*id, name, color/)
})

test('a read directly after a write of the same person reflects it', async () => {
  const { ann } = workspace
  for (let i = 0; i < 20; i++) {
    const label = await ann.call('create_label', { name: `Fresh ${i}` })
    assert.equal((await ann.call('list_labels', { query: `fresh ${i}` })).items[0].id, label.id)
  }
})

test('arguments that are no object, too deeply nested or contain NUL are refused', async () => {
  const { ann } = workspace
  for (const args of [[], 'x', 5])
    assert.equal((await ann.refused('create_label', args as never)).code, 'invalid_argument')
  let deep: Record<string, unknown> = {}
  for (let i = 0; i < 40; i++) deep = { deep }
  assert.match((await ann.refused('create_label', { name: deep })).message, /nested deeper/)
  assert.match((await ann.refused('create_label', { name: 'a\0b' })).message, /name contains a NUL/)
})
