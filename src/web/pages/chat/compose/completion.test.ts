import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankSuggestions } from '../../../ui/work/suggestions.ts'
import { completed, wantedAt } from './completion.ts'

const at = (text: string) => wantedAt(text, text.length)

test('text at the cursor is recognized by its prefix, and only at the beginning of a word', () => {
  assert.deepEqual(at('Hello @an'), { kind: 'person', start: 6, query: 'an' })
  assert.deepEqual(at('@Ann Le'), { kind: 'person', start: 0, query: 'Ann Le' })
  assert.deepEqual(at('see #gen'), { kind: 'channel', start: 4, query: 'gen' })
  assert.deepEqual(at('(ENG-4'), { kind: 'item', start: 1, query: 'ENG-4' })
  assert.deepEqual(at('done :thum'), { kind: 'emoji', start: 5, query: 'thum' })
  for (const text of ['ann@acme', 'a#b', 'at 10:30', 'x:)', 'wENG-4', 'Hello'])
    assert.equal(at(text), undefined, text)
})

test('a suggestion replaces the typed text, followed by one space', () => {
  const wanted = wantedAt('Hello @an today', 9)
  assert.ok(wanted)
  assert.deepEqual(completed('Hello @an today', wanted, 9, '@Ann Lee'), {
    text: 'Hello @Ann Lee today',
    cursor: 15,
  })
})

test('names that start with the typed text come before those with a word that does', () => {
  const names = ['Tom Ann', 'Hannah', 'Ann Lee', 'ann.b']
  assert.deepEqual(
    rankSuggestions(names, 'ann', (name) => name),
    ['Ann Lee', 'ann.b', 'Tom Ann'],
  )
})
