import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet, EditorState, Text } from '@codemirror/state'
import fc from '../../../testing/properties.ts'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'
import { divided, LiveText } from './live-text.ts'
import { fromStored, toStored } from './stored-changes.ts'

const piece = fc.constantFrom('\n', '\r\n', 'a', 'bc', '😀', '\u00a0', '- [ ] ', '\t', 'שלום')
const textOf = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

/** A change of a text: replacements at random positions. */
const changeOf = (text: string) =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(4), textOf), { minLength: 1, maxLength: 3 })
    .map((parts) =>
      parts.reduce(
        ({ set, length }, [at, size, insert]) => {
          const from = Math.min(at, length)
          const to = Math.min(length, from + size)
          const next = ChangeSet.of({ from, to, insert: Text.of(insert.split('\n')) }, length)
          return { set: set.compose(next), length: next.newLength }
        },
        { set: ChangeSet.empty(text.length), length: text.length },
      ),
    )
    .map(({ set }) => set)

const textWith = (count: number) =>
  textOf.chain((text) =>
    fc.tuple(fc.constant(text), ...Array.from({ length: count }, () => changeOf(text))),
  )

test('two concurrent changes give the same text in either order', () => {
  fc.assert(
    fc.property(textWith(2), ([text, a, b]) => {
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

test('a change touches no other byte, and survives JSON', () => {
  fc.assert(
    fc.property(textWith(1), ([text, change]) => {
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
    fc.property(textOf, textOf, (before, after) =>
      assert.equal(applyTextChanges(before, changesBetween(before, after)), after),
    ),
  )
})

test('a change sent in parts is the same change', () => {
  fc.assert(
    fc.property(textOf, fc.integer({ min: 70_000, max: 250_000 }), (text, size) => {
      const insert = Text.of(['😀\r', 'x'.repeat(size), '😀'.repeat(size / 2)])
      const whole = ChangeSet.of(
        [
          { from: 0, insert },
          { from: 0, to: text.length, insert: 'new' },
        ],
        text.length,
      )
      let now = text
      for (let rest: ChangeSet | undefined = whole; rest; ) {
        const [first, more]: [ChangeSet, ChangeSet | undefined] = divided(rest)
        now = applyTextChanges(now, first)
        assert.ok(now.isWellFormed() && !/\r(?!\n)/.test(now))
        rest = more
      }
      assert.equal(now, applyTextChanges(text, whole))
    }),
    { numRuns: 20 },
  )
})

test('changes of a text with Windows line endings map to the stored text and back', () => {
  fc.assert(
    fc.property(
      textOf.map((text) => text.replaceAll(/\r?\n/g, '\r\n')),
      fc.nat(1000),
      fc.nat(6),
      textOf.map((text) => text.replaceAll(/\r?\n/g, '\n')),
      (stored, at, size, insert) => {
        const state = EditorState.create({
          doc: stored,
          extensions: EditorState.lineSeparator.of('\r\n'),
        })
        const from = at % (state.doc.length + 1)
        const to = Math.min(state.doc.length, from + size)
        const { changes, state: after } = state.update({
          changes: { from, to, insert: Text.of(insert.split('\n')) },
        })
        const step = toStored(changes, state.doc)
        assert.equal(applyTextChanges(stored, step), after.sliceDoc())
        const back = fromStored(step, state.doc)
        assert.equal(back?.apply(state.doc).eq(after.doc), true)
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
      textOf,
      fc.array(fc.tuple(fc.nat(2), fc.nat(4), fc.nat(1000)), { maxLength: 80 }),
      (start, deeds) => {
        const steps: { revision: number; edit: string; changes: unknown }[] = []
        let text = start
        const editors = [0, 1, 2].map(() => new LiveText(start, 1))
        let names = 0
        const send = (editor: LiveText, isAnswered: boolean) => {
          const next = editor.next(() => `e${names++}`)
          if (!next) return
          const behind = steps.filter((step) => step.revision > next.since)
          const isKnown = steps.some((step) => step.edit === next.edit)
          if (!isKnown) {
            const mine = behind.reduce(
              (changes, step) => changes.map(ChangeSet.fromJSON(step.changes), next.continues),
              ChangeSet.fromJSON(next.changes),
            )
            if (!mine.empty) {
              text = applyTextChanges(text, mine)
              steps.push({ revision: steps.length + 2, edit: next.edit, changes: mine.toJSON() })
            }
          }
          if (!isAnswered) return
          for (const step of behind) editor.take(step)
          editor.confirm(next.edit, steps.length + 1)
        }
        const typed: string[] = []
        for (const [who, deed, at] of deeds) {
          const editor = editors[who] as LiveText
          if (deed < 2) {
            const word = `«${typed.length}»`
            const { length } = editor.text
            editor.type(ChangeSet.of({ from: at % (length + 1), insert: word }, length))
            typed.push(word)
          } else if (deed < 4) send(editor, deed === 2)
          else for (const step of steps) editor.take(step)
        }
        for (let round = 0; round < 3; round++)
          for (const editor of editors) {
            send(editor, true)
            for (const step of steps) editor.take(step)
          }
        for (const editor of editors) {
          assert.equal(editor.text, text)
          assert.equal(editor.isWaiting, false)
          assert.equal(editor.base, text)
        }
        assert.equal([...text].filter((char) => char === '«').length, typed.length)
        assert.equal(text.length, start.length + typed.join('').length)
      },
    ),
    { numRuns: 200 },
  )
})

test('a position moves with changes by others, and with unsent ones', () => {
  const insert = (from: number, text: string, length: number) =>
    ChangeSet.of({ from, insert: text }, length)
  const mine = new LiveText('one two', 3)
  mine.type(insert(0, 'my ', 7))
  mine.next(() => 'first')
  mine.type(insert(10, '!', 10))
  assert.equal(mine.text, 'my one two!')
  assert.deepEqual(mine.placeOf(7), { revision: 3, at: 4 })
  assert.deepEqual(mine.placeOf(1), { revision: 3, at: 0 }) // in what others do not have
  assert.equal(mine.positionOf({ revision: 3, at: 4 }), 7)
  assert.equal(mine.positionOf({ revision: 4, at: 4 }), undefined)
  mine.take({ revision: 4, changes: insert(0, 'a ', 7).toJSON() })
  assert.equal(mine.positionOf({ revision: 3, at: 4 }), 9)
  assert.equal(mine.positionOf({ revision: 4, at: 6 }), 9)
  mine.confirm('first', 5)
  assert.equal(mine.text.slice(9), 'two!')
  assert.equal(mine.positionOf({ revision: 3, at: 4 }), 9)
  assert.equal(mine.positionOf({ revision: 5, at: 9 }), 9)
  assert.equal(mine.positionOf({ revision: 3, at: 99 }), undefined)
  assert.equal(mine.positionOf({ revision: 2, at: 0 }), undefined)
})

test('a position is resolved by an editor that has another text', () => {
  fc.assert(
    fc.property(textWith(1), fc.nat(), ([text, change], n) => {
      const writer = new LiveText(text as string, 1)
      const reader = new LiveText(text as string, 1)
      const steps = change as ChangeSet
      writer.type(steps)
      const position = n % (writer.length + 1)
      const place = writer.placeOf(position)
      assert.equal(steps.mapPos(place.at, -1) <= position, true)
      assert.equal(reader.positionOf(place), place.at)
      if (steps.empty) return
      const { edit, changes } = writer.next(() => 'step') ?? assert.fail()
      reader.take({ revision: 2, edit, changes })
      writer.confirm(edit, 2)
      assert.equal(reader.positionOf(writer.placeOf(position)), position)
    }),
  )
})
