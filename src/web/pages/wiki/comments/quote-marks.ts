const signs = ['**', '__', '~~', '`']

/** A piece of Markdown that may begin or end within a mark, with what is missing of its marks. */
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
