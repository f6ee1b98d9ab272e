import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { notify, writeGroup, groupedWrite } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { recordRefusal } from '../data/refusals.ts'
import type { TaskPatch, TaskRow } from '../data/rows.ts'
import { rowChanges } from '../data/write.ts'
import {
  bulkChangesOf,
  fieldOf,
  patchOf,
  type BulkChanges,
  type TaskChange,
} from '../pick/change.ts'
import { applyChange, failedTasks, moveToProject, notifyFailed } from '../pick/changes.ts'
import type { Project } from '../data/lists.ts'
import { confirmWithPreview, type PreviewLine } from '../preview/open.ts'
import { cellText } from './block.ts'
import { isReadOnlyColumn } from './columns.ts'
import { columnLabel } from './labels.ts'
import { loadCellLookup, type CellLookup, type FilledCell } from './known.ts'
import { readCell } from './values.ts'

/** Maximum number of rows in one paste: the limit of bulk_update_tasks. */
const maxRows = 200
const { paste } = t.tasks.table

/** Fills many cells: shows a preview, then changes them as one step for `z` to undo. */
export async function fillCells(cells: readonly FilledCell[], skippedCount = 0): Promise<void> {
  const rowCount = new Set(cells.map(({ row }) => row.id)).size
  if (rowCount > maxRows) return notifyPasteProblem(paste.tooMany(rowCount, maxRows))
  if (cells.length === 0) return
  let lookup: CellLookup
  try {
    lookup = await loadCellLookup(cells)
  } catch (error) {
    return notifyPasteProblem(errorMessage(error))
  }
  const [onlyCell] = cells
  if (onlyCell && cells.length === 1 && skippedCount === 0) return void fillCell(onlyCell, lookup)
  const plan = planOf(cells, lookup)
  const validCount = plan.lines.length - plan.problemCount
  const isConfirmed = await confirmWithPreview({
    title: paste.title(cells.length + skippedCount),
    action: paste.action(validCount),
    lines: plan.lines,
    notes: [
      ...(plan.unchangedCount > 0 ? [paste.same(plan.unchangedCount)] : []),
      ...(skippedCount > 0 ? [paste.beyond(skippedCount)] : []),
    ],
    check: (signal) => problemsOf(plan.tasks, signal),
  })
  if (isConfirmed) await writePlan(plan.tasks, paste.text(validCount))
}

/** Fills one cell; shows a refusal at the cell. Returns whether the text was valid. */
export function fillCell({ row, column, text }: FilledCell, lookup: CellLookup): boolean {
  if (text.trim() === cellText(row, column)) return true
  const parsed = readCell(row, column, text, lookup)
  if ('problem' in parsed) {
    if (!isReadOnlyColumn(column)) recordRefusal(row.id, column, parsed.problem)
    return false
  }
  if ('change' in parsed) void applyChange([row.id], parsed.change)
  else void moveToProject([row], parsed.project)
  return true
}

const notifyPasteProblem = (problem: string) =>
  notify({ text: t.keys.commands['table.paste'], problem, seconds: 0, actions: [] })

interface TaskPlan {
  row: TaskRow
  changes: TaskChange[]
  project?: Project
}

interface Plan {
  tasks: Map<string, TaskPlan>
  lines: PreviewLine[]
  unchangedCount: number
  problemCount: number
}

function planOf(cells: readonly FilledCell[], lookup: CellLookup): Plan {
  const plan: Plan = { tasks: new Map(), lines: [], unchangedCount: 0, problemCount: 0 }
  for (const cell of cells) planFilledCell(plan, cell, lookup)
  return plan
}

function planFilledCell(
  plan: Plan,
  { row, column, text }: FilledCell,
  cellLookup: CellLookup,
): void {
  const parsed = readCell(row, column, text, cellLookup)
  const from = cellText(row, column)
  const line = { taskId: row.id, key: row.key, title: row.title, field: columnLabel(column), from }
  if ('problem' in parsed) {
    if (text.trim() === from) plan.unchangedCount++
    else {
      plan.problemCount++
      plan.lines.push({ ...line, to: text, problem: parsed.problem })
    }
    return
  }
  const to =
    'project' in parsed ? parsed.project.name : cellText(patchedRow(row, parsed.change), column)
  if (to === from) {
    plan.unchangedCount++
    return
  }
  plan.lines.push({ ...line, to })
  const task = plan.tasks.get(row.id) ?? { row, changes: [] }
  plan.tasks.set(row.id, task)
  if ('project' in parsed) task.project = parsed.project
  else task.changes.push(parsed.change)
}

