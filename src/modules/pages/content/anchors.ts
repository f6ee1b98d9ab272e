// Commented passages: their positions, and their positions after the text changed.

import { placesAsShown } from './shown-text.ts'

/** A passage with its surrounding text and original offset. */
export interface Anchor {
  quote: string
  before: string
  after: string
  start: number
}

const around = 64
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
  const before = body.lastIndexOf(quote, near)
  const behind = body.indexOf(quote, near)
  if (before === -1 && behind === -1) return undefined
  const isBefore = behind === -1 || (before !== -1 && near - before <= behind - near)
  const start = isBefore ? before : behind
  const end = start + quote.length
  return {
    quote,
    before: body.slice(Math.max(0, start - around), start).toWellFormed(),
    after: body.slice(end, end + around).toWellFormed(),
    start,
  }
}

/**
 * Current position of a passage: of several candidates the one with the most similar surroundings, then the nearest
 * one.
 */
export function placeNow(
  body: string,
  { quote, before, after, start }: Anchor,
): number | undefined {
  let best: { at: number; alike: number } | undefined
  let count = 0
  for (
    let at = body.indexOf(quote);
    at !== -1 && count < maxPlaces;
    at = body.indexOf(quote, at + 1), count++
  ) {
    const alike = sharedTail(body, at, before) + sharedHead(body, at + quote.length, after)
    if (
      !best ||
      alike > best.alike ||
      (alike === best.alike && Math.abs(at - start) < Math.abs(best.at - start))
    )
      best = { at, alike }
  }
  return best?.at
}

function sharedTail(body: string, end: number, text: string): number {
  let same = 0
  while (same < text.length && same < end && body[end - 1 - same] === text[text.length - 1 - same])
    same++
  return same
}

function sharedHead(body: string, start: number, text: string): number {
  let same = 0
  while (same < text.length && body[start + same] === text[same]) same++
  return same
}
