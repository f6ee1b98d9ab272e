// Shows the names of other authors at their positions, in a layer above the text, so that the text does not
// move.

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
  position: number
}

/** Milliseconds that a name stays visible after each move. */
const nameMs = 2000
/** A name without room above its line is shown below it. */
const nameHeight = 18

const addName = StateEffect.define<Name>({
  map: ({ author, position }, changes) => ({ author, position: changes.mapPos(position) }),
})
const dropNames = StateEffect.define<(name: Name) => boolean>()

const names = StateField.define<readonly Name[]>({
  create: () => [],
  update(current, { changes, docChanged, effects }) {
    let next = current
    if (docChanged && next.length > 0)
      next = next.map(({ author, position }) => ({ author, position: changes.mapPos(position) }))
    for (const effect of effects) {
      if (effect.is(addName))
        next = [...next.filter(({ author }) => author.id !== effect.value.author.id), effect.value]
      else if (effect.is(dropNames)) next = next.filter((name) => !effect.value(name))
    }
    return next
  },
})

interface NameBox {
  left: number
  top: number
  height: number
  /** Position of the name relative to the cursor. */
  side: string
}

class NameMarker implements LayerMarker {
  readonly #author: RemoteAuthor
  readonly #box: NameBox

  constructor(author: RemoteAuthor, box: NameBox) {
    this.#author = author
    this.#box = box
  }

  eq(other: NameMarker): boolean {
    const [a, b] = [this.#box, other.#box]
    return (
      this.#author === other.#author &&
      a.left === b.left &&
      a.top === b.top &&
      a.height === b.height &&
      a.side === b.side
    )
  }

  draw(): HTMLElement {
    const mark = document.createElement('div')
    mark.className = this.#author.isAssistant ? 'remote-name remote-assistant' : 'remote-name'
    const label = document.createElement('span')
    label.textContent = this.#author.name
    mark.append(label)
    this.#applyBox(mark)
    return mark
  }

  update(mark: HTMLElement, previous: NameMarker): boolean {
    if (previous.#author !== this.#author) return false
    this.#applyBox(mark)
    return true
  }

  #applyBox(mark: HTMLElement): void {
    const { left, top, height, side } = this.#box
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
      view.state.field(names).flatMap(({ author, position }) => {
        const box = nameBoxAt(view, position)
        return box ? [new NameMarker(author, box)] : []
      }),
  }),
]

const hasNames = (state: EditorState) => state.field(names).length > 0

/** Undefined if the position is not visible. */
function nameBoxAt(view: EditorView, position: number): NameBox | undefined {
  const [rectangle] = RectangleMarker.forRange(view, '', EditorSelection.cursor(position))
  if (!rectangle) return undefined
  const { left, top, height } = rectangle
  const vertical = top < nameHeight ? 'below' : 'above'
  return {
    left,
    top,
    height,
    side: left > view.scrollDOM.clientWidth / 2 ? `${vertical} end` : vertical,
  }
}

/** Shows briefly where someone is: an effect, and a function that removes it later. */
export function createNameEffect(position: number, source: RemoteAuthor) {
  const author = { ...source }
  return {
    effect: addName.of({ author, position }),
    fade(view: EditorView): void {
      setTimeout(() => removeNames(view, (name) => name.author === author), nameMs)
    },
  }
}

/** Briefly shows a person's position. */
export function drawName(view: EditorView, position: number, author: RemoteAuthor): void {
  const { effect, fade } = createNameEffect(Math.min(position, view.state.doc.length), author)
  view.dispatch({ effects: effect })
  fade(view)
}

/** Removes a person's position. */
export function hideName(view: EditorView, authorId: string): void {
  removeNames(view, ({ author }) => author.id === authorId)
}

function removeNames(view: EditorView, matches: (name: Name) => boolean): void {
  if (view.dom.isConnected && view.state.field(names).some(matches))
    view.dispatch({ effects: dropNames.of(matches) })
}
