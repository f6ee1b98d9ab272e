/** The order of two texts by their code units, for `sort`: the same in every language and on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A title as titles are compared: in lower case, white space folded. */
export function foldTitle(title: string): string {
  return title.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
