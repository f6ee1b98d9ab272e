const markers = ['**', '__', '~~', '`']

/** Completes a piece of Markdown that may start or end inside markup with the missing markers. */
export function closeMarkup(text: string): string {
  let closed = text
  for (const marker of markers) {
    if ((text.split(marker).length - 1) % 2 === 0) continue
    const nextChar = text.at(text.lastIndexOf(marker) + marker.length)
    const isOpening = nextChar !== undefined && nextChar.trim() !== ''
    closed = isOpening ? closed + marker : marker + closed
  }
  return closed
}
