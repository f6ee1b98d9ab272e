import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { markdownLanguage } from '../language.ts'
import { menuQueryAt } from './query.ts'

/** Query at the position marked `|`. */
function queryIn(markedText: string) {
  const cursor = markedText.indexOf('|')
  const state = EditorState.create({
    doc: markedText.replace('|', ''),
    selection: { anchor: cursor },
    extensions: markdownLanguage.extension,
  })
  ensureSyntaxTree(state, state.doc.length)
  const query = menuQueryAt(state)
  return query && [query.kind, query.text, state.sliceDoc(query.from, query.to)]
}

test('two brackets start a page lookup, an @ at the start of a word a person lookup', () => {
  assert.deepEqual(queryIn('see [[|'), ['page', '', '[['])
  assert.deepEqual(queryIn('see [[Road map|]] now'), ['page', 'Road map', '[[Road map'])
  assert.deepEqual(queryIn('one [[a]] two [[b|'), ['page', 'b', '[[b'])
  assert.deepEqual(queryIn('ask @an|'), ['person', 'an', '@an'])
  assert.deepEqual(queryIn('[[not closed @an|'), ['person', 'an', '@an'])
  assert.deepEqual(queryIn('- (@Ann Le|'), ['person', 'Ann Le', '@Ann Le'])
})

test('there is no lookup in code, in finished links, after an escape or in an address', () => {
  for (const text of [
    '`[[a|`',
    '```\n[[a|\n```',
    '    [[a|',
    '---\ntitle: [[a|\n---\n',
    '[[a]]|',
    '[[a#b|',
    '\\[[a|',
    'ann@acme|',
    'plain|',
  ])
    assert.equal(queryIn(text), undefined, text)
})
