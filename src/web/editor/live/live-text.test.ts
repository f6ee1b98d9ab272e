import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet, EditorState, Text } from '@codemirror/state'
import fc from '../../../testing/properties.ts'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'
import { splitChanges, LiveText } from './live-text.ts'
import { fromStored, toStored } from './stored-changes.ts'

const piece = fc.constantFrom('\n', '\r\n', 'a', 'bc', '😀', '\u00a0', '- [ ] ', '\t', 'שלום')
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

/** A change of a text: replacements at random positions. */
const changeOf = (text: string) =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(4), anyText), { minLength: 1, maxLength: 3 })
    .map((edits) =>
      edits.reduce(
        ({ set, length }, [position, size, insert]) => {
          const from = Math.min(position, length)
          const to = Math.min(length, from + size)
          const next = ChangeSet.of({ from, to, insert: Text.of(insert.split('\n')) }, length)
          return { set: set.compose(next), length: next.newLength }
        },
        { set: ChangeSet.empty(text.length), length: text.length },
      ),
    )
    .map(({ set }) => set)

const textWithChanges = (count: number) =>
  anyText.chain((text) =>
    fc.tuple(fc.constant(text), ...Array.from({ length: count }, () => changeOf(text))),
  )

test('two concurrent changes give the same text in either order', () => {
  fc.assert(
    fc.property(textWithChanges(2), ([text, a, b]) => {
      const [first, second] = [a as ChangeSet, b as ChangeSet]
      const oneWay = applyTextChanges(applyTextChanges(text as string, first), second.map(first))
      const otherWay = applyTextChanges(
        applyTextChanges(text as string, second),
        first.map(second, true),
      )
      assert.equal(oneWay, otherWay)
    }),
  )
})

test('a change touches no other byte, and survives a JSON round trip', () => {
  fc.assert(
    fc.property(textWithChanges(1), ([text, change]) => {
      const set = change as ChangeSet
      const after = applyTextChanges(text as string, set)
      assert.equal(after, set.apply(Text.of((text as string).split('\n'))).toString())
      assert.equal(
        applyTextChanges(text as string, ChangeSet.fromJSON(JSON.parse(JSON.stringify(set)))),
        after,
      )
      set.iterGaps((posA, posB, length) =>
        assert.equal(after.slice(posB, posB + length), (text as string).slice(posA, posA + length)),
      )
    }),
  )
})

test('applying the difference of two texts turns one into the other', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) =>
      assert.equal(applyTextChanges(before, changesBetween(before, after)), after),
    ),
  )
})

test('a change sent in parts is the same change', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 70_000, max: 250_000 }), (text, size) => {
      const insert = Text.of(['😀\r', 'x'.repeat(size), '😀'.repeat(size / 2)])
      const change = ChangeSet.of(
        [
          { from: 0, insert },
          { from: 0, to: text.length, insert: 'new' },
        ],
        text.length,
      )
      let result = text
      for (let rest: ChangeSet | undefined = change; rest; ) {
        const [first, remainder]: [ChangeSet, ChangeSet | undefined] = splitChanges(rest)
        result = applyTextChanges(result, first)
        assert.ok(result.isWellFormed() && !/\r(?!\n)/.test(result))
        rest = remainder
      }
      assert.equal(result, applyTextChanges(text, change))
    }),
    { numRuns: 20 },
  )
})

test('changes of a text with Windows line endings map to the stored text and back', () => {
  fc.assert(
    fc.property(
      anyText.map((text) => text.replaceAll(/\r?\n/g, '\r\n')),
      fc.nat(1000),
      fc.nat(6),
      anyText.map((text) => text.replaceAll(/\r?\n/g, '\n')),
      (stored, offset, size, insert) => {
        const state = EditorState.create({
          doc: stored,
          extensions: EditorState.lineSeparator.of('\r\n'),
        })
        const from = offset % (state.doc.length + 1)
        const to = Math.min(state.doc.length, from + size)
        const { changes, state: after } = state.update({
          changes: { from, to, insert: Text.of(insert.split('\n')) },
        })
        const step = toStored(changes, state.doc)
        assert.equal(applyTextChanges(stored, step), after.sliceDoc())
        const mappedBack = fromStored(step, state.doc)
        assert.equal(mappedBack?.apply(state.doc).eq(after.doc), true)
      },
    ),
  )
  const doc = Text.of(['a', 'b'])
  assert.equal(fromStored(ChangeSet.of({ from: 1, insert: 'x\ny' }, 4), doc), undefined)
  assert.equal(fromStored(ChangeSet.of({ from: 2, insert: 'x' }, 4), doc), undefined)
})

