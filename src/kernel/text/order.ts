/** Compares two texts by code units, for `sort`: independent of language and machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Orders hits for `sort`: higher scores first, then greater ids, as `pageOfHits` expects. */
export function byScore(
  a: { id: string; score: number },
  b: { id: string; score: number },
): number {
  return b.score - a.score || (a.id < b.id ? 1 : -1)
}

/** Normalizes a title for comparison: lower case, white space collapsed. */
export function foldTitle(title: string): string {
  return title.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
