/** Comparisons of lines that one diff may take, about 0.1 s of processor time. */
const maxComparisons = 20_000_000

/**
 * Maximum number of edits for a diff of texts with so many lines in total, at most `max`. A bound on work instead of
 * time, so that the result never depends on the machine or its load.
 */
export function maxEditsFor(lineCount: number, max: number): number {
  return Math.min(max, Math.max(50, Math.floor(maxComparisons / Math.max(1, lineCount))))
}
