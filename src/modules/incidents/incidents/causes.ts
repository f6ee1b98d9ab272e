/** A cause without what does not tell it from others: case, white space, punctuation at its end. */
export function causeKey(cause: string): string {
  return cause
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.!;,]+$/, '')
    .trim()
}
