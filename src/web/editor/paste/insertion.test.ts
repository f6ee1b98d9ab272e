import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { markdownLanguage } from '../language.ts'
import { insertionOf, requiresPlainText } from './insertion.ts'

function createState(marked: string) {
  const position = marked.indexOf('¦')
  const doc = marked.replace('¦', '')
  const state = EditorState.create({ doc, extensions: markdownLanguage.extension })
  ensureSyntaxTree(state, doc.length)
  return { state, at: position }
}

/** A text after inserting Markdown at `¦`. */
function insertInto(marked: string, markdown: string): string {
  const { state, at } = createState(marked)
  return state.update({ changes: insertionOf(state, at, at, markdown) }).state.sliceDoc()
}

test('inline text goes into the line, blocks are separated from the surrounding text', () => {
  assert.equal(insertInto('a ¦ c', '**b**'), 'a **b** c')
  assert.equal(insertInto('¦', '# H\n\ntext'), '# H\n\ntext')
  assert.equal(insertInto('ab¦cd', '- one\n- two'), 'ab\n\n- one\n- two\n\ncd')
  assert.equal(insertInto('ab¦\n\ncd', '# H'), 'ab\n\n# H\n\ncd')
})

test('text inserted in a list or quotation stays in it', () => {
  assert.equal(insertInto('- a\n- ¦', '- b\n  - c'), '- a\n- b\n  - c')
  assert.equal(insertInto('  - ¦', '- [x] b\n- c'), '  - [x] b\n  - c')
  assert.equal(insertInto('- a¦', 'b\n\nc'), '- ab\n\n  c')
  assert.equal(insertInto('> ¦', '- b\n- c\n\nd'), '> - b\n> - c\n>\n> d')
  assert.equal(insertInto('- [ ] ¦', '**b**'), '- [ ] **b**')
})

test('code, cells and front matter accept plain text', () => {
  const isPlain = (marked: string) => {
    const { state, at } = createState(marked)
    return requiresPlainText(state, at)
  }
  for (const text of [
    '```\nle¦t\n```',
    'a `b¦c` d',
    '| a | b |\n| - | - |\n| c¦ | d |',
    '---\na: ¦\n---\n',
  ])
    assert.equal(isPlain(text), true, text)
  for (const text of ['¦', 'a¦b', '`a` ¦', '- ¦', '# ¦', '> ¦'])
    assert.equal(isPlain(text), false, text)
})
