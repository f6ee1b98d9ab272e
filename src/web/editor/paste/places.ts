// Tracks positions in a text while content for them is being fetched, across other edits.

import { StateEffect, StateField, type ChangeDesc, type EditorState } from '@codemirror/state'

/** A range that will be replaced; empty for an insertion. */
interface TrackedRange {
  from: number
  to: number
}

const setRange = StateEffect.define<{ key: object; range: TrackedRange | undefined }>({
  map: ({ key, range }, changes) => ({ key, range: range && mapRange(range, changes) }),
})

/** Tracked positions by owner. */
const rangeField = StateField.define<ReadonlyMap<object, TrackedRange>>({
  create: () => new Map(),
  update(current, { changes, docChanged, effects }) {
    const rangeEffects = effects.filter((effect) => effect.is(setRange))
    if (rangeEffects.length === 0 && (!docChanged || current.size === 0)) return current
    const next = new Map([...current].map(([key, range]) => [key, mapRange(range, changes)]))
    for (const { value } of rangeEffects)
      if (value.range) next.set(value.key, value.range)
      else next.delete(value.key)
    return next
  },
})

/**
 * Maps a tracked range through a change: text typed at a position precedes it, and text typed into a range is not
 * replaced with it.
 */
function mapRange({ from, to }: TrackedRange, changes: ChangeDesc): TrackedRange {
  if (from === to) {
    const position = changes.mapPos(from, -1)
    return { from: position, to: position }
  }
  const start = changes.mapPos(from, 1)
  return { from: start, to: Math.max(start, changes.mapPos(to, -1)) }
}

/** Editor extension for tracking positions. */
export const rangeTracking = rangeField

/** Starts tracking a position. */
export const trackRange = (key: object, from: number, to = from) =>
  setRange.of({ key, range: { from, to } })

/** Stops tracking it. */
export const untrackRange = (key: object) => setRange.of({ key, range: undefined })

/** Current range of an owner; undefined if none is tracked. */
export const trackedRangeOf = (state: EditorState, key: object): TrackedRange | undefined =>
  state.field(rangeField, false)?.get(key)

/** All tracked positions by owner. */
export const trackedRangesIn = (state: EditorState): ReadonlyMap<object, TrackedRange> =>
  state.field(rangeField, false) ?? new Map()
