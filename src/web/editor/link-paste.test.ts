import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EditorState } from '@codemirror/state'
import { linkSelection } from './link-paste.ts'

function pasteOver(selected: string, pasted: string, isReadOnly = false): string | undefined {
  const doc = `See ${selected}!`
  const state = EditorState.create({
    doc,
    selection: { anchor: 4, head: 4 + selected.length },
    extensions: EditorState.readOnly.of(isReadOnly),
  })
  const transaction = linkSelection(state, pasted)
  return transaction && state.update(transaction).state.sliceDoc()
}

test('an address pasted over words links them', () => {
  assert.equal(
    pasteOver('the plan', 'https://a.test/x?y=1#z'),
    'See [the plan](https://a.test/x?y=1#z)!',
  )
  assert.equal(pasteOver('*us*', ' mailto:us@a.test\n'), 'See [*us*](mailto:us@a.test)!')
  assert.equal(pasteOver('wiki', 'https://a.test/A_(b)'), 'See [wiki](https://a.test/A_%28b%29)!')
})

test('anything else is pasted as is', () => {
  for (const pasted of ['words', 'https://a.test two', 'javascript:alert(1)', 'https://', ''])
    assert.equal(pasteOver('the plan', pasted), undefined, pasted)
  for (const words of ['', 'a [link]', 'two\nlines', ' ', 'https://a.test/old'])
    assert.equal(pasteOver(words, 'https://a.test'), undefined, words)
  assert.equal(pasteOver('the plan', 'https://a.test', true), undefined)
})
