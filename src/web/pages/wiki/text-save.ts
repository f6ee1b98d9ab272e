// Saves texts that are too long to be written live: sends only the difference, in one request if it fits, else in
// pieces. Needs no browser.

import { ChangeSet } from '@codemirror/state'
import { maxRequestBytes } from '../../../kernel/request-size.ts'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'
import { ApiError } from '../../api/problem.ts'
import { splitChanges, type UnsentChanges } from '../../editor/live/live-text.ts'

/** The server's text. */
interface Base {
  text: string
  revision: number
}

/** Part of a save sent in one request; if it is sent again with the same edit id, it is not saved twice. */
interface TextPiece {
  base_revision: number
  edit: string
  changes: unknown
}

interface Server {
  /** @throws ApiError */
  send(piece: TextPiece): Promise<{ revision: number; others?: unknown }>
  createEditId(): string
}

/** The editor of the text. */
interface Editor {
  text(): string
  /** Applies changes of others. */
  apply(changes: ChangeSet): void
  /** Called when `base` or `unsent` has changed. */
  onProgress(): void
}

/** Bytes reserved for the rest of a request, and the maximum number of its values, below the server's limits. */
const reservedBytes = 1000
const maxValues = 40_000
/** Initial size limits of a piece. */
const initialPieceLimits = { inserted: 600_000, replaced: 2000 }

/** Saves an editor's long text, and tracks the server's progress. */
export class TextSaving {
  base: Base
  readonly #server: Server
  #sent: { edit: string; changes: ChangeSet } | undefined

  /** @param sent pieces sent from that base without an answer, by a browser that was closed since */
  constructor(base: Base, server: Server, sent?: UnsentChanges['sent']) {
    this.base = base
    this.#server = server
    this.#sent = sent && { edit: sent.edit, changes: ChangeSet.fromJSON(sent.changes) }
  }

  /** Sent but unanswered changes, for storing them. */
  get unsent(): UnsentChanges {
    return this.#sent
      ? { sent: { edit: this.#sent.edit, changes: this.#sent.changes.toJSON() } }
      : {}
  }

  /** True if the server has exactly this text. */
  isSaved(text: string): boolean {
    return !this.isUncertain && text === this.base.text
  }

  /** True if something was sent without an answer, so that its outcome is unknown. */
  get isUncertain(): boolean {
    return this.#sent !== undefined
  }

  /** Replaces the base, and discards the unanswered piece. */
  rebase(base: Base): void {
    this.base = base
    this.#sent = undefined
  }

  /**
   * Saves the current text of the editor. After a failure, `base` is the server's text, and saving again continues
   * from there.
   * @throws ApiError
   */
  async save(editor: Editor): Promise<void> {
    let text = editor.text()
    for (let piece = this.#nextPiece(text); piece; piece = this.#nextPiece(text)) {
      editor.onProgress()
      const { revision, others } = await this.#sendPiece(piece)
      const sent = applyTextChanges(this.base.text, piece.changes)
      const theirs = others === undefined ? undefined : ChangeSet.fromJSON(others)
      this.rebase({ text: theirs ? applyTextChanges(sent, theirs) : sent, revision })
      if (theirs) {
        editor.apply(rebaseChanges(theirs, sent, editor.text()))
        text = applyTextChanges(text, rebaseChanges(theirs, sent, text))
      }
      editor.onProgress()
    }
  }

  #nextPiece(text: string): { edit: string; changes: ChangeSet } | undefined {
    if (!this.#sent && text !== this.base.text)
      this.#sent = {
        edit: this.#server.createEditId(),
        changes: firstPiece(changesBetween(this.base.text, text)),
      }
    return this.#sent
  }

  async #sendPiece({ edit, changes }: { edit: string; changes: ChangeSet }) {
    try {
      return await this.#server.send({
        base_revision: this.base.revision,
        edit,
        changes: changes.toJSON(),
      })
    } catch (error) {
      if (isRefusal(error)) this.#sent = undefined
      throw error
    }
  }
}

const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

/** Returns the part of a change that fits into a request. */
function firstPiece(changes: ChangeSet): ChangeSet {
  let piece = changes
  for (let { inserted } = initialPieceLimits; !fits(piece); inserted = Math.floor(inserted / 2))
    piece = splitChanges(changes, { ...initialPieceLimits, inserted })[0]
  return piece
}

function fits(changes: ChangeSet): boolean {
  const json = changes.toJSON() as (number | unknown[])[]
  const values = json.reduce<number>(
    (sum, part) => sum + (Array.isArray(part) ? part.length : 0),
    0,
  )
  if (json.length + values > maxValues) return false
  const { length } = new TextEncoder().encode(JSON.stringify(json))
  return length + reservedBytes <= maxRequestBytes
}

/** Rebases the changes of others to the sent text onto its current state. */
const rebaseChanges = (theirs: ChangeSet, sent: string, text: string): ChangeSet =>
  theirs.map(changesBetween(sent, text), true)
