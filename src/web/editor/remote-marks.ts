// Where someone else has just written: their name at the place, and a mark at the line.

import { StateEffect, StateField, type ChangeSet, type Range } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'

/** Who wrote elsewhere. */
export interface RemoteAuthor {
  /** One mark each. */
  id: string
  name: string
  isAssistant: boolean
}

interface Mark {
  author: RemoteAuthor
  at: number
}

const nameMs = 2000
const glowMs = 8000

const addMark = StateEffect.define<Mark>({
  map: ({ author, at }, changes) => ({ author, at: changes.mapPos(at) }),
})
const dropName = StateEffect.define<RemoteAuthor>()
const dropMark = StateEffect.define<RemoteAuthor>()

class NameMark extends WidgetType {
  readonly #author: RemoteAuthor

  constructor(author: RemoteAuthor) {
    super()
    this.#author = author
  }

  override eq(other: NameMark): boolean {
    return other.#author.id === this.#author.id
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span')
    mark.className = this.#author.isAssistant ? 'remote-name remote-assistant' : 'remote-name'
    mark.setAttribute('aria-hidden', 'true')
    mark.dataset.name = this.#author.name
    return mark
  }
}

interface Marked {
  author: RemoteAuthor
  hasName: boolean
}

const marked = (value: { spec: unknown }) => (value.spec as { marked: Marked }).marked

function marksOf({ author, at }: Mark, lineStart: number): Range<Decoration>[] {
  const of = author.isAssistant ? 'remote-line remote-assistant' : 'remote-line'
  return [
    Decoration.line({ class: of, marked: { author, hasName: false } }).range(lineStart),
    Decoration.widget({
      widget: new NameMark(author),
      side: 1,
      marked: { author, hasName: true },
    }).range(at),
  ]
}

/** The marks, as a part of an editor. */
export const remoteMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    let now = marks.map(changes)
    for (const effect of effects) {
      if (effect.is(addMark)) {
        const { author, at } = effect.value
        now = now.update({
          filter: (_from, _to, value) => marked(value).author.id !== author.id,
          add: marksOf({ author, at }, state.doc.lineAt(at).from),
          sort: true,
        })
      } else if (effect.is(dropName) || effect.is(dropMark)) {
        const isAll = effect.is(dropMark)
        const gone = effect.value
        now = now.update({
          filter: (_from, _to, value) =>
            marked(value).author !== gone || !(isAll || marked(value).hasName),
        })
      }
    }
    return now
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows for a moment who has made a change. */
export function showRemote(view: EditorView, changes: ChangeSet, by: RemoteAuthor): void {
  let at = 0
  changes.iterChangedRanges((...[, , , to]) => {
    at = to
  })
  const author = { ...by }
  view.dispatch({ effects: addMark.of({ author, at: Math.min(at, view.state.doc.length) }) })
  const drop = (effect: typeof dropName) => {
    if (view.dom.isConnected) view.dispatch({ effects: effect.of(author) })
  }
  setTimeout(() => drop(dropName), nameMs)
  setTimeout(() => drop(dropMark), glowMs)
}
