// Marks lines in which someone else has just written.

import { StateEffect, StateField, type ChangeSet } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import { createNameEffect, remoteNames, type RemoteAuthor } from './remote-names.ts'

interface Mark {
  author: RemoteAuthor
  position: number
}

const glowMs = 8000

const addMark = StateEffect.define<Mark>({
  map: ({ author, position }, changes) => ({ author, position: changes.mapPos(position) }),
})
const dropMark = StateEffect.define<RemoteAuthor>()

const authorOf = (value: { spec: unknown }) => (value.spec as { author: RemoteAuthor }).author

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(current, { changes, effects, newDoc }) {
    let next = current.map(changes)
    for (const effect of effects) {
      if (effect.is(addMark)) {
        const { author, position } = effect.value
        const lineClass = author.isAssistant ? 'remote-line remote-assistant' : 'remote-line'
        next = next.update({
          filter: (_from, _to, value) => authorOf(value).id !== author.id,
          add: [Decoration.line({ class: lineClass, author }).range(newDoc.lineAt(position).from)],
        })
      } else if (effect.is(dropMark))
        next = next.update({ filter: (_from, _to, value) => authorOf(value) !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Editor extension that marks remotely changed lines and names their authors. */
export const remoteMarks = [marks, remoteNames]

/** Shows briefly who made a change: effects for its transaction, and a function that removes them later. */
export function createChangeMarks(
  changes: ChangeSet,
  changedBy: RemoteAuthor,
): { effects: StateEffect<unknown>[]; fade: (view: EditorView) => void } {
  let end = 0
  changes.iterChangedRanges((...[, , , to]) => {
    end = to
  })
  const author = { ...changedBy }
  const name = createNameEffect(end, changedBy)
  return {
    effects: [addMark.of({ author, position: end }), name.effect],
    fade(view) {
      name.fade(view)
      setTimeout(() => {
        if (view.dom.isConnected) view.dispatch({ effects: dropMark.of(author) })
      }, glowMs)
    },
  }
}
