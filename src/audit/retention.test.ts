import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SqlText, SqlValue } from '../db/connection.ts'
import { dayLong, makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { checkAnchor, findUnsignedSeals } from './anchor.ts'
import { headsPath, signHeads } from './heads.ts'
import { sealOldCalls } from './retention.ts'
import { publicKeys } from './signing.ts'
import { verifyCalls } from './verify.ts'

let workspace: TestWorkspace
const db = () => workspace.app.store.read
const org = () => workspace.ann.actor.org_id
const verifyOrgChain = async (on: SqlText = db()) =>
  (await verifyCalls(on)).find((report) => report.org_id === org())!
/** The entries, the seal, and the problems found. */
const chainState = async () => {
  const { entries, sealed, broken } = await verifyOrgChain()
  return [entries, sealed, broken]
}
const seal = () => sealOldCalls(workspace.app.store, workspace.dataDir, workspace.clock.now(), 400)
const sealAll = async () => {
  while (await seal());
}

/** Ten calls on the first day, ten a year later. */
before(async () => {
  workspace = await makeWorkspace()
  for (let i = 0; i < 10; i++) await workspace.ann.call('create_label', { name: `old ${i}` })
  await signHeads(db(), workspace.dataDir, workspace.clock.now())
  workspace.clock.pass(365 * dayLong)
  for (let i = 0; i < 10; i++) await workspace.ann.call('create_label', { name: `new ${i}` })
})
after(() => workspace.close())

test('recent entries are kept', async () => {
  await sealAll()
  assert.deepEqual((await chainState()).slice(0, 2), [20, 0])
})

test('old entries are sealed and deleted, the chain holds from the seal on, and heads signed before it are not reported missing', async () => {
  workspace.clock.pass(40 * dayLong)
  assert.equal(await seal(), true)
  assert.deepEqual(
    await chainState(),
    [21, 10, undefined],
    'sealed, not yet deleted; the seal itself is an entry',
  )
  await sealAll()
  assert.deepEqual(await chainState(), [11, 10, undefined])
  const { broken, heads } = await checkAnchor(db(), headsPath(workspace.dataDir), () =>
    publicKeys(workspace.dataDir),
  )
  assert.deepEqual([broken, heads], [[], 2])
  await workspace.ann.call('create_label', { name: 'after' })
  assert.equal((await verifyOrgChain()).broken, undefined)
})

test('a changed or missing entry after the seal is detected', async () => {
  const { raw, write } = workspace.app.store
  raw.write.exec('BEGIN; DROP TRIGGER calls_keep')
  raw.write.exec(`DELETE FROM calls WHERE org_id = '${org()}' AND seq = 11`)
  const why = (await verifyOrgChain(write)).broken?.why
  raw.write.exec('ROLLBACK')
  assert.equal(why, 'entry 11 is missing')
})

test('the database deletes only sealed entries and accepts no invalid seal', async () => {
  const { write } = workspace.app.store.raw
  const addSeal = (seq: number, hash: string) =>
    write.prepare('INSERT INTO call_seals VALUES (?, ?, ?, 0, 1, 0)').run(org(), seq, hash)
  const hashAt = (seq: number) =>
    write
      .prepare('SELECT hash FROM calls WHERE org_id = ? AND seq = ?')
      .pluck()
      .get(org(), seq) as string
  const { sealed, entries } = await verifyOrgChain()
  const last = sealed + entries
  assert.throws(
    () => write.exec(`DELETE FROM calls WHERE org_id = '${org()}' AND seq = 11`),
    /append-only/,
  )
  assert.throws(() => addSeal(12, 'made up'), /a seal names an entry/)
  assert.throws(() => addSeal(last, hashAt(last)), /that others follow/)
  assert.throws(() => write.exec('DELETE FROM call_seals'), /stays/)
  assert.throws(() => write.exec('UPDATE call_seals SET through_seq = 99'), /stays/)
})

test('the last entry is kept regardless of age so that numbering continues', async () => {
  workspace.clock.pass(2000 * dayLong)
  await sealAll()
  const { entries, sealed, broken } = await verifyOrgChain()
  assert.equal(broken, undefined)
  assert.ok(entries >= 1)
  await workspace.ann.call('list_labels')
  assert.deepEqual(await chainState(), [entries + 1, sealed, undefined])
})

test('a seal not signed by any head is reported; retention seals are not', async () => {
  const files = [headsPath(workspace.dataDir)]
  const { write } = workspace.app.store.raw
  assert.ok((await verifyOrgChain()).sealed > 0)
  assert.deepEqual(await findUnsignedSeals(db(), files, () => publicKeys(workspace.dataDir)), [])
  const seq =
    (write.prepare('SELECT max(seq) FROM calls WHERE org_id = ?').pluck().get(org()) as number) - 1
  write
    .prepare(
      'INSERT INTO call_seals SELECT org_id, seq, hash, at, 5, at FROM calls WHERE org_id = ? AND seq = ?',
    )
    .run(org(), seq)
  assert.deepEqual(await findUnsignedSeals(db(), files, () => publicKeys(workspace.dataDir)), [
    { org_id: org(), seq },
  ])
})

test('entries sealed during the comparison with the heads are not reported missing', async () => {
  const { app, ann, dataDir, clock, close } = await makeWorkspace()
  await ann.call('create_label', { name: 'old' })
  await signHeads(app.store.read, dataDir, clock.now())
  clock.pass(500 * dayLong)
  await ann.call('create_label', { name: 'new' })
  const dbSealedMidway = runningBefore(
    (sql) => sql.startsWith('SELECT hash FROM calls'),
    app.store.read,
    async () => {
      while (await sealOldCalls(app.store, dataDir, clock.now(), 400));
    },
  )
  const { broken, heads } = await checkAnchor(dbSealedMidway, headsPath(dataDir), () =>
    publicKeys(dataDir),
  )
  assert.deepEqual([broken, heads > 0], [[], true])
  assert.equal(
    await app.store.read.one('SELECT 1 FROM calls WHERE org_id = ? AND seq = 1', ann.actor.org_id),
    undefined,
  )
  await close()
})

test('a seal signed and written during the comparison with the heads is not reported as forged', async () => {
  const { app, ann, dataDir, clock, close } = await makeWorkspace()
  await ann.call('create_label', { name: 'old' })
  clock.pass(500 * dayLong)
  await ann.call('create_label', { name: 'new' })
  const sealedMeanwhile = runningBefore(
    (sql) => sql.includes('FROM call_seals'),
    app.store.read,
    async () => {
      await sealOldCalls(app.store, dataDir, clock.now(), 400)
    },
  )
  assert.deepEqual(
    await findUnsignedSeals(sealedMeanwhile, [headsPath(dataDir)], () => publicKeys(dataDir)),
    [],
  )
  assert.equal((await app.store.read.all('SELECT 1 FROM call_seals')).length, 1)
  await close()
})

/** A database that runs an action once, right before the first matching query. */
function runningBefore(
  matches: (sql: string) => boolean,
  db: SqlText,
  action: () => Promise<void>,
): SqlText {
  let isDone = false
  const wrapQuery =
    <R>(query: (sql: string, ...values: readonly SqlValue[]) => Promise<R>) =>
    async (sql: string, ...values: readonly SqlValue[]): Promise<R> => {
      if (!isDone && matches(sql)) {
        isDone = true
        await action()
      }
      return query(sql, ...values)
    }
  return {
    one: wrapQuery(db.one.bind(db)) as SqlText['one'],
    all: wrapQuery(db.all.bind(db)) as SqlText['all'],
    run: wrapQuery(db.run.bind(db)),
  }
}
