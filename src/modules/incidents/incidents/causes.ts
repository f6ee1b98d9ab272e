/** Normalizes a cause for comparison: case, white space, final punctuation. */
export function causeKey(cause: string): string {
  return cause
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.!;,]+$/, '')
    .trim()
}
