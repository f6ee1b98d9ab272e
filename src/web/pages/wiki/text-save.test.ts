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
  readonly taken = new Set<string>()
  readonly lost = new Set<number>()
  requests = 0
  /** Simulates another person's change to the text just before a save. */
  meanwhile: ((text: string) => string) | undefined

  constructor(text: string) {
    this.text = text
  }

  name = () => `edit ${this.requests}`

  async send(piece: { base_revision: number; edit: string; changes: unknown }) {
    assert.ok(Buffer.byteLength(JSON.stringify(piece)) <= maxRequestBytes)
    assert.ok([piece.changes].flat(3).length < 50_000, 'values that a request may have')
    const base = this.text
    let others: ChangeSet | undefined
    if (!this.taken.has(piece.edit)) {
      const mine = applyTextChanges(base, ChangeSet.fromJSON(piece.changes))
      this.text = this.meanwhile?.(mine) ?? mine
      if (this.text !== mine) others = changesBetween(mine, this.text)
      this.meanwhile = undefined
      this.taken.add(piece.edit)
      this.revision++
    }
    if (this.lost.has(this.requests++)) throw new ApiError(0, {})
    return { revision: this.revision, others: others?.toJSON() }
  }
}

function editorOf(start: string) {
  const editor = {
    now: start,
    text: () => editor.now,
    apply: (changes: ChangeSet) => {
      editor.now = applyTextChanges(editor.now, changes)
    },
    moved: () => {},
  }
  return editor
}

const start = 'a line\n'.repeat(200_000)

test('a text that fits is sent in one request, a larger one in several within the limit', async () => {
  const server = new Server(start)
  const saving = new TextSaving({ text: start, revision: 1 }, server)
  const editor = editorOf(
    `${start.slice(0, 700_000)}${'x'.repeat(1_000_000)}${start.slice(700_000)}`,
  )
  await saving.save(editor)
  assert.deepEqual([server.text === editor.now, server.requests], [true, 1])
  editor.now = '😀"\n'.repeat(300_000)
  await saving.save(editor)
  assert.deepEqual([server.text === editor.now, server.requests > 3], [true, true])
  assert.deepEqual([saving.base.text === editor.now, saving.base.revision], [true, server.revision])
})

test('an interrupted save resumes, even after a lost response and further typing', async () => {
  const server = new Server(start)
  const saving = new TextSaving({ text: start, revision: 1 }, server)
  const editor = editorOf('🐟 é\n'.repeat(400_000))
  server.lost.add(1)
  await assert.rejects(saving.save(editor), ApiError)
  assert.equal(saving.isUncertain, true)
  editor.now = `typed ${editor.now}`
  const sent = server.taken.size
  const { base, unsent } = saving
  const opened = new TextSaving(base, server, unsent.sent)
  assert.equal(opened.isSaved(base.text), false)
  await opened.save(editor)
  assert.equal(opened.isUncertain, false)
  assert.equal(server.text === editor.now, true)
  assert.equal(server.taken.size > sent, true)
})

test('changes by others are merged into the text being edited', async () => {
  const server = new Server(`one\ntwo\n${start}`)
  const saving = new TextSaving({ text: server.text, revision: 1 }, server)
  const editor = editorOf(`one\ntwo\n${start}end`)
  server.meanwhile = (text) => {
    editor.now += ' and on'
    return text.replace('two', 'zwei')
  }
  await saving.save(editor)
  assert.equal(server.text === `one\nzwei\n${start}end`, true)
  assert.equal(editor.now === `one\nzwei\n${start}end and on`, true)
  assert.equal(saving.base.text === server.text, true)
})
