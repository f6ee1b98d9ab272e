import type { ContactImportOutcome } from './writer.ts'

/** What is told of an import: counts of all records, of the others so many each. */
export interface ContactImportReport {
  records: number
  counts: Record<ContactImportOutcome['action'], number>
  skipped: { line_or_path: string; reason: string }[]
  warnings: string[]
}

export const mostTold = 100

export function newTold(
  records: number,
  refused: readonly { line: number; reason: string }[],
  warnings: readonly string[],
): ContactImportReport {
  return {
    records,
    counts: { created: 0, updated: 0, unchanged: 0, skipped: refused.length },
    skipped: refused
      .slice(0, mostTold)
      .map(({ line, reason }) => ({ line_or_path: `line ${line}`, reason })),
    warnings:
      warnings.length > mostTold
        ? [...warnings.slice(0, mostTold), `And ${warnings.length - mostTold} more of this kind.`]
        : [...warnings],
  }
}

export function countOutcomes(
  told: ContactImportReport,
  outcomes: readonly ContactImportOutcome[],
): void {
  for (const { action, line, reason } of outcomes) {
    told.counts[action]++
    if (action === 'skipped' && told.skipped.length < mostTold)
      told.skipped.push({ line_or_path: `line ${line}`, reason: reason ?? '' })
  }
}
