import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet } from '@codemirror/state'
import fc from '../../../testing/properties.ts'
import { applyTextChanges } from '../../../kernel/text/text-changes.ts'
import { LiveText } from './live-text.ts'

/**
 * Three editors writing in one text from the same position, each with a cursor; the authority works like the server.
 */
class WriterGroup {
  readonly steps: { revision: number; edit: string; changes: unknown }[] = []
  text: string
  readonly writers: { editor: LiveText; cursor: number }[]

  constructor(start: string, cursor: number) {
    this.text = start
    this.writers = [0, 1, 2].map(() => ({ editor: new LiveText(start, 1), cursor }))
  }

  type(writerIndex: number, insert: string): void {
    const writer = this.#writer(writerIndex)
    const { length } = writer.editor
    writer.editor.type(ChangeSet.of({ from: writer.cursor, insert }, length))
    writer.cursor += insert.length
  }

  /** Delivers typed changes to the server; with `isAnswered`, the answer arrives, too. */
  send(writerIndex: number, isAnswered: boolean): void {
    const { editor } = this.#writer(writerIndex)
    const next = editor.nextStep(() => `e${writerIndex} ${this.steps.length}`)
    if (!next) return
    if (!this.steps.some((step) => step.edit === next.edit)) {
      const rebased = this.steps
        .filter((step) => step.revision > next.since)
        .reduce(
          (changes, step) => changes.map(ChangeSet.fromJSON(step.changes), next.continues),
          ChangeSet.fromJSON(next.changes),
        )
      this.text = applyTextChanges(this.text, rebased)
      this.steps.push({
        revision: this.steps.length + 2,
        edit: next.edit,
        changes: rebased.toJSON(),
      })
    }
    if (!isAnswered) return
    this.receive(writerIndex)
    editor.confirm(next.edit, this.steps.length + 1)
  }

  receive(writerIndex: number): void {
    const writer = this.#writer(writerIndex)
    for (const step of this.steps) {
      const applied = writer.editor.receive(step)
      if (applied) writer.cursor = applied.mapPos(writer.cursor, -1) // as the editor does
    }
  }

  #writer(writerIndex: number) {
    return this.writers[writerIndex] ?? assert.fail()
  }
}

test('words typed by several people at the same position at once stay intact', () => {
  const words = ['alligator', 'BUTTERFLY', '123456789']
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(2), fc.constantFrom('type', 'type', 'send', 'lose', 'hear')), {
        minLength: 20,
        maxLength: 120,
      }),
      (actions) => {
        const group = new WriterGroup('end', 0)
        const typedCounts = [0, 0, 0]
        const type = (writerIndex: number) => {
          const index = typedCounts[writerIndex] ?? 0
          const letter = words[writerIndex]?.[index]
          if (letter === undefined) return
          group.type(writerIndex, letter)
          typedCounts[writerIndex] = index + 1
        }
        for (const [writerIndex, action] of actions) {
          if (action === 'type') type(writerIndex)
          else if (action === 'hear') group.receive(writerIndex)
          else group.send(writerIndex, action === 'send')
        }
        for (let round = 0; round < 9; round++)
          for (const writerIndex of [0, 1, 2]) {
            type(writerIndex)
            group.send(writerIndex, true)
          }
        for (const writerIndex of [0, 1, 2]) {
          while (group.writers[writerIndex]?.editor.isWaiting) group.send(writerIndex, true)
          for (const otherIndex of [0, 1, 2]) group.receive(otherIndex)
        }
        for (const { editor } of group.writers) assert.equal(editor.text, group.text)
        for (const word of words) assert.ok(group.text.includes(word), group.text)
      },
    ),
    { numRuns: 500 },
  )
})
