const signs = ['**', '__', '~~', '`']

/** Completes a piece of Markdown that may start or end inside markup with the missing markers. */
export function closedMarks(text: string): string {
  let closed = text
  for (const sign of signs) {
    if ((text.split(sign).length - 1) % 2 === 0) continue
    const next = text.at(text.lastIndexOf(sign) + sign.length)
    const isOpening = next !== undefined && next.trim() !== ''
    closed = isOpening ? closed + sign : sign + closed
  }
  return closed
}
