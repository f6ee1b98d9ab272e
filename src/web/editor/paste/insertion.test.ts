import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { markdownLanguage } from '../language.ts'
import { insertionOf, takesPlainText } from './insertion.ts'

function opened(marked: string) {
  const at = marked.indexOf('¦')
  const doc = marked.replace('¦', '')
  const state = EditorState.create({ doc, extensions: markdownLanguage.extension })
  ensureSyntaxTree(state, doc.length)
  return { state, at }
}

/** A text after inserting Markdown at `¦`. */
function after(marked: string, markdown: string): string {
  const { state, at } = opened(marked)
  return state.update({ changes: insertionOf(state, at, at, markdown) }).state.sliceDoc()
}

test('inline text goes into the line, blocks are separated from the surrounding text', () => {
  assert.equal(after('a ¦ c', '**b**'), 'a **b** c')
  assert.equal(after('¦', '# H\n\ntext'), '# H\n\ntext')
  assert.equal(after('ab¦cd', '- one\n- two'), 'ab\n\n- one\n- two\n\ncd')
  assert.equal(after('ab¦\n\ncd', '# H'), 'ab\n\n# H\n\ncd')
})

test('text inserted in a list or quotation stays in it', () => {
  assert.equal(after('- a\n- ¦', '- b\n  - c'), '- a\n- b\n  - c')
  assert.equal(after('  - ¦', '- [x] b\n- c'), '  - [x] b\n  - c')
  assert.equal(after('- a¦', 'b\n\nc'), '- ab\n\n  c')
  assert.equal(after('> ¦', '- b\n- c\n\nd'), '> - b\n> - c\n>\n> d')
  assert.equal(after('- [ ] ¦', '**b**'), '- [ ] **b**')
})

test('code, cells and front matter accept plain text', () => {
  const isPlain = (marked: string) => {
    const { state, at } = opened(marked)
    return takesPlainText(state, at)
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
