import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { sqliteConnection } from '../db/dialect.ts'
import type { Tables } from '../db/tables.ts'
import type { Actor } from '../kernel/actor.ts'
import { prepared } from './prepared.ts'
import { accessScope, type AccessScope } from './access-scope.ts'

const raw = new Database(':memory:')
raw.exec(
  "CREATE TABLE jobs (id TEXT, owner_id TEXT, key_id TEXT); INSERT INTO jobs VALUES ('1', 'ann', 'k1'), ('2', 'ann', 'k2'), ('3', 'bob', 'k3')",
)
const all = sqliteConnection<Tables>(raw)

function as(id: string, key?: { id: string; toolsets?: string[] }): AccessScope {
  const ofKey = key && { name: 'a key', admin_grant: false, toolsets: undefined, ...key }
  return accessScope({
    all,
    actor: {
      id,
      org_id: 'org',
      email: `${id}@acme.test`,
      role: 'member',
      key: ofKey,
    } as unknown as Actor,
    now: 1,
  })
}

test('a query compiled for one caller binds the id, key and limits of the next one', async () => {
  const ownJobs = prepared<{}, { id: string }>((s) => {
    const jobs = s.all.selectFrom('jobs').select('id').where('owner_id', '=', s.actor.id)
    return s.actor.key?.toolsets ? jobs.where('key_id', '=', s.actor.key.id) : jobs
  })
  const ids = async (scope: AccessScope) => (await ownJobs(scope, {})).map((row) => row.id)
  assert.deepEqual(await ids(as('ann')), ['1', '2'])
  assert.deepEqual(await ids(as('ann', { id: 'k2', toolsets: ['tasks'] })), ['2'])
  assert.deepEqual(await ids(as('ann', { id: 'k1', toolsets: ['chat'] })), ['1'])
  assert.deepEqual(await ids(as('ann', { id: 'k1' })), ['1', '2'])
  assert.deepEqual(await ids(as('bob', { id: 'k3' })), ['3'])
})

test('caller-specific values cannot be compiled into a shared query', async () => {
  const byEmail = prepared<{}, { id: string }>((s) =>
    s.all
      .selectFrom('jobs')
      .select('id')
      .where('owner_id', '=', s.actor.email as never),
  )
  await assert.rejects(byEmail(as('ann'), {}), /asks for email of its caller/)
  const byKey = prepared<{}, { id: string }>((s) =>
    s.all
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', s.actor.key!.name as never),
  )
  await assert.rejects(byKey(as('ann', { id: 'k1' }), {}), /asks for name of its caller/)
})
