import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { checkAnchor } from '../../audit/anchor.ts'
import { headsPath } from '../../audit/heads.ts'
import { publicKeys } from '../../audit/signing.ts'
import { verifyCalls } from '../../audit/verify.ts'
import { blobName, putBlob } from '../../files/blobs.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { NewerSchema } from '../../db/migrate.ts'
import { databasePath, openStore } from '../../db/open.ts'
import { issueKey, revokeKey } from '../../keys/issue.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { pack, unpack } from './archive.ts'
import { makeBackup, type Backup } from './make.ts'
import { restoreBackup } from './restore.ts'

let workspace: TestWorkspace
let backupsDir: string

before(async () => {
  workspace = await makeWorkspace()
  backupsDir = mkdtempSync(join(dirname(workspace.dataDir), 'workspace-backups-'))
  const { ann } = workspace
  await ann.call('create_project', { name: 'Engine room', key: 'ENG' })
  for (let i = 0; i < 12; i++)
    await ann.call('create_task', { project_id: 'ENG', title: `Oil the valves ${i}` })
})
after(async () => {
  await workspace.close()
  rmSync(backupsDir, { recursive: true, force: true })
})

const backUp = (more: { to?: string; keep?: number } = {}): Promise<Backup> => {
  workspace.clock.pass(60_000)
  const { app, dataDir, clock } = workspace
  return makeBackup({
    store: app.store,
    dataDir,
    version: '9.9.9',
    now: clock.now(),
    to: backupsDir,
    ...more,
  })
}
const restoreDir = (name: string) => join(backupsDir, `restored-${name}`)
const restore = (archive: string, name: string, revokedLog?: string) =>
  restoreBackup({ archive, dataDir: restoreDir(name), clock: workspace.clock, revokedLog })

async function refusal(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => undefined,
    (item: unknown) => item,
  )
  assert.ok(error instanceof Refusal, String(error))
  return error
}

test('a backup is one file readable by its owner only, made while others write, and logged as a call', async () => {
  const { ann, app } = workspace
  let isWriting = true
  let written = 0
  const writing = (async () => {
    for (; isWriting; written++)
      await ann.call('create_task', { project_id: 'ENG', title: `Meanwhile ${written}` })
  })()
  const backup = await backUp()
  isWriting = false
  await writing
  assert.equal(statSync(backup.path).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(backupsDir),
    [backup.path.slice(backupsDir.length + 1)],
    'nothing else is left',
  )
  assert.match(backup.path, /workspace-\d{8}T\d{6}Z\.tar\.zst$/)
  assert.deepEqual(
    backup.manifest.files.map((file) => file.name),
    ['workspace.db', 'audit-heads.log', 'audit.pub'],
  )
  assert.ok(backup.manifest.rows.tasks! >= 12)
  const entry = app.store.raw.read
    .prepare("SELECT details_json FROM calls WHERE tool = 'back_up'")
    .pluck()
    .all() as string[]
  assert.equal(entry.length, 2, 'one in the log of each organization')
  assert.ok(entry[0]!.includes(backup.manifest.files[0]!.sha256))
})

test('a restore reproduces the backup: rows, search, the call log and its heads', async () => {
  const backup = await backUp()
  const restored = await restore(backup.path, 'whole')
  assert.deepEqual(restored.rows, backup.manifest.rows)
  const dir = restoreDir('whole')
  assert.equal(statSync(dir).mode & 0o777, 0o700)
  for (const name of readdirSync(dir)) assert.equal(statSync(join(dir, name)).mode & 0o077, 0, name)
  assert.ok(!existsSync(join(dir, 'manifest.json')))
  const store = openStore(dir)
  const titles = (db: Database.Database) =>
    db.prepare('SELECT id, title FROM tasks ORDER BY id').all()
  assert.deepEqual(titles(store.raw.read), titles(workspace.app.store.raw.read))
  assert.ok(
    (store.raw.read
      .prepare("SELECT count(*) FROM search_fts WHERE search_fts MATCH 'valves'")
      .pluck()
      .get() as number) >= 12,
  )
  for (const chain of await verifyCalls(store.read)) assert.equal(chain.broken, undefined)
  const { broken, restored: restoredCount } = await checkAnchor(store.read, headsPath(dir), () =>
    publicKeys(dir),
  )
  assert.deepEqual([broken, restoredCount], [[], backup.manifest.heads.length])
  assert.equal(
    store.raw.read.prepare("SELECT count(*) FROM calls WHERE tool = 'restore'").pluck().get(),
    2,
    'in the log of each organization',
  )
  await store.close()
})

