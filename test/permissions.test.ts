import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { permissionsTable } from '../tools/permissions.ts'

const text = readFileSync(new URL('../docs/permissions.md', import.meta.url), 'utf8')
const table = await permissionsTable()
const cells = table
  .split('\n')
  .slice(2)
  .map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((part) => part.trim()),
  )

test('the table of docs/permissions.md matches the rules; `npm run reference` rewrites it', () => {
  assert.ok(cells.length > 60)
  assert.ok(text.includes(table), 'run `npm run reference`, and look at what has changed')
})

test('people of another organization cannot reach anything', () => {
  assert.deepEqual(
    cells.filter((row) => row.at(-1) !== '–').map((row) => row[0]),
    [],
  )
})

test('an uninvolved administrator reads nothing of others’ mail, calendars, chat and webhooks', () => {
  const administrator = new Map(cells.map((row) => [row[0]!, row[5]]))
  for (const kind of [
    'email',
    'thread',
    'email account',
    'email draft',
    'event',
    'calendar',
    'message',
    'webhook',
    'notification',
    'reminder',
  ])
    assert.equal(administrator.get(kind), '–', kind)
})
