import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EditorState } from '@codemirror/state'
import fc from '../../testing/properties.ts'
import { markdownLanguage } from './language.ts'
import { preserveLineEnds, lineEndsOf } from './line-ends.ts'

const root = new URL('../../../', import.meta.url).pathname

const openText = (text: string) =>
  EditorState.create({ doc: text, extensions: preserveLineEnds(text) })

/** The state after typing a character in the middle and deleting it again. */
function afterTyping(state: EditorState): string {
  const position = Math.floor(state.doc.length / 2)
  const typedState = state.update({ changes: { from: position, insert: 'x' } }).state
  return typedState.update({ changes: { from: position, to: position + 1 } }).state.sliceDoc()
}

test('every Markdown file of this repository keeps its bytes when opened, typed into and saved', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'packaging/**/*.md'], {
    cwd: root,
  })
  assert.ok(files.length > 60, `${files.length} files`)
  for (const file of files) {
    const text = readFileSync(root + file, 'utf8')
    for (const lineEnd of ['\n', '\r\n']) {
      const content = text.replaceAll('\n', lineEnd)
      const state = openText(content)
      assert.equal(state.sliceDoc(), content, file)
      assert.equal(afterTyping(state), content, file)
    }
    assert.equal(markdownLanguage.parser.parse(text).length, text.length, file)
  }
})

test('mixed line endings, byte order marks and characters of any script survive the round trip', () => {
  const piece = fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '\u2028',
    'a',
    '\ufeff',
    '\u00a0',
    '\t',
    '😀',
    'שלום',
    '- [ ] ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const state = openText(text)
      assert.equal(state.sliceDoc(), text)
      assert.equal(afterTyping(state), text)
    }),
  )
})

test('the kind of line endings is detected', () => {
  assert.equal(lineEndsOf('a\nb'), 'lf')
  assert.equal(lineEndsOf('a\r\nb\r\n'), 'crlf')
  assert.equal(lineEndsOf('a\r\nb\nc'), 'mixed')
  assert.equal(lineEndsOf('\n\r\n'), 'mixed')
})
