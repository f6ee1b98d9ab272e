import { LeftOutCounter, type LeftOut } from '../../../kernel/left-out.ts'
import type { ContactImportOutcome } from './writer.ts'

/** Report of an import: counts for all records, and details for a limited number of them. */
export interface ContactImportReport {
  records: number
  counts: Record<ContactImportOutcome['action'], number>
  skipped: { line_or_path: string; reason: string }[]
  warnings: string[]
  left_out: LeftOut[]
}

export const maxListedItems = 100

export function newReport(
  records: number,
  refused: readonly { line: number; reason: string }[],
  warnings: readonly string[],
  leftOut: readonly LeftOut[],
): ContactImportReport {
  const counter = new LeftOutCounter(leftOut)
  for (const { line, reason } of refused) counter.add(reason, line)
  return {
    records,
    counts: { created: 0, updated: 0, unchanged: 0, skipped: refused.length },
    skipped: refused
      .slice(0, maxListedItems)
      .map(({ line, reason }) => ({ line_or_path: `line ${line}`, reason })),
    warnings:
      warnings.length > maxListedItems
        ? [
            ...warnings.slice(0, maxListedItems),
            `And ${warnings.length - maxListedItems} more of this kind.`,
          ]
        : [...warnings],
    left_out: counter.kinds,
  }
}

export function countOutcomes(
  summary: ContactImportReport,
  outcomes: readonly ContactImportOutcome[],
): void {
  const leftOut = new LeftOutCounter(summary.left_out)
  for (const { action, line, reason } of outcomes) {
    summary.counts[action]++
    if (action === 'skipped') leftOut.add(reason ?? '', line)
    if (action === 'skipped' && summary.skipped.length < maxListedItems)
      summary.skipped.push({ line_or_path: `line ${line}`, reason: reason ?? '' })
  }
  summary.left_out = leftOut.kinds
}
