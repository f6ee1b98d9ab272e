/** The single range in which two texts differ; never splits a surrogate pair. */
export function changedRange(
  before: string,
  after: string,
): { start: number; end: number; insert: string } {
  const maxCommon = Math.min(before.length, after.length)
  let start = 0
  while (start < maxCommon && before.charCodeAt(start) === after.charCodeAt(start)) start++
  if (isLowSurrogate(before, start) || isLowSurrogate(after, start)) start--
  let tail = 0
  while (
    tail < maxCommon - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  if (
    tail > 0 &&
    (isLowSurrogate(before, before.length - tail) || isLowSurrogate(after, after.length - tail))
  )
    tail--
  return { start, end: before.length - tail, insert: after.slice(start, after.length - tail) }
}

function isLowSurrogate(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}
