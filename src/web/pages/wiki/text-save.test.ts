import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet } from '@codemirror/state'
import { maxRequestBytes } from '../../../kernel/request-size.ts'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'
import { ApiError } from '../../api/problem.ts'
import { TextSaving } from './text-save.ts'

/** A server that identifies saves by id, and loses responses on request. */
class Server {
  text: string
  revision = 1
  readonly acceptedEdits = new Set<string>()
  readonly lostResponses = new Set<number>()
  requests = 0
  /** Simulates another person's change to the text just before a save. */
  editByOther: ((text: string) => string) | undefined

  constructor(text: string) {
    this.text = text
  }

  createEditId = () => `edit ${this.requests}`

  async send(piece: { base_revision: number; edit: string; changes: unknown }) {
    assert.ok(Buffer.byteLength(JSON.stringify(piece)) <= maxRequestBytes)
    assert.ok([piece.changes].flat(3).length < 50_000, 'the request has too many values')
    const base = this.text
    let others: ChangeSet | undefined
    if (!this.acceptedEdits.has(piece.edit)) {
      const ownText = applyTextChanges(base, ChangeSet.fromJSON(piece.changes))
      this.text = this.editByOther?.(ownText) ?? ownText
      if (this.text !== ownText) others = changesBetween(ownText, this.text)
      this.editByOther = undefined
      this.acceptedEdits.add(piece.edit)
      this.revision++
    }
    if (this.lostResponses.has(this.requests++)) throw new ApiError(0, {})
    return { revision: this.revision, others: others?.toJSON() }
  }
}

function createEditor(start: string) {
  const editor = {
    current: start,
    text: () => editor.current,
    apply: (changes: ChangeSet) => {
      editor.current = applyTextChanges(editor.current, changes)
    },
    onProgress: () => {},
  }
  return editor
}

const start = 'a line\n'.repeat(200_000)

test('a text that fits is sent in one request, a larger one in several within the limit', async () => {
  const server = new Server(start)
  const saving = new TextSaving({ text: start, revision: 1 }, server)
  const editor = createEditor(
    `${start.slice(0, 700_000)}${'x'.repeat(1_000_000)}${start.slice(700_000)}`,
  )
  await saving.save(editor)
  assert.deepEqual([server.text === editor.current, server.requests], [true, 1])
  editor.current = '😀"\n'.repeat(300_000)
  await saving.save(editor)
  assert.deepEqual([server.text === editor.current, server.requests > 3], [true, true])
  assert.deepEqual(
    [saving.base.text === editor.current, saving.base.revision],
    [true, server.revision],
  )
})

test('an interrupted save resumes, even after a lost response and further typing', async () => {
  const server = new Server(start)
  const saving = new TextSaving({ text: start, revision: 1 }, server)
  const editor = createEditor('🐟 é\n'.repeat(400_000))
  server.lostResponses.add(1)
  await assert.rejects(saving.save(editor), ApiError)
  assert.equal(saving.isUncertain, true)
  editor.current = `typed ${editor.current}`
  const acceptedCount = server.acceptedEdits.size
  const { base, unsent } = saving
  const reopened = new TextSaving(base, server, unsent.sent)
  assert.equal(reopened.isSaved(base.text), false)
  await reopened.save(editor)
  assert.equal(reopened.isUncertain, false)
  assert.equal(server.text === editor.current, true)
  assert.equal(server.acceptedEdits.size > acceptedCount, true)
})

test('changes by others are merged into the text being edited', async () => {
  const server = new Server(`one\ntwo\n${start}`)
  const saving = new TextSaving({ text: server.text, revision: 1 }, server)
  const editor = createEditor(`one\ntwo\n${start}end`)
  server.editByOther = (text) => {
    editor.current += ' and on'
    return text.replace('two', 'zwei')
  }
  await saving.save(editor)
  assert.equal(server.text === `one\nzwei\n${start}end`, true)
  assert.equal(editor.current === `one\nzwei\n${start}end and on`, true)
  assert.equal(saving.base.text === server.text, true)
})
