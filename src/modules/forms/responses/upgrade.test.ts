import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { migrate } from '../../../db/migrate.ts'
import { databaseOfFirstRelease } from '../../../testing/releases/index.ts'

test('responses from before the upgrade are linked to the fields of that time, including retired ones', (t) => {
  const db = new Database(databaseOfFirstRelease())
  t.after(() => db.close())
  const forms = db
    .prepare(
      'SELECT id, fields_json FROM forms WHERE EXISTS (SELECT 1 FROM form_responses WHERE form_id = forms.id) ORDER BY id',
    )
    .all() as { id: string; fields_json: string }[]
  const [first, second] = forms
  const [note, ...rest] = JSON.parse(first!.fields_json)
  const updateFields = db.prepare('UPDATE forms SET fields_json = ?, retired_json = ? WHERE id = ?')
  updateFields.run(JSON.stringify(rest), JSON.stringify([note]), first!.id)
  updateFields.run('[]', second!.fields_json, second!.id)
  migrate(db)
  const versions = db.prepare('SELECT * FROM form_versions ORDER BY form_id').all() as any[]
  assert.deepEqual(
    versions.map(({ form_id, version, fields_json }) => [form_id, version, fields_json]),
    forms.map(({ id, fields_json }) => [
      id,
      1,
      id === first!.id ? JSON.stringify([...rest, note]) : fields_json,
    ]),
  )
  const others = db.prepare('SELECT count(*) FROM form_responses WHERE form_version <> 1')
  assert.equal(others.pluck().get(), 0)
})
