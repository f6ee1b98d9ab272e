import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { blobSize } from '../../core/blobs.ts'
import { call } from '../../core/call.ts'
import { openApp } from '../../core/start.ts'
import { readSettings } from '../../core/settings.ts'
import type { Actor } from '../../core/actor.ts'
import { migrations } from '../../db/migrate.ts'
import { databasePath } from '../../db/open.ts'
import { strict } from '../../db/schema.ts'
import { Queue } from '../../jobs/queue.ts'
import { HandClock } from '../../testing/harness.ts'
import { scratch } from '../../testing/scratch.ts'
import { modules } from '../index.ts'

/** What a workspace had before there was a drive. */
const before = [
  "INSERT INTO orgs VALUES ('org_00000000000000000000000001', 'Acme', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
  "INSERT INTO users (id, org_id, email, display_name, role, status, timezone, working_hours_json, availability, revision, created_at, updated_at) VALUES ('usr_00000000000000000000000001', 'org_00000000000000000000000001', 'ann@acme.test', 'Ann', 'admin', 'active', 'UTC', '{}', 'available', 1, 0, 0)",
  "INSERT INTO projects (id, org_id, key, name, status, next_task_number, revision, created_at, updated_at, created_by, created_via) VALUES ('prj_00000000000000000000000002', 'org_00000000000000000000000001', 'ENG', 'Engine', 'active', 1, 1, 0, 0, 'usr_00000000000000000000000001', 'web')",
  "INSERT INTO project_members (project_id, person_id, role, org_id, added_at) VALUES ('prj_00000000000000000000000002', 'usr_00000000000000000000000001', 'lead', 'org_00000000000000000000000001', 0)",
  "INSERT INTO files (id, org_id, name, mime_type, size_bytes, sha256, content_base64, revision, created_at, updated_at, created_by, created_via) VALUES ('fil_0000000000000000000000000a', 'org_00000000000000000000000001', 'old.txt', 'text/plain', 5, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', 'aGVsbG8=', 1, 0, 0, 'usr_00000000000000000000000001', 'web')",
]

test('files from before there was a drive are read as ever, and leave the database; people and projects have their folders', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const steps = migrations()
  const at = steps.findIndex((one) => one.name === '022-drive.sql')
  const old = new Database(databasePath(dir))
  old.exec(
    strict(
      steps
        .slice(0, at)
        .map((one) => one.sql)
        .join('\n'),
    ),
  )
  old.pragma(`user_version = ${at}`)
  for (const sql of before) old.exec(sql)
  old.close()
  const app = openApp({
    settings: { ...readSettings({}, {}), data: dir, limits: false, check_answers: true },
    clock: new HandClock(),
    modules,
    log: { info() {}, warn() {}, error: console.error },
  })
  t.after(() => app.store.close())
  app.baseUrl = 'http://workspace.test'
  const actor = {
    id: 'usr_00000000000000000000000001',
    org_id: 'org_00000000000000000000000001',
    email: 'ann@acme.test',
    display_name: 'Ann',
    role: 'admin',
    timezone: 'UTC',
    via: 'web',
    key: undefined,
  } as unknown as Actor
  const ask = async (tool: string, args: object) =>
    (
      await call(app, actor, {
        tool,
        args,
        transport: 'web',
        requestId: 'test',
        route: 'test',
        ip: '127.0.0.1',
      })
    ).value as any
  const read = async () =>
    (await ask('get_file_content', { file_id: 'fil_0000000000000000000000000a' })).content.text
  assert.equal(await read(), 'hello')
  assert.deepEqual(
    (await ask('list_files', {})).items.map((one: any) => one.path),
    ['/Projects/Engine'],
  )
  assert.equal((await ask('upload_file', { name: 'new.txt', content_text: 'x' })).path, '/new.txt')
  await app.jobs.add(app.store.write, app.clock.now(), 'sweep_contents', {}, undefined)
  await new Queue(app).drain()
  assert.equal(
    app.store.raw.read
      .prepare("SELECT count(*) FROM files WHERE content_base64 <> ''")
      .pluck()
      .get(),
    0,
  )
  assert.equal(blobSize(dir, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'), 5)
  assert.equal(await read(), 'hello')
})
