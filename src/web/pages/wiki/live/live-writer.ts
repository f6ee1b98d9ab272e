import type { ChangeSet } from '@codemirror/state'
import { useEffect, useState, type RefObject } from 'react'
import {
  conflictsIn,
  mergedText,
  mergeParts,
  type MergePart,
} from '../../../../kernel/text/merge.ts'
import { changesBetween, maxLiveChars } from '../../../../kernel/text/text-changes.ts'
import { get } from '../../../api/client.ts'
import { LiveText } from '../../../editor/live/live-text.ts'
import type { EditorHandle } from '../../../editor/MarkdownEditor.tsx'
import { askBeforeLeaving, typedAt } from '../../../store/index.ts'
import { deleteDraft, storeDraft, type PageDraft } from '../drafts.ts'
import { Cursors } from './cursors.ts'
import { LiveSession, type LiveState } from './session.ts'
import { authorOf, type LiveStep } from './steps.ts'
import { pageTransport } from './transport.ts'

/** Delay before unconfirmed changes are written to disk; longer for a long text, which is written with them. */
const storeDelayMs = (chars: number) => Math.min(450, 200 + chars / 1000)
const mergeRetryMs = 2000

export interface LiveEditing {
  state: LiveState
  /** Message of the server if it refused. */
  message: string
  /** The same lines were changed meanwhile: conflicts to resolve first. */
  conflict: readonly MergePart[] | undefined
  /** The remaining capacity in characters. */
  room: number
  edited: (changes: ChangeSet) => void
  /** Called when the cursor has moved. */
  moved: (position: number) => void
  decide: (text: string) => void
  /** Sends pending changes; returns whether all were sent. */
  finish: () => Promise<boolean>
}

interface Start {
  pageId: string
  draft: PageDraft
  editor: RefObject<EditorHandle | null>
}

/** Edits a text together with others while it is open; unconfirmed changes are stored on disk. */
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
    room: writing.room,
    edited: (changes) => {
      writing.type(changes)
      typedAt(start.pageId)
    },
    moved: (position) => writing.move(position),
    decide: (text) => writing.decide(text),
    finish: () => writing.finish(),
  }
}

class Writing {
  readonly #start: Start
  readonly #cursors: Cursors
  #session: LiveSession<LiveStep> | undefined
  #text: LiveText
  #conflict: { parts: readonly MergePart[]; theirs: { text: string; revision: number } } | undefined
  #redraw = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #merging = false
  #isStored: boolean
  #isLeft = false
  #stopAsking: (() => void) | undefined

  constructor(start: Start) {
    this.#start = start
    this.#cursors = new Cursors(start.pageId, {
      text: () => this.#text,
      show: (position, by) => start.editor.current?.point(position, by),
      hide: (id) => start.editor.current?.unpoint(id),
    })
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

  get room(): number {
    return maxLiveChars - this.#text.length
  }

  get #isUnsent(): boolean {
    return this.#text.isWaiting && this.state !== 'gone'
  }

  open(redraw: () => void): void {
    this.#redraw = redraw
    this.#isLeft = false
    this.#stopAsking ??= askBeforeLeaving(() => this.#isAskedFor())
    this.#begin(this.#text)
    this.#cursors.open()
  }

  /** True if the browser must ask before leaving the page; the most recent typing is stored on disk first. */
  #isAskedFor(): boolean {
    if (this.#isUnsent) this.#store()
    return this.#isUnsent
  }

  /**
   * Called when the editor closes: pending changes are sent while this browser page exists, and are on disk for
   * later.
   */
  leave(): void {
    this.#isLeft = true
    this.#redraw = () => {}
    this.#cursors.close()
    clearTimeout(this.#timer)
    this.#store()
    if (!this.#isUnsent) this.#end()
  }

  retry(): void {
    if (this.state === 'behind') void this.#merge()
    else this.#session?.retry()
  }

  type(changes: ChangeSet): void {
    this.#session?.type(changes)
  }

  move(position: number): void {
    this.#cursors.move(position)
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
    }, storeDelayMs(this.#text.length))
    this.#cursors.follow()
    if (this.state === 'behind') void this.#merge()
    if (this.#isLeft && !this.#isUnsent) {
      this.#store()
      this.#end()
    }
    this.#redraw()
  }

  #end(): void {
    this.#session?.end()
    this.#stopAsking?.()
    this.#stopAsking = undefined
  }

  /** Stores only unconfirmed changes. */
  #store(): void {
    const { key } = this.#start.draft
    if (!this.#isUnsent) {
      if (this.#isStored) void deleteDraft(key)
      this.#isStored = false
      return
    }
    const { base, revision, unsent } = this.#text
    this.#isStored = true
    void storeDraft({ key, base, revision, ...unsent })
  }

  /** Reloads the text, and merges the changes made here. */
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
      // until it can be loaded, the changes stay on disk; retried when online
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
