import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { connectAccount } from '../../../testing/mail/accounts.ts'
import { makeWorkspace } from '../../../testing/harness.ts'
import { serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { startGoogle } from '../../../testing/servers/google-drive.ts'
import { untilTrue } from '../../../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const files = 1200

/** Uploads until the server is gone; the names that were acknowledged. */
async function upload({ url }: Served, key: string, folder: string, done: string[]): Promise<void> {
  for (;;) {
    const name = `up ${done.length} ${Math.random()}.txt`
    try {
      const answer = await fetch(`${url}/api/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, folder_id: folder, content_text: `content of ${name}` }),
      })
      assert.ok(answer.ok, await answer.text())
      done.push(name)
      await pause(20)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // the server was killed
    }
  }
}

test(`a server killed ${rounds} times while listing and uploading has every file once here and once at Google`, async (t) => {
  const google = await startGoogle()
  const workspace = await makeWorkspace()
  const { dataDir, ann } = workspace
  const secretFile = `${dataDir}.secret`
  writeFileSync(secretFile, google.clientSecret)
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    for (const file of [secretFile, `${dataDir}.key`, dataDir])
      rmSync(file, { recursive: true, force: true })
    await google.close()
  })
  await connectAccount(
    workspace.app,
    ann,
    { provider: 'google', has_mail: 0, has_drive: 1, status: 'syncing' },
    { refreshToken: google.join(ann.actor.email) },
  )
  await workspace.app.store.close()
  for (let i = 0; i < files; i++)
    google.put(ann.actor.email, { name: `there ${i}.bin`, mimeType: 'application/octet-stream' })
  google.pageSize = 60
  Object.assign(process.env, {
    WORKSPACE_MASTER_KEY_FILE: `${dataDir}.key`,
    WORKSPACE_OUTBOUND_ALLOW: google.host,
    WORKSPACE_GOOGLE_CLIENT_ID: google.clientId,
    WORKSPACE_GOOGLE_CLIENT_SECRET_FILE: secretFile,
    WORKSPACE_GOOGLE_ENDPOINTS: google.endpoints,
  })
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    ann.actor.email,
    '--name',
    'crash',
    '--data',
    dataDir,
  )
  const db = new Database(`${dataDir}/workspace.db`, { readonly: true })
  t.after(() => db.close())
  const top = () =>
    db.prepare("SELECT root_folder_id FROM drives WHERE kind = 'google'").pluck().get() as
      | string
      | undefined
  const done: string[] = []
  for (let round = 0; round < rounds; round++) {
    server = await serve(dataDir)
    const from = google.requests.length
    await untilTrue(() => top() !== undefined, 'the drive is not there')
    const uploading = upload(server, key, top()!, done)
    await untilTrue(() => google.requests.length >= from + 8 + 5 * round, 'Google was not asked')
    await server.end('SIGKILL')
    await uploading
    assert.ok(google.requests.length > from, `round ${round}: Google was asked`)
  }
  server = await serve(dataDir)
  const left = () =>
    db
      .prepare(
        'SELECT count(*) FROM files WHERE remote_id IS NOT NULL AND synced_revision <> revision',
      )
      .pluck()
      .get() as number
  const here = () =>
    db.prepare("SELECT count(*) FROM files WHERE name LIKE 'there %'").pluck().get() as number
  await untilTrue(
    () => left() === 0 && here() >= files,
    () => `${left()} are left, ${here()} are here`,
  )
  assert.deepEqual([left(), here()], [0, files])
  assert.ok(done.length > rounds, `${done.length} uploads were acknowledged`)
  for (const name of done) {
    assert.deepEqual(
      google.find(name).map((standInFile) => google.textOf(standInFile.id)),
      [`content of ${name}`],
      name,
    )
    assert.equal(db.prepare('SELECT count(*) FROM files WHERE name = ?').pluck().get(name), 1, name)
  }
  assert.equal(
    new Set([...google.files.values()].map((file) => file.name)).size,
    google.files.size,
    'nothing is there twice',
  )
  console.log(`${done.length} uploads acknowledged, ${rounds} kills`)
})
