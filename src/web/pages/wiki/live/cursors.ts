import type { LiveText } from '../../../editor/live/live-text.ts'
import type { RemoteAuthor } from '../../../editor/remote-names.ts'
import { onItemViewers, reportCursor, type ItemViewer } from '../../../store/index.ts'

interface EditorContext {
  text: () => LiveText
  /** Shows a person's position in the editor's text. */
  show: (position: number, author: RemoteAuthor) => void
  /** Removes a person's position. */
  hide: (personId: string) => void
}

/** Cursors of other people in a live text, and the own cursor as sent to them. */
export class Cursors {
  readonly #pageId: string
  readonly #context: EditorContext
  /** Last reported cursor of each person. */
  #lastCursors = new Map<string, NonNullable<ItemViewer['cursor']>>()
  /** People whose cursors refer to a revision not yet received. */
  #pendingViewers = new Map<string, ItemViewer>()
  #unsubscribe: (() => void) | undefined

  constructor(pageId: string, context: EditorContext) {
    this.#pageId = pageId
    this.#context = context
  }

  open(): void {
    this.#unsubscribe ??= onItemViewers(this.#pageId, (people) => this.#update(people))
  }

  close(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    reportCursor(this.#pageId, undefined)
  }

  /** Updates the own cursor. */
  move(position: number): void {
    const text = this.#context.text()
    if (this.#unsubscribe && position <= text.length)
      reportCursor(this.#pageId, text.revisionPositionOf(position))
  }

  /** The text has a new revision, to which pending cursors may refer. */
  showPending(): void {
    const pending = [...this.#pendingViewers.values()]
    this.#pendingViewers.clear()
    for (const viewer of pending) this.#show(viewer)
  }

  #update(people: readonly ItemViewer[]): void {
    const viewersById = new Map(people.map((looker) => [looker.person.id, looker]))
    for (const id of this.#lastCursors.keys()) {
      if (viewersById.get(id)?.cursor) continue
      this.#lastCursors.delete(id)
      this.#pendingViewers.delete(id)
      this.#context.hide(id)
    }
    for (const [id, viewer] of viewersById) {
      const [previous, { cursor }] = [this.#lastCursors.get(id), viewer]
      if (!cursor || (previous?.revision === cursor.revision && previous.at === cursor.at)) continue
      this.#lastCursors.set(id, cursor)
      this.#pendingViewers.delete(id)
      this.#show(viewer)
    }
  }

  #show(viewer: ItemViewer): void {
    const { person, cursor } = viewer
    if (!cursor) return
    const text = this.#context.text()
    if (cursor.revision > text.revision) {
      this.#pendingViewers.set(person.id, viewer)
      return
    }
    const position = text.editorPositionOf(cursor)
    if (position !== undefined)
      this.#context.show(position, { id: person.id, name: person.title, isAssistant: false })
  }
}
