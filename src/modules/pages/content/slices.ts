import { omitNullish } from '../../../kernel/present.ts'
/** A slice of the range from `start` to `end`, with an offset and maximum length. Never splits a character. */
export function slice(
  text: string,
  start: number,
  end: number,
  offset: number,
  maxLength = Infinity,
): { body_markdown: string; offset: number; next_offset?: number } {
  const from = characterBoundary(text, Math.min(end, start + offset))
  const wanted = Math.min(end, from + maxLength)
  const cut = characterBoundary(text, wanted)
  const to = cut > from || wanted === from ? cut : wanted + 1
  return omitNullish({
    body_markdown: text.slice(from, to),
    offset: from - start,
    next_offset: to < end ? to - start : undefined,
  })
}

/** The position, or the one before if it is inside a surrogate pair. */
function characterBoundary(text: string, at: number): number {
  return at > 0 &&
    at < text.length &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at
}
