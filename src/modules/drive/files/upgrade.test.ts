import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { blobSize } from '../../../files/blobs.ts'
import { call } from '../../../operations/call/index.ts'
import { openApp } from '../../../start.ts'
import { readSettings } from '../../../config/settings.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { databasePath } from '../../../db/open.ts'
import { Queue } from '../../../jobs/queue.ts'
import { HandClock } from '../../../testing/harness.ts'
import { databaseOfFirstRelease } from '../../../testing/releases/index.ts'
import { scratch } from '../../../testing/scratch.ts'
import { modules } from '../../index.ts'

const ann = 'usr_01m7wd7tg0fjf0xpxcjdt74n8w'
const org = 'org_01m7wd7tg0fjf0xpxcjdt74n8t'

/** A file as stored before blobs existed: with its content in the row. */
const inlineFile = `
  INSERT INTO files (id, org_id, place, drive_id, owner_id, parent_id, is_root, type, name, name_folded, mime_type, size_bytes, sha256, content_base64, version, modified_at, modified_by, trust, text_status, revision, created_at, updated_at, created_by, created_via)
  SELECT 'fil_0000000000000000000000000a', org_id, place, drive_id, owner_id, id, 0, 'document', 'old.txt', 'old.txt', 'text/plain', 5, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', 'aGVsbG8=', 0, 0, owner_id, 'internal', 'none', 1, 0, 0, owner_id, 'web'
  FROM files WHERE owner_id = '${ann}' AND place = 'drive' AND is_root = 1`

test('after an upgrade from the first release files are intact, and contents stored in the database move out of it', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  writeFileSync(databasePath(dir), databaseOfFirstRelease())
  const oldDatabase = new Database(databasePath(dir))
  oldDatabase.exec(inlineFile)
  oldDatabase.close()
  const app = await openApp({
    settings: { ...readSettings({}, {}), data: dir, limits: false, check_answers: true },
    clock: new HandClock(),
    modules,
    log: { info() {}, warn() {}, error: console.error },
  })
  t.after(() => app.store.close())
  app.baseUrl = 'http://workspace.test'
  const actor = {
    id: ann,
    org_id: org,
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
    (await ask('list_files', {})).items.map((item: any) => item.path),
    ['/old.txt', '/zyxhidden folder', '/Projects/zyxhidden project'],
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
