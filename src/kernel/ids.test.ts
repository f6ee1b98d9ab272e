import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId, prefixOf } from './ids.ts'

test('ids sort in creation order, within a millisecond and when the clock steps back', () => {
  const base = Date.UTC(2030, 0, 1)
  const times = [base, base, base, base + 1, base - 5000, base + 1, base + 2]
  const ids = times.flatMap((at) => Array.from({ length: 300 }, () => newId('tsk', at)))
  assert.deepEqual(ids, [...ids].sort())
  assert.equal(new Set(ids).size, ids.length)
})

test('an id is its prefix and 26 characters of Crockford base 32', () => {
  const id = newId('tsk', Date.UTC(2031, 0, 1))
  assert.match(id, /^tsk_[0-9a-hjkmnp-tv-z]{26}$/)
  assert.ok(isId('tsk', id))
  assert.equal(prefixOf(id), 'tsk')
})

test('a lookalike is not an id', () => {
  const id = newId('tsk', Date.UTC(2031, 0, 1))
  for (const text of [
    '',
    'tsk',
    'tsk_',
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    id.replace(/.$/, 'u'),
    id.replace('tsk', 'lbl'),
    ` ${id}`,
  ])
    assert.equal(isId('tsk', text), false, text)
  assert.equal(prefixOf('ENG-42'), undefined)
})
