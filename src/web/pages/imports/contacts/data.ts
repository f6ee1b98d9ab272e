import type { Input, Output } from '../../../api/client.ts'
import { contactImport as words } from '../../../texts/en/company/import.ts'
import type { ItemReference } from '../../../ui/ItemLink.tsx'
import type { ImportJob } from '../jobs.ts'
import { withJobProblem, type ImportOutcome } from '../run.ts'
import { useImportPlan } from '../plan.ts'
import type { ImportSource } from '../source.ts'

export type ContactPlan = Output<'import_contacts'>

/** Column mapping, and the handling of existing contacts. */
export type ContactOptions = Pick<Input<'import_contacts'>, 'mapping' | 'on_match'>

/** Planned import; refetched when a column is reassigned. */
export const useContactPlan = (source: ImportSource, options: ContactOptions) =>
  useImportPlan({
    operation: 'import_contacts',
    source,
    options,
    input: { ...contactInput(source, options), dry_run: true },
  })

export const contactInput = (
  source: ImportSource,
  options: ContactOptions,
): Input<'import_contacts'> => ({ ...source.input, ...options })

export interface ContactOutcome extends ImportOutcome {
  /** The first new ones. */
  created: readonly ItemReference[]
  counts: ContactPlan['counts']
  skipped: ContactPlan['skipped']
  warnings: readonly string[]
}

type ImportResult = Pick<ContactPlan, 'counts' | 'skipped' | 'warnings'> & {
  created?: ContactPlan['created']
  undo_call_ids?: string[]
}

export const outcomeOfCall = ({ undo_call_id, ...result }: ContactPlan): ContactOutcome =>
  contactOutcomeOf({ ...result, undo_call_ids: undo_call_id === undefined ? [] : [undo_call_id] })

/** Result of a job; if it failed, only that is known. */
export function outcomeOfJob(job: ImportJob): ContactOutcome {
  const none = {
    counts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
    skipped: [],
    warnings: [],
  }
  return withJobProblem(job, words.contacts, contactOutcomeOf((job.result ?? none) as ImportResult))
}

function contactOutcomeOf({
  created = [],
  undo_call_ids = [],
  ...result
}: ImportResult): ContactOutcome {
  const { counts, skipped, warnings } = result
  return { text: words.done(counts), callIds: undo_call_ids, created, counts, skipped, warnings }
}
