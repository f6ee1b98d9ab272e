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
const fileCount = 1200

/** Uploads files until the server is killed, and collects the acknowledged names. */
async function upload(
  { url }: Served,
  key: string,
  folder: string,
  uploadedNames: string[],
): Promise<void> {
  for (;;) {
    const name = `up ${uploadedNames.length} ${Math.random()}.txt`
    try {
      const answer = await fetch(`${url}/api/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, folder_id: folder, content_text: `content of ${name}` }),
      })
      assert.ok(answer.ok, await answer.text())
      uploadedNames.push(name)
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
  for (let i = 0; i < fileCount; i++)
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
  const rootFolderId = () =>
    db.prepare("SELECT root_folder_id FROM drives WHERE kind = 'google'").pluck().get() as
      | string
      | undefined
  const uploadedNames: string[] = []
  for (let round = 0; round < rounds; round++) {
    server = await serve(dataDir)
    const from = google.requests.length
    await untilTrue(() => rootFolderId() !== undefined, 'the drive is not there')
    const uploading = upload(server, key, rootFolderId()!, uploadedNames)
    await untilTrue(() => google.requests.length >= from + 8 + 5 * round, 'Google was not asked')
    await server.end('SIGKILL')
    await uploading
    assert.ok(google.requests.length > from, `round ${round}: Google was asked`)
  }
  server = await serve(dataDir)
  const pendingCount = () =>
    db
      .prepare(
        'SELECT count(*) FROM files WHERE remote_id IS NOT NULL AND synced_revision <> revision',
      )
      .pluck()
      .get() as number
  const importedCount = () =>
    db.prepare("SELECT count(*) FROM files WHERE name LIKE 'there %'").pluck().get() as number
  await untilTrue(
    () => pendingCount() === 0 && importedCount() >= fileCount,
    () => `${pendingCount()} are left, ${importedCount()} are here`,
  )
  assert.deepEqual([pendingCount(), importedCount()], [0, fileCount])
  assert.ok(uploadedNames.length > rounds, `${uploadedNames.length} uploads were acknowledged`)
  for (const name of uploadedNames) {
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
    'no file exists twice',
  )
  console.log(`${uploadedNames.length} uploads acknowledged, ${rounds} kills`)
})
