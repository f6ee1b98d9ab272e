import { call } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { fieldLabel, fieldText } from '../data/field-text.ts'
import type { TaskRow } from '../data/rows.ts'
import { bulkChangesOf, fieldOf, patchOf, type TaskChange } from '../pick/change.ts'
import { describeTaskChange } from '../pick/describe.ts'
import { confirmWithPreview, type PreviewLine } from './open.ts'

/** Maximum number of tasks that change without a preview. */
const maxWithoutPreview = 20
/** Maximum number of tasks for `bulk_update_tasks`. */
const maxBulk = 200

/** Previews a change of many tasks; returns whether to continue. */
export async function confirmBulkChange(
  rows: readonly TaskRow[],
  change: TaskChange,
): Promise<boolean> {
  if (rows.length <= maxWithoutPreview) return true
  const lines = rows.map((row) => previewLineOf(row, change)).filter(({ from, to }) => from !== to)
  const unchangedCount = rows.length - lines.length
  return confirmWithPreview({
    title: t.tasks.preview.title(describeTaskChange(change)),
    action: t.tasks.preview.change(lines.length),
    lines,
    notes: unchangedCount > 0 ? [t.tasks.preview.same(unchangedCount)] : [],
    check: (signal) => problemsOf(rows, change, signal),
  })
}

function previewLineOf(row: TaskRow, change: TaskChange): PreviewLine {
  const field = fieldOf(change)
  return {
    taskId: row.id,
    key: row.key,
    title: row.title,
    field: fieldLabel(field),
    from: fieldText(row, field),
    to: fieldText({ ...row, ...patchOf(row, change) } as TaskRow, field),
  }
}

/** Why the server would refuse to change some of the tasks, by id. @throws ApiError */
async function problemsOf(
  rows: readonly TaskRow[],
  change: TaskChange,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  for (let start = 0; start < rows.length; start += maxBulk) {
    const task_ids = rows.slice(start, start + maxBulk).map((row) => row.id)
    const input = { task_ids, changes: bulkChangesOf(change), dry_run: true }
    const { failed } = await call('bulk_update_tasks', input, signal)
    for (const { id, message } of failed) problems.set(id, message)
  }
  return problems
}
