import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankSuggestions } from '../../../ui/work/suggestions.ts'
import { applyCompletion, findCompletion } from './completion.ts'

const completionAtEnd = (text: string) => findCompletion(text, text.length)

test('text at the cursor is recognized by its prefix, and only at the beginning of a word', () => {
  assert.deepEqual(completionAtEnd('Hello @an'), { kind: 'person', start: 6, query: 'an' })
  assert.deepEqual(completionAtEnd('@Ann Le'), { kind: 'person', start: 0, query: 'Ann Le' })
  assert.deepEqual(completionAtEnd('see #gen'), { kind: 'channel', start: 4, query: 'gen' })
  assert.deepEqual(completionAtEnd('(ENG-4'), { kind: 'item', start: 1, query: 'ENG-4' })
  assert.deepEqual(completionAtEnd('done :thum'), { kind: 'emoji', start: 5, query: 'thum' })
  for (const text of ['ann@acme', 'a#b', 'at 10:30', 'x:)', 'wENG-4', 'Hello'])
    assert.equal(completionAtEnd(text), undefined, text)
})

test('a suggestion replaces the typed text, followed by one space', () => {
  const request = findCompletion('Hello @an today', 9)
  assert.ok(request)
  assert.deepEqual(applyCompletion('Hello @an today', request, 9, '@Ann Lee'), {
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
