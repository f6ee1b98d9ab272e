import type { Input, Output } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import type { ItemReference } from '../../../ui/ItemLink.tsx'
import type { ImportJob } from '../jobs.ts'
import { withJobProblem, type ImportOutcome } from '../run.ts'
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
export const isMissingTitleColumn = (error: unknown) =>
  error instanceof ApiError && error.field === 'mapping' && /no column contains/.test(error.message)

export interface TaskOutcome extends ImportOutcome {
  created: readonly ItemReference[]
  count: number
  skipped: readonly { at: number; reason: string }[]
  skippedCount: number
  warnings: readonly string[]
}

type ImportResult = Pick<TaskPlan, 'counts' | 'skipped' | 'warnings'> & {
  created?: TaskPlan['created']
  undo_call_ids?: string[]
}

export const outcomeOfCall =
  (project: string) =>
  ({ undo_call_id, ...result }: TaskPlan): TaskOutcome =>
    toTaskOutcome(project, {
      ...result,
      undo_call_ids: undo_call_id === undefined ? [] : [undo_call_id],
    })

/** Result of a job; if it failed, only that is known. */
export const outcomeOfJob =
  (project: string) =>
  (job: ImportJob): TaskOutcome => {
    const none = { counts: { created: 0, skipped: 0 }, skipped: [], warnings: [] }
    return withJobProblem(
      job,
      project,
      toTaskOutcome(project, (job.result ?? none) as ImportResult),
    )
  }

function toTaskOutcome(
  project: string,
  { counts, skipped, warnings, created = [], undo_call_ids = [] }: ImportResult,
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
