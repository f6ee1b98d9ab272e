import { Remarks } from '../Remarks.tsx'
import type { ContactPlan } from './data.ts'

export function ContactRemarks({
  plan: { counts, skipped, warnings },
}: {
  plan: {
    counts: ContactPlan['counts']
    skipped: ContactPlan['skipped']
    warnings: readonly string[]
  }
}) {
  return (
    <Remarks
      skipped={skipped.map(({ line_or_path, reason }) => ({ at: line_or_path, reason }))}
      skippedCount={counts.skipped}
      warnings={warnings}
    />
  )
}
