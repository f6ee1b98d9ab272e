import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet } from '@codemirror/state'
import fc from '../../../testing/properties.ts'
import { applyTextChanges } from '../../../kernel/text/text-changes.ts'
import { LiveText } from './live-text.ts'

/**
 * Three editors writing in one text from the same position, each with a cursor; the authority works like the server.
 */
class Crowd {
  readonly steps: { revision: number; edit: string; changes: unknown }[] = []
  text: string
  readonly writers: { editor: LiveText; cursor: number }[]

  constructor(start: string, cursor: number) {
    this.text = start
    this.writers = [0, 1, 2].map(() => ({ editor: new LiveText(start, 1), cursor }))
  }

  type(who: number, insert: string): void {
    const writer = this.#writer(who)
    const { length } = writer.editor
    writer.editor.type(ChangeSet.of({ from: writer.cursor, insert }, length))
    writer.cursor += insert.length
  }

  /** Delivers typed changes to the server; with `isAnswered`, the answer arrives, too. */
  send(who: number, isAnswered: boolean): void {
    const { editor } = this.#writer(who)
    const next = editor.next(() => `e${who} ${this.steps.length}`)
    if (!next) return
    if (!this.steps.some((step) => step.edit === next.edit)) {
      const mine = this.steps
        .filter((step) => step.revision > next.since)
        .reduce(
          (changes, step) => changes.map(ChangeSet.fromJSON(step.changes), next.continues),
          ChangeSet.fromJSON(next.changes),
        )
      this.text = applyTextChanges(this.text, mine)
      this.steps.push({
        revision: this.steps.length + 2,
        edit: next.edit,
        changes: mine.toJSON(),
      })
    }
    if (!isAnswered) return
    this.hear(who)
    editor.confirm(next.edit, this.steps.length + 1)
  }

  hear(who: number): void {
    const writer = this.#writer(who)
    for (const step of this.steps) {
      const over = writer.editor.take(step)
      if (over) writer.cursor = over.mapPos(writer.cursor, -1) // as the editor does
    }
  }

  #writer(who: number) {
    return this.writers[who] ?? assert.fail()
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
      (deeds) => {
        const crowd = new Crowd('end', 0)
        const typed = [0, 0, 0]
        const type = (who: number) => {
          const at = typed[who] ?? 0
          const letter = words[who]?.[at]
          if (letter === undefined) return
          crowd.type(who, letter)
          typed[who] = at + 1
        }
        for (const [who, deed] of deeds) {
          if (deed === 'type') type(who)
          else if (deed === 'hear') crowd.hear(who)
          else crowd.send(who, deed === 'send')
        }
        for (let round = 0; round < 9; round++)
          for (const who of [0, 1, 2]) {
            type(who)
            crowd.send(who, true)
          }
        for (const who of [0, 1, 2]) {
          while (crowd.writers[who]?.editor.isWaiting) crowd.send(who, true)
          for (const other of [0, 1, 2]) crowd.hear(other)
        }
        for (const { editor } of crowd.writers) assert.equal(editor.text, crowd.text)
        for (const word of words) assert.ok(crowd.text.includes(word), crowd.text)
      },
    ),
    { numRuns: 500 },
  )
})
