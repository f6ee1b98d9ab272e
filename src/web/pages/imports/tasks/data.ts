import type { Input, Output } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import type { Referred } from '../../../ui/ItemLink.tsx'
import type { ImportJob } from '../jobs.ts'
import { madeBy, type ImportOutcome } from '../run.ts'
import { useImportPlan } from '../plan.ts'
import type { ImportSource } from '../source.ts'

export type TaskPlan = Output<'import_tasks'>

/** Options for interpreting a file, beyond automatic detection. */
export type TaskOptions = Pick<
  Input<'import_tasks'>,
  'mapping' | 'statuses' | 'people' | 'format' | 'date_order' | 'source_project'
>

/** Planned import; refetched when the options change. */
export const useTaskPlan = (source: ImportSource, projectId: string, options: TaskOptions) =>
  useImportPlan({
    operation: 'import_tasks',
    source,
    options: { projectId, ...options },
    input: taskImportInput(source, projectId, options, true),
  })

export function taskImportInput(
  source: ImportSource,
  project_id: string,
  options: TaskOptions,
  dry_run: boolean,
): Input<'import_tasks'> {
  return { project_id, ...source.input, ...options, ...(dry_run && { dry_run }) }
}

/** True if a file was refused because no column is known to contain the titles. */
export const lacksTitle = (error: unknown) =>
  error instanceof ApiError && error.field === 'mapping' && /no column contains/.test(error.message)

export interface TaskOutcome extends ImportOutcome {
  created: readonly Referred[]
  count: number
  skipped: readonly { at: number; reason: string }[]
  skippedCount: number
  warnings: readonly string[]
}

type Made = Pick<TaskPlan, 'counts' | 'skipped' | 'warnings'> & {
  created?: TaskPlan['created']
  undo_call_ids?: string[]
}

export const madeByCall =
  (project: string) =>
  ({ undo_call_id, ...made }: TaskPlan): TaskOutcome =>
    outcome(project, { ...made, undo_call_ids: undo_call_id === undefined ? [] : [undo_call_id] })

/** Result of a job; if it failed, only that is known. */
export const madeByJob =
  (project: string) =>
  (job: ImportJob): TaskOutcome => {
    const none = { counts: { created: 0, skipped: 0 }, skipped: [], warnings: [] }
    return madeBy(job, project, outcome(project, (job.result ?? none) as Made))
  }

function outcome(
  project: string,
  { counts, skipped, warnings, created = [], undo_call_ids = [] }: Made,
): TaskOutcome {
  return {
    text: words.done(counts.created, project),
    callIds: undo_call_ids,
    created,
    count: counts.created,
    skipped: skipped.map(({ line, reason }) => ({ at: line, reason })),
    skippedCount: counts.skipped,
    warnings,
  }
}
