import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Database from 'better-sqlite3'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { checkAnchor } from './anchor.ts'
import { addHeads, copyHeads, chainEnds, headsPath, signHeads, type Head } from './heads.ts'
import { readLines } from './lines.ts'
import { callHash, firstHash, type ChainedCall } from './record.ts'
import { hasSigned, isValidSignature, publicKeys, loadSigner } from './signing.ts'
import { verifyCalls } from './verify.ts'
import { sqliteConnection } from '../db/dialect.ts'

let workspace: TestWorkspace
let path: string
let keys: string[]
const copyPath = () => join(workspace.dataDir, 'copy.db')

/** Six calls by ann, and heads signed after the second, fourth and sixth. */
before(async () => {
  workspace = await makeWorkspace()
  const { app, ann, eve, dataDir } = workspace
  path = headsPath(dataDir)
  await eve.call('list_labels')
  for (let i = 0; i < 6; i++) {
    await ann.call('create_label', { name: `anchored ${i}` })
    if (i % 2 === 1) await signHeads(app.store.read, dataDir, workspace.clock.now())
  }
  keys = publicKeys(dataDir)
  app.store.raw.read.exec(`VACUUM INTO '${copyPath()}'`)
})
after(() => workspace.close())

const org = () => workspace.ann.actor.org_id
const annsHeads = () =>
  readLines(path)
    .map((line) => JSON.parse(line) as Head)
    .filter((head) => head.org_id === org())

/** Checks the heads against a manipulated copy of the database. */
async function checkTampered(
  change: (db: Database.Database) => void,
  file = path,
): Promise<{ chain: string | undefined; heads: string[] }> {
  const db = new Database(readFileSync(copyPath()))
  for (const name of db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .pluck()
    .all() as string[])
    db.exec(`DROP TRIGGER ${name}`)
  change(db)
  const result = {
    chain: (await verifyCalls(sqliteConnection(db))).find((report) => report.broken)?.broken?.why,
    heads: (await checkAnchor(sqliteConnection(db), file, () => keys)).broken.map(
      (item) => item.why,
    ),
  }
  db.close()
  return result
}

/** Rewrites a chain from an entry on, like an attacker who knows the format. */
function rewriteChain(db: Database.Database, from: number): void {
  const rows = db
    .prepare('SELECT * FROM calls WHERE org_id = ? AND seq >= ? ORDER BY seq')
    .all(org(), from) as (ChainedCall & { id: string; prev_hash: string })[]
  let prev = rows[0]!.prev_hash
  for (const row of rows) {
    row.tool = 'list_labels'
    const hash = callHash(prev, row)
    db.prepare('UPDATE calls SET tool = ?, prev_hash = ?, hash = ? WHERE id = ?').run(
      row.tool,
      prev,
      hash,
      row.id,
    )
    prev = hash
  }
}

test('an untampered log contains every entry whose hash was signed', async () => {
  const report = await checkAnchor(workspace.app.store.read, path, () => keys)
  assert.deepEqual([report.broken, report.heads, report.newest?.seq], [[], 4, 6])
  assert.deepEqual(
    annsHeads().map((head) => [head.seq, head.event]),
    [
      [2, 'head'],
      [4, 'head'],
      [6, 'head'],
    ],
  )
})

test('entries cut off the end, which the chain alone cannot detect, are detected', async () => {
  const cut = await checkTampered((db) =>
    db.exec(`DELETE FROM calls WHERE org_id = '${org()}' AND seq > 4`),
  )
  assert.equal(cut.chain, undefined)
  assert.match(
    cut.heads[0]!,
    /cut off: it ended with entry 6 at 2026-11-20T12:00:00.000Z, and ends with entry 4 now/,
  )
  assert.match(
    (await checkTampered((db) => db.exec(`DELETE FROM calls WHERE org_id = '${org()}'`))).heads[0]!,
    /ends with entry 0 now/,
  )
})

test('a chain rewritten along with its hashes is detected', async () => {
  const rewritten = await checkTampered((db) => rewriteChain(db, 3))
  assert.equal(rewritten.chain, undefined)
  assert.match(
    rewritten.heads[0]!,
    /entry 4 is not the one that was signed at .*: the log was rewritten/,
  )
})

