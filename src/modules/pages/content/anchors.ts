// Commented passages: their positions, and their positions after the text changed.

import { placesAsShown } from './shown-text.ts'

/** A passage with its surrounding text and original offset. */
export interface Anchor {
  quote: string
  before: string
  after: string
  start: number
}

const contextLength = 64
const maxPlaces = 500

/**
 * The position of a passage, nearest to `near` if several; undefined if the text does not contain it. Without an
 * exact match, uses one that looks the same.
 */
export function anchorAt(body: string, passage: string, near = 0): Anchor | undefined {
  const exact = anchorOf(body, passage, near)
  if (exact) return exact
  const distance = ({ start }: { start: number }) => Math.abs(start - near)
  const [place] = placesAsShown(body, passage, maxPlaces).toSorted(
    (place, other) => distance(place) - distance(other),
  )
  return place && anchorOf(body, body.slice(place.start, place.end), place.start)
}

function anchorOf(body: string, quote: string, near: number): Anchor | undefined {
  const previous = body.lastIndexOf(quote, near)
  const next = body.indexOf(quote, near)
  if (previous === -1 && next === -1) return undefined
  const isBefore = next === -1 || (previous !== -1 && near - previous <= next - near)
  const start = isBefore ? previous : next
  const end = start + quote.length
  return {
    quote,
    before: body.slice(Math.max(0, start - contextLength), start).toWellFormed(),
    after: body.slice(end, end + contextLength).toWellFormed(),
    start,
  }
}

/**
 * Current position of a passage: of several candidates the one with the most similar surroundings, then the nearest
 * one.
 */
export function currentOffset(
  body: string,
  { quote, before, after, start }: Anchor,
): number | undefined {
  let best: { at: number; similarity: number } | undefined
  let count = 0
  for (
    let at = body.indexOf(quote);
    at !== -1 && count < maxPlaces;
    at = body.indexOf(quote, at + 1), count++
  ) {
    const similarity =
      commonSuffixLength(body, at, before) + commonPrefixLength(body, at + quote.length, after)
    if (
      !best ||
      similarity > best.similarity ||
      (similarity === best.similarity && Math.abs(at - start) < Math.abs(best.at - start))
    )
      best = { at, similarity }
  }
  return best?.at
}

function commonSuffixLength(body: string, end: number, text: string): number {
  let same = 0
  while (same < text.length && same < end && body[end - 1 - same] === text[text.length - 1 - same])
    same++
  return same
}

function commonPrefixLength(body: string, start: number, text: string): number {
  let same = 0
  while (same < text.length && body[start + same] === text[same]) same++
  return same
}
