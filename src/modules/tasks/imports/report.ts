import type { ReadContext } from '../../../operations/context.ts'
import { LeftOutCounter, type LeftOut } from '../../../kernel/left-out.ts'
import type { Id } from '../../../kernel/ids.ts'
import { importedTasks } from './access.ts'
import type { ImportFormat, ParsedTasks, TaskRecord } from './records.ts'
import { isLocalRef } from './relations.ts'
import type { TaskImportOutcome } from './writer.ts'

/** Report of an import: counts of all records, and the first of the skipped or refused ones. */
export interface ImportReport {
  format: ImportFormat
  counts: { created: number; skipped: number }
  skipped: { line: number; reason: string }[]
  warnings: string[]
  left_out: LeftOut[]
}

export const maxListed = 100

export function newReport({ format, refused, warnings, leftOut }: ParsedTasks): ImportReport {
  const counter = new LeftOutCounter(leftOut)
  for (const { line, reason } of refused) counter.add(reason, line)
  return {
    format,
    counts: { created: 0, skipped: refused.length },
    skipped: refused.slice(0, maxListed),
    warnings: warnings.slice(0, maxListed),
    left_out: counter.kinds,
  }
}

/** Adds the outcomes of some records. */
export function addImportOutcomes(
  report: ImportReport,
  outcomes: readonly TaskImportOutcome[],
): void {
  const leftOut = new LeftOutCounter(report.left_out)
  for (const { line, action, reason = '', warnings } of outcomes) {
    report.counts[action]++
    if (action === 'skipped') leftOut.add(kindOfReason(reason), line)
    if (action === 'skipped' && report.skipped.length < maxListed)
      report.skipped.push({ line, reason })
    for (const warning of warnings)
      if (report.warnings.length < maxListed) report.warnings.push(`Line ${line}: ${warning}`)
  }
  report.left_out = leftOut.kinds
}

/** A reason without details of the record: `It was already imported (OLD-1).` */
function kindOfReason(reason: string): string {
  return reason.replace(/ \([^()]*\)\.$/, '.')
}

/** Adds warnings up to the maximum. */
export function addWarnings(report: ImportReport, warnings: readonly string[]): void {
  report.warnings.push(...warnings.slice(0, Math.max(0, maxListed - report.warnings.length)))
}

/** Tasks imported from records that have blockers. */
export function blockedOf(
  records: readonly TaskRecord[],
  outcomes: readonly TaskImportOutcome[],
): { task: Id<'tasks'>; by: string[] }[] {
  return records.flatMap((record, i) =>
    record.blockedBy.length > 0 && outcomes[i]?.row
      ? [{ task: outcomes[i].row.id, by: record.blockedBy }]
      : [],
  )
}

/** Tasks imported from records that are identified only by their line in the file. */
export function localTasks(
  records: readonly TaskRecord[],
  outcomes: readonly TaskImportOutcome[],
): Record<string, Id<'tasks'>> {
  return Object.fromEntries(
    records.flatMap(({ ref }, i) => {
      const row = outcomes[i]?.row
      return row && ref !== undefined && isLocalRef(ref) ? [[ref, row.id]] : []
    }),
  )
}

/** Dependencies of tasks on tasks of this import or earlier ones. */
export async function importLinks(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  format: ImportFormat,
  blocked: readonly { task: Id<'tasks'>; by: readonly string[] }[],
): Promise<{ task: Id<'tasks'>; blockedBy: Id<'tasks'> }[]> {
  const idsByRef = await importedTasks(ctx, projectId, format, [
    ...new Set(blocked.flatMap((item) => item.by)),
  ])
  return blocked.flatMap(({ task, by }) =>
    by.flatMap((ref) => (idsByRef.has(ref) ? [{ task, blockedBy: idsByRef.get(ref)! }] : [])),
  )
}
