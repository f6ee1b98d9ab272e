import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Database from 'better-sqlite3'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { sqliteConnection } from '../db/dialect.ts'
import { verifyCalls, type ChainReport } from './verify.ts'

let workspace: TestWorkspace
/** Content of a file with a copy of the database. */
let databaseFile: Buffer

before(async () => {
  workspace = await makeWorkspace()
  const { ann, eve } = workspace
  for (let i = 0; i < 5; i++) await ann.call('create_label', { name: `audit ${i}` })
  for (let i = 0; i < 3; i++) await eve.call('list_labels')
  const path = join(workspace.dataDir, 'copy.db')
  workspace.app.store.raw.write.exec(`VACUUM INTO '${path}'`)
  databaseFile = readFileSync(path)
})
after(() => workspace.close())

/** Report on a copy of the database, modified by `change` without the triggers that protect the log. */
async function verifyTampered(change: (db: Database.Database) => void): Promise<ChainReport> {
  const db = new Database(databaseFile)
  const triggers = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .pluck()
    .all() as string[]
  for (const name of triggers) db.exec(`DROP TRIGGER ${name}`)
  change(db)
  const report = (await verifyCalls(sqliteConnection(db))).find(
    (chain) => chain.org_id === workspace.ann.actor.org_id,
  )!
  db.close()
  return report
}

const whereEntry = (seq: number) => `org_id = '${workspace.ann.actor.org_id}' AND seq = ${seq}`

test('an untouched log verifies, for each organization separately', async () => {
  const reports = await verifyCalls(workspace.app.store.read)
  assert.deepEqual(reports.map((report) => [report.entries, report.broken]).sort(), [
    [3, undefined],
    [5, undefined],
  ])
})

test('a change to any column covered by the hash is detected', async () => {
  for (const change of [
    "tool = 'delete_label'",
    'at = at + 1',
    "status = 'error'",
    `actor_id = '${workspace.bob.id}'`,
    'changed = 0',
    "items_json = '[]'",
    'duration_us = 1',
  ]) {
    assert.deepEqual(
      (await verifyTampered((db) => db.exec(`UPDATE calls SET ${change} WHERE ${whereEntry(3)}`)))
        .broken,
      { seq: 3, id: idOf(3), why: 'its columns were changed' },
      change,
    )
  }
})

test('changed details are detected; erased details are not reported', async () => {
  assert.equal(
    (
      await verifyTampered((db) =>
        db.exec(`UPDATE calls SET details_json = '{}' WHERE ${whereEntry(2)}`),
      )
    ).broken?.why,
    'its details were changed',
  )
  assert.equal(
    (await verifyTampered((db) => db.exec(`UPDATE calls SET salt = 'x' WHERE ${whereEntry(2)}`)))
      .broken?.why,
    'its details were changed',
  )
  assert.equal(
    (
      await verifyTampered((db) =>
        db.exec(`UPDATE calls SET details_json = NULL, salt = NULL WHERE ${whereEntry(2)}`),
      )
    ).broken,
    undefined,
  )
})

test('a removed entry is detected at the beginning and in the middle', async () => {
  assert.deepEqual(
    (await verifyTampered((db) => db.exec(`DELETE FROM calls WHERE ${whereEntry(1)}`))).broken?.why,
    'entry 1 is missing',
  )
  assert.deepEqual(
    (await verifyTampered((db) => db.exec(`DELETE FROM calls WHERE ${whereEntry(3)}`))).broken?.why,
    'entry 3 is missing',
  )
})

test('a removed entry is detected even when later entries are renumbered', async () => {
  const report = await verifyTampered((db) =>
    db.exec(
      `DELETE FROM calls WHERE ${whereEntry(3)}; UPDATE calls SET seq = 3 WHERE ${whereEntry(4)}; UPDATE calls SET seq = 4 WHERE ${whereEntry(5)}`,
    ),
  )
  assert.deepEqual(
    [report.broken?.seq, report.broken?.why],
    [3, 'it does not follow the entry before it'],
  )
})

test('swapped entries are detected', async () => {
  const report = await verifyTampered((db) =>
    db.exec(
      `UPDATE calls SET seq = 99 WHERE ${whereEntry(2)}; UPDATE calls SET seq = 2 WHERE ${whereEntry(3)}; UPDATE calls SET seq = 3 WHERE ${whereEntry(99)}`,
    ),
  )
  assert.equal(report.broken?.seq, 2)
})

test('a forged entry outside the chain is detected', async () => {
  const columns = (
    workspace.app.store.raw.read.pragma('table_info(calls)') as { name: string }[]
  ).map((item) => item.name)
  const forgedColumns: Record<string, string> = { id: "'clg_made_up'", seq: '6' }
  const values = columns.map((name) => forgedColumns[name] ?? name).join(', ')
  const report = await verifyTampered((db) =>
    db.exec(
      `INSERT INTO calls (${columns.join(', ')}) SELECT ${values} FROM calls WHERE ${whereEntry(5)}`,
    ),
  )
  assert.equal(report.broken?.seq, 6)
})

test('the database refuses to update or delete an entry; only details can be erased', async () => {
  const db = new Database(databaseFile)
  assert.throws(() => db.exec(`DELETE FROM calls WHERE ${whereEntry(1)}`), /append-only/)
  assert.throws(() => db.exec(`UPDATE calls SET tool = 'x' WHERE ${whereEntry(1)}`), /append-only/)
  assert.throws(
    () => db.exec(`UPDATE calls SET details_json = '{}' WHERE ${whereEntry(1)}`),
    /only be erased/,
  )
  assert.doesNotThrow(() =>
    db.exec(`UPDATE calls SET details_json = NULL, salt = NULL WHERE ${whereEntry(1)}`),
  )
  db.close()
})

function idOf(seq: number): string {
  return workspace.app.store.raw.read
    .prepare(`SELECT id FROM calls WHERE ${whereEntry(seq)}`)
    .pluck()
    .get() as string
}
