import { omitNullish } from '../../../kernel/present.ts'
/** A piece of a text, so long at most; no character is cut in two. `next`: where it goes on. */
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

/** The place itself, or the one before where it lies inside of a character. */
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
export function sharesOf(lengths: readonly number[], together: number): number {
  let left = together
  let share = Infinity
  for (const [i, length] of [...lengths].sort((a, b) => a - b).entries()) {
    share = Math.floor(left / (lengths.length - i))
    if (length > share) return share
    left -= length
  }
  return Infinity
}