test('editors that send at any time, and lose responses, converge to one text without duplicates', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.array(fc.tuple(fc.nat(2), fc.nat(4), fc.nat(1000)), { maxLength: 80 }),
      (start, actions) => {
        const steps: { revision: number; edit: string; changes: unknown }[] = []
        let text = start
        const editors = [0, 1, 2].map(() => new LiveText(start, 1))
        let editCount = 0
        const send = (editor: LiveText, isAnswered: boolean) => {
          const next = editor.nextStep(() => `e${editCount++}`)
          if (!next) return
          const missedSteps = steps.filter((step) => step.revision > next.since)
          const isKnown = steps.some((step) => step.edit === next.edit)
          if (!isKnown) {
            const rebased = missedSteps.reduce(
              (changes, step) => changes.map(ChangeSet.fromJSON(step.changes), next.continues),
              ChangeSet.fromJSON(next.changes),
            )
            if (!rebased.empty) {
              text = applyTextChanges(text, rebased)
              steps.push({ revision: steps.length + 2, edit: next.edit, changes: rebased.toJSON() })
            }
          }
          if (!isAnswered) return
          for (const step of missedSteps) editor.receive(step)
          editor.confirm(next.edit, steps.length + 1)
        }
        const typedWords: string[] = []
        for (const [editorIndex, action, position] of actions) {
          const editor = editors[editorIndex] as LiveText
          if (action < 2) {
            const word = `«${typedWords.length}»`
            const { length } = editor.text
            editor.type(ChangeSet.of({ from: position % (length + 1), insert: word }, length))
            typedWords.push(word)
          } else if (action < 4) send(editor, action === 2)
          else for (const step of steps) editor.receive(step)
        }
        for (let round = 0; round < 3; round++)
          for (const editor of editors) {
            send(editor, true)
            for (const step of steps) editor.receive(step)
          }
        for (const editor of editors) {
          assert.equal(editor.text, text)
          assert.equal(editor.isWaiting, false)
          assert.equal(editor.base, text)
        }
        assert.equal([...text].filter((char) => char === '«').length, typedWords.length)
        assert.equal(text.length, start.length + typedWords.join('').length)
      },
    ),
    { numRuns: 200 },
  )
})

test('a position moves with changes by others, and with unsent ones', () => {
  const insert = (from: number, text: string, length: number) =>
    ChangeSet.of({ from, insert: text }, length)
  const editor = new LiveText('one two', 3)
  editor.type(insert(0, 'my ', 7))
  editor.nextStep(() => 'first')
  editor.type(insert(10, '!', 10))
  assert.equal(editor.text, 'my one two!')
  assert.deepEqual(editor.revisionPositionOf(7), { revision: 3, at: 4 })
  assert.deepEqual(editor.revisionPositionOf(1), { revision: 3, at: 0 }) // inside unsent text
  assert.equal(editor.editorPositionOf({ revision: 3, at: 4 }), 7)
  assert.equal(editor.editorPositionOf({ revision: 4, at: 4 }), undefined)
  editor.receive({ revision: 4, changes: insert(0, 'a ', 7).toJSON() })
  assert.equal(editor.editorPositionOf({ revision: 3, at: 4 }), 9)
  assert.equal(editor.editorPositionOf({ revision: 4, at: 6 }), 9)
  editor.confirm('first', 5)
  assert.equal(editor.text.slice(9), 'two!')
  assert.equal(editor.editorPositionOf({ revision: 3, at: 4 }), 9)
  assert.equal(editor.editorPositionOf({ revision: 5, at: 9 }), 9)
  assert.equal(editor.editorPositionOf({ revision: 3, at: 99 }), undefined)
  assert.equal(editor.editorPositionOf({ revision: 2, at: 0 }), undefined)
})

test('a position is resolved by an editor that has another text', () => {
  fc.assert(
    fc.property(textWithChanges(1), fc.nat(), ([text, change], n) => {
      const writer = new LiveText(text as string, 1)
      const reader = new LiveText(text as string, 1)
      const typedChanges = change as ChangeSet
      writer.type(typedChanges)
      const position = n % (writer.length + 1)
      const place = writer.revisionPositionOf(position)
      assert.equal(typedChanges.mapPos(place.at, -1) <= position, true)
      assert.equal(reader.editorPositionOf(place), place.at)
      if (typedChanges.empty) return
      const { edit, changes } = writer.nextStep(() => 'step') ?? assert.fail()
      reader.receive({ revision: 2, edit, changes })
      writer.confirm(edit, 2)
      assert.equal(reader.editorPositionOf(writer.revisionPositionOf(position)), position)
    }),
  )
})
