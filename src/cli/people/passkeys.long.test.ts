import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { commandsOn, createAnn } from '../testing.ts'

/** Inserts passkeys as a browser would have added them. */
function insertPasskeys(dataDir: string, ...names: string[]): string[] {
  const db = new Database(join(dataDir, 'workspace.db'))
  const { id, org_id } = db.prepare('SELECT id, org_id FROM users').get() as {
    id: string
    org_id: string
  }
  const add = db.prepare(
    "INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, 'x', 0, '[]', 'multi_device', 1, 0, NULL)",
  )
  const ids = names.map((_, i) => `pky_${String(i).padStart(26, '0')}`)
  names.forEach((name, i) => add.run(ids[i]!, org_id, id, name, `credential${i}`))
  db.close()
  return ids
}

test('an administrator sees a person’s passkeys and removes lost ones', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  assert.deepEqual(await commands.json('users', 'passkeys', 'list', 'ann@acme.test'), [])
  const [phone] = insertPasskeys(commands.dataDir, 'Phone', 'Laptop', 'Token')
  const listed = await commands.json('users', 'passkeys', 'list', 'ann@acme.test')
  assert.deepEqual(
    listed.map((item: { name: string; device_type: string; last_used_at: null }) => [
      item.name,
      item.device_type,
      item.last_used_at,
    ]),
    [
      ['Phone', 'multi_device', null],
      ['Laptop', 'multi_device', null],
      ['Token', 'multi_device', null],
    ],
  )
  assert.match(
    await commands.runOk('users', 'passkeys', 'list', 'ann@acme.test'),
    /pky_0{26} +Phone +several devices +1970-01-01 00:00Z +–/,
  )
  assert.deepEqual(
    (await commands.json('users', 'passkeys', 'remove', 'ann@acme.test', phone!)).removed,
    [{ id: phone, name: 'Phone' }],
  )
  const again = await commands.run([
    'users',
    'passkeys',
    'remove',
    'ann@acme.test',
    phone!,
    '--json',
  ])
  assert.deepEqual([again.code, JSON.parse(again.stderr).code], [1, 'not_found'])
  assert.match(
    await commands.runOk('users', 'passkeys', 'remove', 'ann@acme.test', '--all'),
    /^Removed "Laptop", "Token" of ann@acme\.test/,
  )
  assert.match(
    await commands.runOk('users', 'passkeys', 'remove', 'ann@acme.test', '--all'),
    /has no passkey/,
  )
  for (const invalidArgs of [[], [phone!, '--all']])
    assert.equal(
      (await commands.run(['users', 'passkeys', 'remove', 'ann@acme.test', ...invalidArgs])).code,
      2,
    )
})

test('setting another person’s password warns that their passkeys still work', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  insertPasskeys(commands.dataDir, 'Phone')
  const { stdout } = await commands.run(
    ['users', 'set-password', 'ann@acme.test', '--password-stdin'],
    'otter lamp seven moss\n',
  )
  assert.match(stdout, /has a new password\. Their passkeys \(1\) still work/)
})
