import type { ChangeSet } from '@codemirror/state'
import { useEffect, useState, type RefObject } from 'react'
import {
  conflictsIn,
  mergedText,
  mergeParts,
  type MergePart,
} from '../../../../kernel/text/merge.ts'
import { changesBetween } from '../../../../kernel/text/text-changes.ts'
import { get } from '../../../api/client.ts'
import { LiveText } from '../../../editor/live/live-text.ts'
import type { EditorHandle } from '../../../editor/MarkdownEditor.tsx'
import type { RemoteAuthor } from '../../../editor/remote-marks.ts'
import { typedAt } from '../../../store/index.ts'
import { assistants } from '../../../texts/en/assistants.ts'
import { deleteDraft, storeDraft, type PageDraft } from '../drafts.ts'
import { LiveSession, type LiveState } from './session.ts'
import type { LiveStep } from './steps.ts'
import { pageTransport } from './transport.ts'

const storeDelayMs = 200
const mergeRetryMs = 2000

export interface LiveEditing {
  state: LiveState
  /** What the server said, where it refused. */
  message: string
  /** The same lines were changed meanwhile: what has to be decided first. */
  conflict: readonly MergePart[] | undefined
  edited: (changes: ChangeSet) => void
  decide: (text: string) => void
  /** Sends what waits; whether everything is sent. */
  finish: () => Promise<boolean>
}

interface Start {
  pageId: string
  draft: PageDraft
  editor: RefObject<EditorHandle | null>
}

/** Writes a text together with others, for as long as it is open; what is not confirmed is on the disk of this browser. */
export function useLiveEditing(start: Start): LiveEditing {
  const [writing] = useState(() => new Writing(start))
  const [, redraw] = useState(0)
  useEffect(() => {
    writing.open(() => redraw((count) => count + 1))
    const retry = () => writing.retry()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      writing.leave()
    }
  }, [writing])
  return {
    state: writing.state,
    message: writing.message,
    conflict: writing.conflict,
    edited: (changes) => {
      writing.type(changes)
      typedAt(start.pageId)
    },
    decide: (text) => writing.decide(text),
    finish: () => writing.finish(),
  }
}

function authorOf({ author, key_name, via_key }: LiveStep): RemoteAuthor {
  if (!via_key) return { id: author.id, name: author.title, isAssistant: false }
  return {
    id: `${author.id} key`,
    name: key_name ?? assistants.ofOwner(author.title),
    isAssistant: true,
  }
}

class Writing {
  readonly #start: Start
  #session: LiveSession<LiveStep> | undefined
  #text: LiveText
  #conflict: { parts: readonly MergePart[]; theirs: { text: string; revision: number } } | undefined
  #redraw = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #merging = false
  #isStored: boolean
  #isLeft = false

  constructor(start: Start) {
    this.#start = start
    const { base, revision, text, sent, typed } = start.draft
    this.#isStored = text !== base
    const isOld = sent === undefined && typed === undefined && text !== base
    this.#text = new LiveText(base, revision, {
      sent,
      typed: isOld ? changesBetween(base, text).toJSON() : typed,
    })
  }

  get state(): LiveState {
    return this.#session?.state ?? 'saved'
  }

  get message(): string {
    return this.#session?.message ?? ''
  }

  get conflict(): readonly MergePart[] | undefined {
    return this.#conflict?.parts
  }

  open(redraw: () => void): void {
    this.#redraw = redraw
    this.#isLeft = false
    this.#begin(this.#text)
  }

  /** The editor goes: what waits is sent as long as this page of the browser is there, and is on the disk for later. */
  leave(): void {
    this.#isLeft = true
    this.#redraw = () => {}
    clearTimeout(this.#timer)
    this.#store()
    if (!this.#text.isWaiting) this.#session?.end()
  }

  retry(): void {
    if (this.state === 'behind') void this.#merge()
    else this.#session?.retry()
  }

  type(changes: ChangeSet): void {
    this.#session?.type(changes)
  }

  async finish(): Promise<boolean> {
    return (await this.#session?.finish()) ?? false
  }

  decide(text: string): void {
    const theirs = this.#conflict?.theirs
    this.#conflict = undefined
    if (theirs) this.#rebase(theirs, text)
    this.#redraw()
  }

  #begin(text: LiveText): void {
    this.#session?.end()
    this.#text = text
    this.#session = new LiveSession(text, pageTransport(this.#start.pageId), {
      change: (changes, step) => this.#start.editor.current?.apply(changes, authorOf(step)),
      update: () => this.#updated(),
    })
  }

  #updated(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#store()
    }, storeDelayMs)
    if (this.state === 'behind') void this.#merge()
    if (this.#isLeft && !this.#text.isWaiting) {
      this.#store()
      this.#session?.end()
    }
    this.#redraw()
  }

  /** Keeps what is not confirmed, and nothing else. */
  #store(): void {
    const { key } = this.#start.draft
    if (this.state === 'gone' || !this.#text.isWaiting) {
      if (this.#isStored) void deleteDraft(key)
      this.#isStored = false
      return
    }
    const { base, revision, text, unsent } = this.#text
    this.#isStored = true
    void storeDraft({ key, base, revision, text, ...unsent })
  }

  /** Reads the text again, and merges what was written here with it. */
  async #merge(): Promise<void> {
    if (this.#merging || this.#conflict) return
    this.#merging = true
    try {
      const { body_markdown, revision } = await get('/web/pages/:id/live', {
        id: this.#start.pageId,
      })
      const parts = mergeParts(this.#text.base, this.#text.text, body_markdown)
      const theirs = { text: body_markdown, revision }
      if (conflictsIn(parts).length > 0) this.#conflict = { parts, theirs }
      else
        this.#rebase(
          theirs,
          mergedText(parts, () => []),
        )
    } catch (error) {
      // as long as it cannot be read, what was written stays on the disk; it is tried again when there is a connection
      console.warn(`The text was not read again: ${String(error)}`)
      await new Promise((resolve) => setTimeout(resolve, mergeRetryMs))
    } finally {
      this.#merging = false
    }
    this.#redraw()
  }

  #rebase(theirs: { text: string; revision: number }, text: string): void {
    const typed = changesBetween(theirs.text, text)
    this.#start.editor.current?.replace(text)
    this.#begin(
      new LiveText(theirs.text, theirs.revision, typed.empty ? {} : { typed: typed.toJSON() }),
    )
    this.#store()
  }
}
