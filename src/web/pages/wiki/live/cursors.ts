import type { LiveText } from '../../../editor/live/live-text.ts'
import type { RemoteAuthor } from '../../../editor/remote-names.ts'
import { onLookers, pointAt, type Looker } from '../../../store/index.ts'

interface Around {
  text: () => LiveText
  /** Shows a person's position in the editor's text. */
  show: (position: number, by: RemoteAuthor) => void
  /** Removes a person's position. */
  hide: (personId: string) => void
}

/** Cursors of other people in a live text, and the own cursor as sent to them. */
export class Cursors {
  readonly #pageId: string
  readonly #around: Around
  /** Last reported cursor of each person. */
  #last = new Map<string, NonNullable<Looker['cursor']>>()
  /** People whose cursors refer to a revision not yet received. */
  #ahead = new Map<string, Looker>()
  #unlisten: (() => void) | undefined

  constructor(pageId: string, around: Around) {
    this.#pageId = pageId
    this.#around = around
  }

  open(): void {
    this.#unlisten ??= onLookers(this.#pageId, (people) => this.#hear(people))
  }

  close(): void {
    this.#unlisten?.()
    this.#unlisten = undefined
    pointAt(this.#pageId, undefined)
  }

  /** Updates the own cursor. */
  move(position: number): void {
    const text = this.#around.text()
    if (this.#unlisten && position <= text.length) pointAt(this.#pageId, text.placeOf(position))
  }

  /** The text has a new revision, to which pending cursors may refer. */
  follow(): void {
    const ahead = [...this.#ahead.values()]
    this.#ahead.clear()
    for (const looker of ahead) this.#show(looker)
  }

  #hear(people: readonly Looker[]): void {
    const here = new Map(people.map((looker) => [looker.person.id, looker]))
    for (const id of this.#last.keys()) {
      if (here.get(id)?.cursor) continue
      this.#last.delete(id)
      this.#ahead.delete(id)
      this.#around.hide(id)
    }
    for (const [id, looker] of here) {
      const [before, { cursor: now }] = [this.#last.get(id), looker]
      if (!now || (before?.revision === now.revision && before.at === now.at)) continue
      this.#last.set(id, now)
      this.#ahead.delete(id)
      this.#show(looker)
    }
  }

  #show(looker: Looker): void {
    const { person, cursor } = looker
    if (!cursor) return
    const text = this.#around.text()
    if (cursor.revision > text.revision) {
      this.#ahead.set(person.id, looker)
      return
    }
    const position = text.positionOf(cursor)
    if (position !== undefined)
      this.#around.show(position, { id: person.id, name: person.title, isAssistant: false })
  }
}
