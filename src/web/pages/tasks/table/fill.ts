import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { notify, writeTogether, writing } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { noteRefusal } from '../data/refusals.ts'
import type { TaskPatch, TaskRow } from '../data/rows.ts'
import { rowChanges } from '../data/write.ts'
import {
  bulkChangesOf,
  fieldOf,
  patchOf,
  type BulkChanges,
  type TaskChange,
} from '../pick/change.ts'
import { applyChange, failedIn, moveToProject, notifyFailed } from '../pick/changes.ts'
import type { Project } from '../data/lists.ts'
import { askPreview, type PreviewLine } from '../preview/open.ts'
import { cellText } from './block.ts'
import { isOnlyShown } from './columns.ts'
import { columnLabel } from './labels.ts'
import { readKnown, type CellLookup, type FilledCell } from './known.ts'
import { readCell } from './values.ts'

/** Maximum number of rows in one paste: the limit of bulk_update_tasks. */
const maxRows = 200
const { paste } = t.tasks.table

/** Fills many cells: shows a preview, then changes them as one step for `z` to undo. */
export async function fillCells(cells: readonly FilledCell[], beyond = 0): Promise<void> {
  const rows = new Set(cells.map(({ row }) => row.id)).size
  if (rows > maxRows) return problemText(paste.tooMany(rows, maxRows))
  if (cells.length === 0) return
  let lookup: CellLookup
  try {
    lookup = await readKnown(cells)
  } catch (error) {
    return problemText(errorMessage(error))
  }
  const [only] = cells
  if (only && cells.length === 1 && beyond === 0) return void fillCell(only, lookup)
  const plan = planOf(cells, lookup)
  const ready = plan.lines.length - plan.problems
  const isConfirmed = await askPreview({
    title: paste.title(cells.length + beyond),
    action: paste.action(ready),
    lines: plan.lines,
    notes: [
      ...(plan.same > 0 ? [paste.same(plan.same)] : []),
      ...(beyond > 0 ? [paste.beyond(beyond)] : []),
    ],
    check: (signal) => problemsOf(plan.tasks, signal),
  })
  if (isConfirmed) await writePlan(plan.tasks, paste.text(ready))
}

/** Fills one cell; shows a refusal at the cell. Returns whether the text was valid. */
export function fillCell({ row, column, text }: FilledCell, lookup: CellLookup): boolean {
  if (text.trim() === cellText(row, column)) return true
  const typed = readCell(row, column, text, lookup)
  if ('problem' in typed) {
    if (!isOnlyShown(column)) noteRefusal(row.id, column, typed.problem)
    return false
  }
  if ('change' in typed) void applyChange([row.id], typed.change)
  else void moveToProject([row], typed.project)
  return true
}

const problemText = (problem: string) =>
  notify({ text: t.keys.commands['table.paste'], problem, seconds: 0, actions: [] })

interface TaskPlan {
  row: TaskRow
  changes: TaskChange[]
  project?: Project
}

interface Plan {
  tasks: Map<string, TaskPlan>
  lines: PreviewLine[]
  same: number
  problems: number
}

function planOf(cells: readonly FilledCell[], lookup: CellLookup): Plan {
  const plan: Plan = { tasks: new Map(), lines: [], same: 0, problems: 0 }
  for (const wanted of cells) planFilledCell(plan, wanted, lookup)
  return plan
}

function planFilledCell(
  plan: Plan,
  { row, column, text }: FilledCell,
  cellLookup: CellLookup,
): void {
  const typed = readCell(row, column, text, cellLookup)
  const from = cellText(row, column)
  const line = { taskId: row.id, key: row.key, title: row.title, field: columnLabel(column), from }
  if ('problem' in typed) {
    if (text.trim() === from) plan.same++
    else {
      plan.problems++
      plan.lines.push({ ...line, to: text, problem: typed.problem })
    }
    return
  }
  const to = 'project' in typed ? typed.project.name : cellText(after(row, typed.change), column)
  if (to === from) {
    plan.same++
    return
  }
  plan.lines.push({ ...line, to })
  const task = plan.tasks.get(row.id) ?? { row, changes: [] }
  plan.tasks.set(row.id, task)
  if ('project' in typed) task.project = typed.project
  else task.changes.push(typed.change)
}

const after = (row: TaskRow, change: TaskChange): TaskRow =>
  ({ ...row, ...patchOf(row, change) }) as TaskRow

/** Tasks with the same change, which share one call. */
interface BulkCall {
  changes: BulkChanges
  rows: Map<string, TaskPatch>
}

function bulkCalls(tasks: ReadonlyMap<string, TaskPlan>): BulkCall[] {
  const calls = new Map<string, BulkCall>()
  for (const { row, changes } of tasks.values()) {
    const plain = changes.filter(({ field }) => field !== 'title')
    if (plain.length === 0) continue
    const merged = plain.map((change) => bulkChangesOf(change, row)).reduce(merge, {})
    const key = JSON.stringify(merged)
    const bulkCall = calls.get(key) ?? { changes: merged, rows: new Map<string, TaskPatch>() }
    bulkCall.rows.set(row.id, patchAll(row, plain))
    calls.set(key, bulkCall)
  }
  return [...calls.values()]
}

const merge = (a: BulkChanges, b: BulkChanges): BulkChanges => ({
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
  const waiting = bulkCalls(tasks)
  const check = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const input = { task_ids: [...next.rows.keys()], changes: next.changes, dry_run: true }
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
  const answers = await writeTogether(text, [
    ...bulkCalls(tasks).map(({ changes, rows }) =>
      writing('bulk_update_tasks', { task_ids: [...rows.keys()], changes }, rowChanges(rows)),
    ),
    ...titles.map(({ row, change }) =>
      writing(
        'update_task',
        { task_id: row.id, title: change.title },
        rowChanges(new Map([[row.id, patchOf(row, change)]])),
      ),
    ),
    ...moves.map(({ row, project }) =>
      writing(
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
  notifyFailed(answers.flatMap(failedIn), (id) => tasks.get(id)?.changes.map(fieldOf) ?? [])
}