test('the private key for signing heads is in no backup; a restored workspace uses a new one', async () => {
  const backup = await backUp()
  const whole = zstdDecompressSync(readFileSync(backup.path))
  const secret = readFileSync(join(workspace.dataDir, 'audit.key'), 'utf8').split('\n')[1]!
  assert.ok(!whole.includes(secret) && !whole.includes('PRIVATE KEY'))
  await restore(backup.path, 'signed')
  assert.notEqual(
    readFileSync(join(restoreDir('signed'), 'audit.key'), 'utf8').split('\n')[1],
    secret,
  )
  assert.equal(publicKeys(restoreDir('signed')).length, 2)
})

test('a key revoked after the backup stays revoked through the revocation list of the lost instance', async () => {
  const { app, ann, clock, dataDir } = workspace
  const issue = (name: string) => issueKey(app.store, clock, { owner: ann.id, name, via: 'cli' })
  const [early, late, live] = [await issue('early'), await issue('late'), await issue('live')]
  await revokeKey(app.store, clock, dataDir, { key: early.id })
  const backup = await backUp()
  assert.ok(backup.manifest.files.some((file) => file.name === 'revoked.log'))
  await revokeKey(app.store, clock, dataDir, { key: late.id })
  const restored = await restore(backup.path, 'keys', join(dataDir, 'revoked.log'))
  assert.deepEqual(restored.kept_revoked, [late.id])
  const db = new Database(databasePath(restoreDir('keys')), { readonly: true })
  const revoked = db
    .prepare('SELECT id FROM api_keys WHERE revoked_at IS NOT NULL ORDER BY id')
    .pluck()
    .all()
  db.close()
  assert.deepEqual(revoked, [early.id, late.id].sort())
  assert.ok(!revoked.includes(live.id))
})

test('background jobs requested by people are held, internal ones are not', async () => {
  const { app, ann } = workspace
  const add = app.store.raw.write.prepare(
    "INSERT INTO jobs (id, org_id, owner_id, kind, arguments_json, state, lease, priority, run_at, queued_at, attempts, most_attempts, beats, cancel_asked, asked_again, created_at) VALUES (?, ?, ?, 'x', '{}', ?, ?, 1, 0, 0, 0, 5, 0, 0, 0, 0)",
  )
  add.run('job_mail', ann.actor.org_id, ann.id, 'waiting', null)
  add.run('job_hook', ann.actor.org_id, ann.id, 'running', 'somebody')
  add.run('job_house', null, null, 'waiting', null)
  const backup = await backUp()
  app.store.raw.write.exec("DELETE FROM jobs WHERE id LIKE 'job\\_%' ESCAPE '\\' AND kind = 'x'")
  const { settled } = await restore(backup.path, 'jobs')
  assert.equal(settled.find((item) => item.table === 'jobs')!.rows, 2)
  const db = new Database(databasePath(restoreDir('jobs')), { readonly: true })
  const jobs = db
    .prepare("SELECT id, state, last_error FROM jobs WHERE kind = 'x' ORDER BY id")
    .all() as { id: string; state: string; last_error: string | null }[]
  db.close()
  assert.deepEqual(
    jobs.map((job) => [job.id, job.state]),
    [
      ['job_hook', 'dead'],
      ['job_house', 'waiting'],
      ['job_mail', 'dead'],
    ],
  )
  assert.match(jobs[0]!.last_error!, /^Held: a backup of 2026-.* was restored/)
})

