// Marks lines in which someone else has just written.

import { StateEffect, StateField, type ChangeSet } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import { remoteName, remoteNames, type RemoteAuthor } from './remote-names.ts'

interface Mark {
  author: RemoteAuthor
  at: number
}

const glowMs = 8000

const addMark = StateEffect.define<Mark>({
  map: ({ author, at }, changes) => ({ author, at: changes.mapPos(at) }),
})
const dropMark = StateEffect.define<RemoteAuthor>()

const authorOf = (value: { spec: unknown }) => (value.spec as { author: RemoteAuthor }).author

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, newDoc }) {
    let now = before.map(changes)
    for (const effect of effects) {
      if (effect.is(addMark)) {
        const { author, at } = effect.value
        const lineClass = author.isAssistant ? 'remote-line remote-assistant' : 'remote-line'
        now = now.update({
          filter: (_from, _to, value) => authorOf(value).id !== author.id,
          add: [Decoration.line({ class: lineClass, author }).range(newDoc.lineAt(at).from)],
        })
      } else if (effect.is(dropMark))
        now = now.update({ filter: (_from, _to, value) => authorOf(value) !== effect.value })
    }
    return now
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Remote cursors with their names, as an editor extension. */
export const remoteMarks = [marks, remoteNames]

/** Shows briefly who made a change: effects for its transaction, and a function that removes them later. */
export function remoteOf(
  changes: ChangeSet,
  by: RemoteAuthor,
): { effects: StateEffect<unknown>[]; fade: (view: EditorView) => void } {
  let at = 0
  changes.iterChangedRanges((...[, , , to]) => {
    at = to
  })
  const author = { ...by }
  const name = remoteName(at, by)
  return {
    effects: [addMark.of({ author, at }), name.effect],
    fade(view) {
      name.fade(view)
      setTimeout(() => {
        if (view.dom.isConnected) view.dispatch({ effects: dropMark.of(author) })
      }, glowMs)
    },
  }
}
