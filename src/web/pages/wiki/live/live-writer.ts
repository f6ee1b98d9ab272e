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
import { stepAuthor, type LiveStep } from './steps.ts'
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
  remainingChars: number
  onEdit: (changes: ChangeSet) => void
  /** Called when the cursor has moved. */
  onMove: (position: number) => void
  resolve: (text: string) => void
  /** Sends pending changes; returns whether all were sent. */
  finish: () => Promise<boolean>
}

interface LiveEditingOptions {
  pageId: string
  draft: PageDraft
  editor: RefObject<EditorHandle | null>
}

/** Edits a text together with others while it is open; unconfirmed changes are stored on disk. */
export function useLiveEditing(options: LiveEditingOptions): LiveEditing {
  const [writer] = useState(() => new LiveWriter(options))
  const [, rerender] = useState(0)
  useEffect(() => {
    writer.open(() => rerender((count) => count + 1))
    const retry = () => writer.retry()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      writer.close()
    }
  }, [writer])
  return {
    state: writer.state,
    message: writer.message,
    conflict: writer.conflict,
    remainingChars: writer.remainingChars,
    onEdit: (changes) => {
      writer.type(changes)
      typedAt(options.pageId)
    },
    onMove: (position) => writer.move(position),
    resolve: (text) => writer.resolve(text),
    finish: () => writer.finish(),
  }
}

class LiveWriter {
  readonly #options: LiveEditingOptions
  readonly #cursors: Cursors
  #session: LiveSession<LiveStep> | undefined
  #text: LiveText
  #conflict: { parts: readonly MergePart[]; theirs: { text: string; revision: number } } | undefined
  #redraw = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #isMerging = false
  #isStored: boolean
  #isClosed = false
  #stopLeaveGuard: (() => void) | undefined

  constructor(options: LiveEditingOptions) {
    this.#options = options
    this.#cursors = new Cursors(options.pageId, {
      text: () => this.#text,
      show: (position, author) => options.editor.current?.showPosition(position, author),
      hide: (id) => options.editor.current?.hidePosition(id),
    })
    const { base, revision, text, sent, typed } = options.draft
    this.#isStored = text !== base
    const isLegacyDraft = sent === undefined && typed === undefined && text !== base
    this.#text = new LiveText(base, revision, {
      sent,
      typed: isLegacyDraft ? changesBetween(base, text).toJSON() : typed,
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

  get remainingChars(): number {
    return maxLiveChars - this.#text.length
  }

  get #hasUnsent(): boolean {
    return this.#text.isWaiting && this.state !== 'gone'
  }

  open(redraw: () => void): void {
    this.#redraw = redraw
    this.#isClosed = false
    this.#stopLeaveGuard ??= askBeforeLeaving(() => this.#storeBeforeLeaving())
    this.#startSession(this.#text)
    this.#cursors.open()
  }

  /** True if the browser must ask before leaving the page; the most recent typing is stored on disk first. */
  #storeBeforeLeaving(): boolean {
    if (this.#hasUnsent) this.#store()
    return this.#hasUnsent
  }

  /**
   * Called when the editor closes: pending changes are sent while this browser page exists, and are on disk for
   * later.
   */
  close(): void {
    this.#isClosed = true
    this.#redraw = () => {}
    this.#cursors.close()
    clearTimeout(this.#timer)
    this.#store()
    if (!this.#hasUnsent) this.#endSession()
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

  resolve(text: string): void {
    const theirs = this.#conflict?.theirs
    this.#conflict = undefined
    if (theirs) this.#rebase(theirs, text)
    this.#redraw()
  }

  #startSession(text: LiveText): void {
    this.#session?.end()
    this.#text = text
    this.#session = new LiveSession(text, pageTransport(this.#options.pageId), {
      onChange: (changes, step) => this.#options.editor.current?.apply(changes, stepAuthor(step)),
      onUpdate: () => this.#onUpdate(),
    })
  }

  #onUpdate(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#store()
    }, storeDelayMs(this.#text.length))
    this.#cursors.showPending()
    if (this.state === 'behind') void this.#merge()
    if (this.#isClosed && !this.#hasUnsent) {
      this.#store()
      this.#endSession()
    }
    this.#redraw()
  }

  #endSession(): void {
    this.#session?.end()
    this.#stopLeaveGuard?.()
    this.#stopLeaveGuard = undefined
  }

  /** Stores only unconfirmed changes. */
  #store(): void {
    const { key } = this.#options.draft
    if (!this.#hasUnsent) {
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
    if (this.#isMerging || this.#conflict) return
    this.#isMerging = true
    try {
      const { body_markdown, revision } = await get('/web/pages/:id/live', {
        id: this.#options.pageId,
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
      console.warn(`The text could not be reloaded: ${String(error)}`)
      await new Promise((resolve) => setTimeout(resolve, mergeRetryMs))
    } finally {
      this.#isMerging = false
    }
    this.#redraw()
  }

  #rebase(theirs: { text: string; revision: number }, text: string): void {
    const typed = changesBetween(theirs.text, text)
    this.#options.editor.current?.replace(text)
    this.#startSession(
      new LiveText(theirs.text, theirs.revision, typed.empty ? {} : { typed: typed.toJSON() }),
    )
    this.#store()
  }
}