test('uploaded files are included, each with its checksum', async () => {
  const uploaded = await workspace.ann.call('upload_file', {
    name: 'kept.txt',
    content_text: 'an attachment',
  })
  putBlob(workspace.dataDir, Buffer.from('of no row'))
  const backup = await backUp()
  const [version] = (await workspace.ann.call('list_file_versions', { file_id: uploaded.id })).items
  const name = blobName(version.sha256)
  assert.deepEqual(
    backup.manifest.files
      .filter((file) => file.name.startsWith('blobs/'))
      .map((file) => [file.name, file.bytes]),
    [[name, 13]],
  )
  await restore(backup.path, 'files')
  assert.equal(readFileSync(join(restoreDir('files'), name), 'utf8'), 'an attachment')
})

test('a non-empty folder is left untouched', async () => {
  const backup = await backUp()
  const dir = restoreDir('taken')
  mkdirSync(dir)
  writeFileSync(join(dir, 'mine'), 'x')
  assert.match((await refusal(restore(backup.path, 'taken'))).message, /is not empty/)
  assert.deepEqual(readdirSync(dir), ['mine'])
})

/**
 * The archive with one bit flipped: the first significant one at or after `from`, since some flips decompress to the
 * same bytes.
 */
function flipBit(from: number, archive: Buffer, plain: Buffer): Buffer {
  const flipped = Buffer.from(archive)
  for (let at = from; at < archive.length; at++) {
    flipped[at] = flipped[at]! ^ 1
    try {
      if (!zstdDecompressSync(flipped).equals(plain)) return flipped
    } catch {
      return flipped // it cannot be read any more
    }
    flipped[at] = flipped[at]! ^ 1
  }
  throw new Error('no flipped bit changes what is in the archive')
}

test('a corrupted, truncated or invalid backup is refused, and no part of it is kept', async () => {
  const backup = await backUp()
  const whole = readFileSync(backup.path)
  const bad = join(backupsDir, 'bad.tar.zst')
  const plain = zstdDecompressSync(whole)
  const changed = Buffer.from(plain)
  const at = changed.indexOf('Oil the valves')
  changed[at] = changed[at]! ^ 1
  const middle = Math.floor(whole.length / 2)
  const damages = {
    flipped: flipBit(middle, whole, plain),
    changed: zstdCompressSync(changed),
    short: whole.subarray(0, middle),
    shortTar: zstdCompressSync(plain.subarray(0, 20 * 512)),
    text: Buffer.from('no backup'),
    empty: Buffer.alloc(0),
    zeros: zstdCompressSync(Buffer.alloc(10240)),
  }
  for (const [name, bytes] of Object.entries(damages)) {
    writeFileSync(bad, bytes)
    assert.match((await refusal(restore(bad, 'bad'))).message, /cannot be used as a backup/, name)
    assert.ok(!existsSync(restoreDir('bad')), name)
  }
  assert.match(
    (await refusal(restore(join(backupsDir, 'nowhere'), 'bad'))).message,
    /There is no backup/,
  )
})

test('an archive with unexpected file names is refused', async () => {
  const draft = mkdtempSync(join(backupsDir, 'draft-'))
  const backup = await backUp()
  const manifest = await unpack(backup.path, draft)
  const write = (changed: unknown) =>
    writeFileSync(join(draft, 'manifest.json'), JSON.stringify(changed))
  for (const name of [
    '../escaped',
    '/etc/passwd',
    'files/../../escaped',
    'audit.key',
    'server.lock',
  ]) {
    const archive = join(backupsDir, `crafted-${name.replaceAll(/\W/g, '_')}.tar.zst`)
    write({ ...manifest, files: [...manifest.files, { name, bytes: 1, sha256: '0'.repeat(64) }] })
    await pack(
      draft,
      manifest.files.map((file) => file.name),
      archive,
    )
    await refusal(restore(archive, 'crafted'))
    assert.ok(!existsSync(restoreDir('crafted')))
  }
  writeFileSync(join(draft, 'extra'), 'not in the manifest')
  write(manifest)
  const archive = join(backupsDir, 'extra.tar.zst')
  await pack(draft, [...manifest.files.map((file) => file.name), 'extra'], archive)
  assert.match(
    (await refusal(restore(archive, 'crafted'))).message,
    /extra is not what the manifest says/,
  )
})

