import { omitNullish } from '../../../kernel/present.ts'
/** A slice of a text with a maximum length, without splitting a character. `next`: offset of the next slice. */
export function sliceOf(
  text: string,
  offset: number,
  maxLength: number,
): { text: string; offset: number; next?: number } {
  const start = characterBoundary(text, Math.min(offset, text.length))
  const end = Math.max(
    characterBoundary(text, Math.min(text.length, start + maxLength)),
    Math.min(text.length, start + 1),
  )
  return omitNullish({
    text: text.slice(start, end),
    offset: start,
    next: end < text.length ? end : undefined,
  })
}

/** The position, or the one before if it is between two surrogates. */
function characterBoundary(text: string, at: number): number {
  return at > 0 &&
    at < text.length &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at
}

/**
 * Maximum length per text so that all texts together stay within a limit: short ones remain whole, long ones share
 * the rest.
 */
export function sharesOf(lengths: readonly number[], totalLimit: number): number {
  let remaining = totalLimit
  let share = Infinity
  for (const [i, length] of [...lengths].sort((a, b) => a - b).entries()) {
    share = Math.floor(remaining / (lengths.length - i))
    if (length > share) return share
    remaining -= length
  }
  return Infinity
}