test('a head that is altered, signed with another key or removed from the file is detected', async () => {
  const lines = readLines(path)
  const file = join(workspace.dataDir, 'heads.log')
  const firstProblem = async (changed: readonly string[]) => {
    writeFileSync(file, `${changed.join('\n')}\n`)
    return (await checkAnchor(workspace.app.store.read, file, () => keys)).broken[0]?.why
  }
  assert.equal(await firstProblem(lines), undefined)
  assert.match(
    (await firstProblem(
      lines.map((line, i) => (i === 1 ? line.replace(/"seq":\d/, '"seq":9') : line)),
    ))!,
    /line 2 was changed: its signature is invalid/,
  )
  assert.match(
    (await firstProblem(lines.filter((_, i) => i !== 1)))!,
    /line 2 does not follow any line before it/,
  )
  assert.match(
    (await firstProblem(
      lines.map((line, i) =>
        i === 3 ? line.replace(keys[0]!, `${keys[0]!.slice(0, -2)}AA`) : line,
      ),
    ))!,
    /line 4 is signed with an unknown key/,
  )
  assert.equal(
    await firstProblem([...lines, '{"half a li']),
    undefined,
    'a line that a crash cut short proves nothing',
  )
})

test('the remote copy receives missing heads once and reveals entries and heads cut off locally', async () => {
  const remoteCopy = join(workspace.dataDir, 'elsewhere.log')
  for (let i = 0; i < 3; i++) copyHeads(workspace.dataDir, remoteCopy)
  assert.equal(readFileSync(remoteCopy, 'utf8'), readFileSync(path, 'utf8'))
  const shortened = join(workspace.dataDir, 'shortened.log')
  writeFileSync(shortened, `${readLines(path).slice(0, -1).join('\n')}\n`)
  const cut = (db: Database.Database) =>
    void db.exec(`DELETE FROM calls WHERE org_id = '${org()}' AND seq > 4`)
  assert.deepEqual(
    (await checkTampered(cut, shortened)).heads,
    [],
    'both were cut, so nothing in them reveals it',
  )
  assert.match((await checkTampered(cut, remoteCopy)).heads[0]!, /cut off/)
})

test('after a backup is restored, heads beyond it are not reported missing; earlier ones are', async () => {
  const file = join(workspace.dataDir, 'audit-heads.log.before')
  copyFileSync(path, file)
  const end = (await chainEnds(workspace.app.store.read)).find((item) => item.org_id === org())!
  const fourth = annsHeads().find((head) => head.seq === 4)!
  addHeads(
    workspace.dataDir,
    'restored',
    [{ org_id: org(), seq: fourth.seq, hash: fourth.hash }],
    workspace.clock.now(),
  )
  const cut = await checkTampered((db) =>
    db.exec(`DELETE FROM calls WHERE org_id = '${org()}' AND seq > 4`),
  )
  const short = await checkTampered((db) =>
    db.exec(`DELETE FROM calls WHERE org_id = '${org()}' AND seq > 3`),
  )
  copyFileSync(file, path)
  assert.deepEqual(cut.heads, [])
  assert.match(short.heads[0]!, /ended with entry 4/)
  assert.equal(end.seq, 6)
})

test('already signed entries are not signed again', async () => {
  const before = readFileSync(path, 'utf8')
  assert.equal(
    await signHeads(workspace.app.store.read, workspace.dataDir, workspace.clock.now()),
    0,
  )
  assert.equal(readFileSync(path, 'utf8'), before)
})

test('a key counts as having signed only once its heads are on disk', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'signed-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const { key } = loadSigner(dir)
  assert.deepEqual([hasSigned(dir), publicKeys(dir)], [false, [key]])
  const end = { org_id: org(), seq: 1, hash: firstHash }
  mkdirSync(headsPath(dir)) // nothing can be written there
  assert.throws(() => addHeads(dir, 'head', [end], 0))
  assert.equal(hasSigned(dir), false)
  rmdirSync(headsPath(dir))
  addHeads(dir, 'head', [end], 0)
  assert.deepEqual([hasSigned(dir), publicKeys(dir)], [true, [key]])
  rmSync(join(dir, 'audit.pub')) // as if the process had ended between the two files
  assert.deepEqual([hasSigned(dir), publicKeys(dir)], [false, [key]])
  await signHeads(workspace.app.store.read, dir, 0)
  assert.equal(hasSigned(dir), true)
})

test('the private key is stored in a file that only its owner can read', async () => {
  assert.ok(hasSigned(workspace.dataDir))
  const pem = readFileSync(join(workspace.dataDir, 'audit.key'), 'utf8')
  assert.equal(statSync(join(workspace.dataDir, 'audit.key')).mode & 0o777, 0o600)
  assert.match(pem, /BEGIN PRIVATE KEY/)
  assert.equal(loadSigner(workspace.dataDir).key, keys[0])
  assert.ok(
    !isValidSignature('text', keys[0]!, 'no signature') &&
      !isValidSignature('text', 'no key', 'no signature'),
  )
  assert.ok(isValidSignature('text', keys[0]!, loadSigner(workspace.dataDir).sign('text')))
  assert.equal(firstHash.length, 64)
})