test('a backup whose database contradicts its manifest, or whose log was altered, is refused even with valid checksums', async () => {
  const draft = mkdtempSync(join(backupsDir, 'draft-'))
  const backup = await backUp()
  const { createHash } = await import('node:crypto')
  const manifest = await unpack(backup.path, draft)
  const repackWith = async (name: string, change: string): Promise<string> => {
    const path = join(draft, 'workspace.db')
    const db = new Database(path)
    for (const trigger of db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .pluck()
      .all() as string[])
      db.exec(`DROP TRIGGER ${trigger}`)
    db.exec(change)
    db.close()
    const bytes = readFileSync(path)
    const files = manifest.files.map((file) =>
      file.name === 'workspace.db'
        ? { ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
        : file,
    )
    writeFileSync(join(draft, 'manifest.json'), JSON.stringify({ ...manifest, files }))
    const archive = join(backupsDir, `${name}.tar.zst`)
    await pack(
      draft,
      files.map((file) => file.name),
      archive,
    )
    return archive
  }
  assert.match(
    (
      await refusal(
        restore(
          await repackWith('fewer', 'DELETE FROM labels; DELETE FROM changes WHERE seq = 1'),
          'unfit',
        ),
      )
    ).message,
    /changes has \d+ rows, not \d+/,
  )
  assert.match(
    (
      await refusal(
        restore(await repackWith('changed', "UPDATE calls SET tool = 'x' WHERE seq = 2"), 'unfit'),
      )
    ).message,
    /the call log is broken at entry 2/,
  )
})

test('a backup of a newer version is refused', async () => {
  const draft = mkdtempSync(join(backupsDir, 'draft-'))
  const backup = await backUp()
  const manifest = await unpack(backup.path, draft)
  writeFileSync(join(draft, 'manifest.json'), JSON.stringify({ ...manifest, schema_version: 99 }))
  await pack(
    draft,
    manifest.files.map((file) => file.name),
    join(backupsDir, 'newer.tar.zst'),
  )
  await assert.rejects(restore(join(backupsDir, 'newer.tar.zst'), 'newer'), NewerSchema)
  assert.ok(!existsSync(restoreDir('newer')))
})

test('only the given number of backups is kept in a folder, and no other file is removed', async () => {
  const folder = join(backupsDir, 'rotated')
  mkdirSync(folder)
  writeFileSync(join(folder, 'workspace-mine.tar.zst'), 'x')
  for (let i = 0; i < 4; i++) await backUp({ to: folder, keep: 2 })
  const remaining = readdirSync(folder).sort()
  assert.equal(remaining.length, 3)
  assert.ok(remaining.includes('workspace-mine.tar.zst'))
})

test('an existing file is not overwritten, and a damaged database is not backed up', async () => {
  const to = join(backupsDir, 'once.tar.zst')
  await backUp({ to })
  assert.equal((await refusal(backUp({ to }))).code, 'conflict')
  const { write } = workspace.app.store.raw
  write.pragma('foreign_keys = OFF')
  write.exec("INSERT INTO team_members VALUES ('team_none', 'usr_none', 'org_none', 'lead', 0)")
  const folder = join(backupsDir, 'damaged')
  const refused = await refusal(backUp({ to: folder }))
  write.exec("DELETE FROM team_members WHERE team_id = 'team_none'")
  write.pragma('foreign_keys = ON')
  assert.match(refused.message, /damaged.*rows refer to missing rows, the first in team_members/)
  assert.deepEqual(readdirSync(folder), [])
})

test('the draft of a killed backup is removed by the next one, that of a running backup is kept', async () => {
  const [stale, running] = ['.backup-aaaaaa', '.backup-bbbbbb'].map((name) =>
    join(backupsDir, name),
  ) as [string, string]
  for (const draft of [stale, running]) {
    mkdirSync(draft, { mode: 0o700 })
    writeFileSync(join(draft, 'workspace.db'), 'a copy')
  }
  const longAgo = Date.now() / 1000 - 2 * 3600
  for (const path of [join(stale, 'workspace.db'), stale, running])
    utimesSync(path, longAgo, longAgo)
  await backUp()
  assert.deepEqual([existsSync(stale), existsSync(running)], [false, true])
  rmSync(running, { recursive: true })
})
