// Tracks positions in a text while content for them is being fetched, across other edits.

import { StateEffect, StateField, type ChangeDesc, type EditorState } from '@codemirror/state'

/** A range that will be replaced; empty for an insertion. */
interface KeptRange {
  from: number
  to: number
}

const setRange = StateEffect.define<{ key: object; place: KeptRange | undefined }>({
  map: ({ key, place }, changes) => ({ key, place: place && moved(place, changes) }),
})

/** Tracked positions by owner. */
const places = StateField.define<ReadonlyMap<object, KeptRange>>({
  create: () => new Map(),
  update(before, { changes, docChanged, effects }) {
    const marked = effects.filter((effect) => effect.is(setRange))
    if (marked.length === 0 && (!docChanged || before.size === 0)) return before
    const after = new Map([...before].map(([key, place]) => [key, moved(place, changes)]))
    for (const { value } of marked)
      if (value.place) after.set(value.key, value.place)
      else after.delete(value.key)
    return after
  },
})

/**
 * Maps a kept range through a change: text typed at a position precedes it, and text typed into a range is not
 * replaced with it.
 */
function moved({ from, to }: KeptRange, changes: ChangeDesc): KeptRange {
  if (from === to) {
    const at = changes.mapPos(from, -1)
    return { from: at, to: at }
  }
  const start = changes.mapPos(from, 1)
  return { from: start, to: Math.max(start, changes.mapPos(to, -1)) }
}

/** Editor extension for tracking positions. */
export const placeKeeping = places

/** Starts tracking a position. */
export const keepPlace = (key: object, from: number, to = from) =>
  setRange.of({ key, place: { from, to } })

/** Stops tracking it. */
export const forgetPlace = (key: object) => setRange.of({ key, place: undefined })

/** Current range of a kept place; undefined if it is not kept. */
export const keptRange = (state: EditorState, key: object): KeptRange | undefined =>
  state.field(places, false)?.get(key)

/** All tracked positions by owner. */
export const keptPlaces = (state: EditorState): ReadonlyMap<object, KeptRange> =>
  state.field(places, false) ?? new Map()
