import { notify, writeGroup, groupedWrite } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { taskRowOf, type TaskPatch, type TaskRow } from '../data/rows.ts'
import type { TaskField } from '../data/fields.ts'
import { rowChanges, writeTasks } from '../data/write.ts'
import { confirmBulkChange } from '../preview/bulk.ts'
import { areRefusalsDisplayed, clearRefusal, recordRefusal } from '../data/refusals.ts'
import { bulkChangesOf, fieldOf, patchOf, type BulkChanges, type TaskChange } from './change.ts'
import { describeTaskChange } from './describe.ts'

/** Maximum number of tasks for `bulk_update_tasks`. */
const maxBulk = 200

/**
 * Applies a change to tasks: shown immediately, and one step for `z` to undo. For many tasks, shows a preview first.
 */
export async function applyChange(ids: readonly string[], change: TaskChange): Promise<void> {
  const rows = ids.map(taskRowOf).filter((row) => row !== undefined)
  const [firstRow] = rows
  if (!firstRow) return
  if (rows.length === 1) return changeOne(firstRow, change)
  if (!(await confirmBulkChange(rows, change))) return
  const text = t.tasks.changed(t.tasks.count(rows.length), describeTaskChange(change))
  const patches = new Map(rows.map((row) => [row.id, patchOf(row, change)]))
  const field = fieldOf(change)
  for (const id of patches.keys()) clearRefusal(id, field)
  if (rows.length <= maxBulk) await changeMany(patches, bulkChangesOf(change), { text, field })
  else {
    const results = await writeGroup(
      text,
      splitIntoChunks([...patches]).map((entries) =>
        groupedWrite(
          'bulk_update_tasks',
          { task_ids: entries.map(([id]) => id), changes: bulkChangesOf(change) },
          rowChanges(new Map(entries)),
        ),
      ),
    )
    notifyFailed(results.flatMap(failedTasks), () => [field])
  }
}

async function changeOne(row: TaskRow, change: TaskChange): Promise<void> {
  const rows = new Map([[row.id, patchOf(row, change)]])
  const text = t.tasks.changed(row.key, describeTaskChange(change))
  const field = fieldOf(change)
  const writeOptions = {
    handles: ({ message }: Error) => recordRefusal(row.id, field, message),
    ...(areRefusalsDisplayed() && { noticeSeconds: 0 }),
  }
  clearRefusal(row.id, field)
  if (change.field === 'assignees')
    await writeTasks({
      operation: 'assign_task',
      input: { task_id: row.id, assignee_ids: change.people.map((person) => person.id) },
      rows,
      text,
      writeOptions,
    })
  else
    await writeTasks({
      operation: 'update_task',
      input: {
        task_id: row.id,
        ...(change.field === 'title' ? { title: change.title } : bulkChangesOf(change, row)),
      },
      rows,
      text,
      writeOptions,
    })
}

async function changeMany(
  patches: ReadonlyMap<string, TaskPatch>,
  changes: BulkChanges,
  { text, field }: { text: string; field: TaskField },
): Promise<void> {
  const result = await writeTasks({
    operation: 'bulk_update_tasks',
    input: { task_ids: [...patches.keys()], changes },
    rows: patches,
    text,
  })
  notifyFailed(failedTasks(result), () => [field])
}

/** Task that a bulk change left out, and the reason. */
export interface FailedTask {
  id: string
  message: string
}

/** Tasks that the result of a bulk change left out. */
export function failedTasks(result: unknown): FailedTask[] {
  const { failed } = (result ?? {}) as { failed?: readonly FailedTask[] }
  return [...(failed ?? [])]
}

/** Reports tasks that were not changed, at each of their values if displayed. */
export function notifyFailed(
  failed: readonly FailedTask[],
  fieldsOf: (id: string) => readonly TaskField[],
): void {
  if (failed.length === 0) return
  for (const { id, message } of failed)
    for (const field of fieldsOf(id)) recordRefusal(id, field, message)
  notify({
    text: t.tasks.notChanged(failed.length),
    problem: [...new Set(failed.map(({ message }) => message))].join(' '),
    seconds: 0,
    actions: [],
  })
}

function splitIntoChunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / maxBulk) }, (_, index) =>
    items.slice(index * maxBulk, (index + 1) * maxBulk),
  )
}

interface Project {
  id: string
  key: string
  name: string
}

/** Moves tasks to another project, undone as one. Their keys and possibly their statuses change. */
export async function moveToProject(rows: readonly TaskRow[], project: Project): Promise<void> {
  const movedRows = rows.filter((row) => row.project.id !== project.id)
  const [firstRow] = movedRows
  if (!firstRow) return
  const projectRef = { id: project.id, key: project.key, title: project.name }
  await writeGroup(
    t.tasks.changed(
      movedRows.length === 1 ? firstRow.key : t.tasks.count(movedRows.length),
      t.tasks.set.project(project.name),
    ),
    movedRows.map(({ id }) =>
      groupedWrite(
        'move_task',
        { task_id: id, project_id: project.id },
        rowChanges(new Map([[id, { project: projectRef }]])),
      ),
    ),
  )
}
