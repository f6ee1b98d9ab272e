// The names of others at their positions. They are drawn above the text and are not part of it: no letter moves for
// them.

import { EditorSelection, StateEffect, StateField, type EditorState } from '@codemirror/state'
import { type EditorView, layer, RectangleMarker, type LayerMarker } from '@codemirror/view'

export interface RemoteAuthor {
  /** Unique per name. */
  id: string
  name: string
  isAssistant: boolean
}

interface Name {
  author: RemoteAuthor
  at: number
}

/** Milliseconds that a name stays visible after each move. */
const nameMs = 2000
/** A name without room above its line is shown below it. */
const nameHeight = 18

const addName = StateEffect.define<Name>({
  map: ({ author, at }, changes) => ({ author, at: changes.mapPos(at) }),
})
const dropNames = StateEffect.define<(name: Name) => boolean>()

const names = StateField.define<readonly Name[]>({
  create: () => [],
  update(before, { changes, docChanged, effects }) {
    let now = before
    if (docChanged && now.length > 0)
      now = now.map(({ author, at }) => ({ author, at: changes.mapPos(at) }))
    for (const effect of effects) {
      if (effect.is(addName))
        now = [...now.filter(({ author }) => author.id !== effect.value.author.id), effect.value]
      else if (effect.is(dropNames)) now = now.filter((name) => !effect.value(name))
    }
    return now
  },
})

interface NamePlace {
  left: number
  top: number
  height: number
  /** Position of the name relative to the cursor. */
  side: string
}

class NameMarker implements LayerMarker {
  readonly #author: RemoteAuthor
  readonly #place: NamePlace

  constructor(author: RemoteAuthor, place: NamePlace) {
    this.#author = author
    this.#place = place
  }

  eq(other: NameMarker): boolean {
    const [one, two] = [this.#place, other.#place]
    return (
      this.#author === other.#author &&
      one.left === two.left &&
      one.top === two.top &&
      one.height === two.height &&
      one.side === two.side
    )
  }

  draw(): HTMLElement {
    const mark = document.createElement('div')
    mark.className = this.#author.isAssistant ? 'remote-name remote-assistant' : 'remote-name'
    const label = document.createElement('span')
    label.textContent = this.#author.name
    mark.append(label)
    this.#put(mark)
    return mark
  }

  update(mark: HTMLElement, before: NameMarker): boolean {
    if (before.#author !== this.#author) return false
    this.#put(mark)
    return true
  }

  #put(mark: HTMLElement): void {
    const { left, top, height, side } = this.#place
    mark.style.left = `${left}px`
    mark.style.top = `${top}px`
    mark.style.height = `${height}px`
    mark.dataset.side = side
  }
}

/** The names, as an editor extension. */
export const remoteNames = [
  names,
  layer({
    above: true,
    class: 'remote-names',
    update: ({ docChanged, startState, state }) =>
      state.field(names) !== startState.field(names) || (docChanged && hasNames(state)),
    markers: (view) =>
      view.state.field(names).flatMap(({ author, at }) => {
        const place = namePlaceAt(view, at)
        return place ? [new NameMarker(author, place)] : []
      }),
  }),
]

const hasNames = (state: EditorState) => state.field(names).length > 0

/** Undefined if the position is not visible. */
function namePlaceAt(view: EditorView, at: number): NamePlace | undefined {
  const [piece] = RectangleMarker.forRange(view, '', EditorSelection.cursor(at))
  if (!piece) return undefined
  const { left, top, height } = piece
  const vertical = top < nameHeight ? 'below' : 'above'
  return {
    left,
    top,
    height,
    side: left > view.scrollDOM.clientWidth / 2 ? `${vertical} end` : vertical,
  }
}

/** Shows briefly where someone is: an effect, and a function that removes it later. */
export function remoteName(at: number, by: RemoteAuthor) {
  const author = { ...by }
  return {
    effect: addName.of({ author, at }),
    fade(view: EditorView): void {
      setTimeout(() => drop(view, (name) => name.author === author), nameMs)
    },
  }
}

/** Briefly shows a person's position. */
export function drawName(view: EditorView, at: number, by: RemoteAuthor): void {
  const { effect, fade } = remoteName(Math.min(at, view.state.doc.length), by)
  view.dispatch({ effects: effect })
  fade(view)
}

/** Removes a person's position. */
export function hideName(view: EditorView, authorId: string): void {
  drop(view, ({ author }) => author.id === authorId)
}

function drop(view: EditorView, isGone: (name: Name) => boolean): void {
  if (view.dom.isConnected && view.state.field(names).some(isGone))
    view.dispatch({ effects: dropNames.of(isGone) })
}