const patchedRow = (row: TaskRow, change: TaskChange): TaskRow =>
  ({ ...row, ...patchOf(row, change) }) as TaskRow

/** Tasks with the same change, which share one call. */
interface BulkCall {
  changes: BulkChanges
  rows: Map<string, TaskPatch>
}

function bulkCalls(tasks: ReadonlyMap<string, TaskPlan>): BulkCall[] {
  const calls = new Map<string, BulkCall>()
  for (const { row, changes } of tasks.values()) {
    const fieldChanges = changes.filter(({ field }) => field !== 'title')
    if (fieldChanges.length === 0) continue
    const merged = fieldChanges
      .map((change) => bulkChangesOf(change, row))
      .reduce(mergeBulkChanges, {})
    const key = JSON.stringify(merged)
    const bulkCall = calls.get(key) ?? { changes: merged, rows: new Map<string, TaskPatch>() }
    bulkCall.rows.set(row.id, patchAll(row, fieldChanges))
    calls.set(key, bulkCall)
  }
  return [...calls.values()]
}

const mergeBulkChanges = (a: BulkChanges, b: BulkChanges): BulkChanges => ({
  ...a,
  ...b,
  ...(a.custom_fields && b.custom_fields
    ? { custom_fields: { ...a.custom_fields, ...b.custom_fields } }
    : {}),
})

function patchAll(row: TaskRow, changes: readonly TaskChange[]): TaskPatch {
  let patch: TaskPatch = {}
  for (const change of changes)
    patch = { ...patch, ...patchOf({ ...row, ...patch } as TaskRow, change) }
  return patch
}

/** Maximum number of concurrent dry runs. */
const maxChecks = 4

/** Why the server would refuse to change some of the tasks, by id. @throws ApiError */
async function problemsOf(
  tasks: ReadonlyMap<string, TaskPlan>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  const pendingCalls = bulkCalls(tasks)
  const check = async () => {
    for (let bulkCall = pendingCalls.pop(); bulkCall; bulkCall = pendingCalls.pop()) {
      const input = {
        task_ids: [...bulkCall.rows.keys()],
        changes: bulkCall.changes,
        dry_run: true,
      }
      const { failed } = await call('bulk_update_tasks', input, signal)
      for (const { id, message } of failed) problems.set(id, message)
    }
  }
  await Promise.all(Array.from({ length: maxChecks }, check))
  return problems
}

async function writePlan(tasks: ReadonlyMap<string, TaskPlan>, text: string): Promise<void> {
  const titles = [...tasks.values()].flatMap(({ row, changes }) =>
    changes.flatMap((change) => (change.field === 'title' ? [{ row, change }] : [])),
  )
  const moves = [...tasks.values()].flatMap(({ row, project }) =>
    project ? [{ row, project }] : [],
  )
  const answers = await writeGroup(text, [
    ...bulkCalls(tasks).map(({ changes, rows }) =>
      groupedWrite('bulk_update_tasks', { task_ids: [...rows.keys()], changes }, rowChanges(rows)),
    ),
    ...titles.map(({ row, change }) =>
      groupedWrite(
        'update_task',
        { task_id: row.id, title: change.title },
        rowChanges(new Map([[row.id, patchOf(row, change)]])),
      ),
    ),
    ...moves.map(({ row, project }) =>
      groupedWrite(
        'move_task',
        { task_id: row.id, project_id: project.id },
        rowChanges(
          new Map([
            [row.id, { project: { id: project.id, key: project.key, title: project.name } }],
          ]),
        ),
      ),
    ),
  ])
  notifyFailed(answers.flatMap(failedTasks), (id) => tasks.get(id)?.changes.map(fieldOf) ?? [])
}
