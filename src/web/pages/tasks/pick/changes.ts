import type { Input } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { dayWords } from '../../../ui/work/days.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import { rowOf, type TaskPatch, type TaskRow } from '../data/rows.ts'
import { writeTasks } from '../data/write.ts'

interface Named {
  id: string
  title: string
}

/** One change to one or many tasks, as a picker makes it. */
export type TaskChange =
  | { field: 'status'; name: string; category: StatusCategory }
  | { field: 'priority'; priority: Priority }
  | { field: 'assignees'; people: readonly Named[] }
  | { field: 'due' | 'start'; day: string | null }
  | { field: 'dates'; start: string | null; due: string }
  | { field: 'addLabel' | 'removeLabel'; label: Named }
  | { field: 'sprint' | 'milestone'; to: Named | null }
  | { field: 'estimate'; minutes: number | null }
  | { field: 'points'; points: number | null }

type BulkChanges = Input<'bulk_update_tasks'>['changes']

/** Applies a change to tasks: at once on the screen, and as one call that `z` undoes. */
export async function applyChange(ids: readonly string[], change: TaskChange): Promise<void> {
  const rows = ids.map(rowOf).filter((row) => row !== undefined)
  const [first] = rows
  if (!first) return
  const patches = new Map(rows.map((row) => [row.id, patchOf(row, change)]))
  const text = t.tasks.changed(
    rows.length === 1 ? first.key : t.tasks.count(rows.length),
    describe(change),
  )
  if (rows.length > 1) {
    await writeTasks({
      operation: 'bulk_update_tasks',
      input: { task_ids: rows.map((row) => row.id), changes: changesOf(change) },
      rows: patches,
      text,
    })
  } else if (change.field === 'assignees') {
    await writeTasks({
      operation: 'assign_task',
      input: { task_id: first.id, assignee_ids: change.people.map((person) => person.id) },
      rows: patches,
      text,
    })
  } else {
    await writeTasks({
      operation: 'update_task',
      input: { task_id: first.id, ...changesOf(change) },
      rows: patches,
      text,
    })
  }
}

function patchOf(row: TaskRow, change: TaskChange): TaskPatch {
  switch (change.field) {
    case 'status':
      return { status: change.name, status_category: change.category }
    case 'priority':
      return { priority: change.priority }
    case 'assignees':
      return { assignees: [...change.people] }
    case 'due':
      return duePatch('due', change.day)
    case 'start':
      return duePatch('start', change.day)
    case 'dates':
      return {
        ...duePatch('start', change.start?.slice(0, 10) ?? null),
        ...duePatch('due', change.due.slice(0, 10)),
      }
    case 'addLabel':
      return {
        labels: [...row.labels.filter((label) => label.id !== change.label.id), change.label],
      }
    case 'removeLabel':
      return { labels: row.labels.filter((label) => label.id !== change.label.id) }
    case 'sprint':
      return { sprint: change.to ?? undefined }
    case 'milestone':
      return { milestone: change.to ?? undefined }
    case 'estimate':
      return { estimate_minutes: change.minutes ?? undefined }
    case 'points':
      return { points: change.points ?? undefined }
  }
}

/** Only the day is known before the server has answered: the moment depends on the time zone of the person. */
function duePatch(field: 'due' | 'start', day: string | null): TaskPatch {
  if (field === 'due')
    return day === null
      ? { due_at: undefined, due_on: undefined, due_local: undefined }
      : { due_on: day }
  return day === null
    ? { start_at: undefined, start_on: undefined, start_local: undefined }
    : { start_on: day }
}

function changesOf(change: TaskChange): BulkChanges {
  switch (change.field) {
    case 'status':
      return { status: change.name }
    case 'priority':
      return { priority: change.priority }
    case 'assignees':
      return { assignee_ids: change.people.map((person) => person.id) }
    case 'due':
      return { due_at: change.day }
    case 'start':
      return { start_at: change.day }
    case 'dates':
      return { start_at: change.start, due_at: change.due }
    case 'addLabel':
      return { add_label_ids: [change.label.id] }
    case 'removeLabel':
      return { remove_label_ids: [change.label.id] }
    case 'sprint':
      return { sprint_id: change.to?.id ?? null }
    case 'milestone':
      return { milestone_id: change.to?.id ?? null }
    case 'estimate':
      return { estimate_minutes: change.minutes }
    case 'points':
      return { points: change.points }
  }
}

function describe(change: TaskChange): string {
  const { set } = t.tasks
  switch (change.field) {
    case 'status':
      return set.status(change.name)
    case 'priority':
      return set.priority(t.tasks.priorities[change.priority])
    case 'assignees':
      return set.assignees(change.people.map((person) => person.title))
    case 'due':
      return set.due(change.day === null ? undefined : dayWords(change.day))
    case 'start':
      return set.start(change.day === null ? undefined : dayWords(change.day))
    case 'dates':
      return set.dates(
        change.start && dayWords(change.start.slice(0, 10)),
        dayWords(change.due.slice(0, 10)),
      )
    case 'addLabel':
      return set.addLabel(change.label.title)
    case 'removeLabel':
      return set.removeLabel(change.label.title)
    case 'sprint':
      return set.sprint(change.to?.title)
    case 'milestone':
      return set.milestone(change.to?.title)
    case 'estimate':
      return set.estimate(change.minutes ?? undefined)
    case 'points':
      return set.points(change.points ?? undefined)
  }
}

/** Moves a task to another project. Its key and perhaps its status are others there. */
export async function moveToProject(
  row: TaskRow,
  project: { id: string; key: string; name: string },
): Promise<void> {
  if (row.project.id === project.id) return
  await writeTasks({
    operation: 'move_task',
    input: { task_id: row.id, project_id: project.id },
    rows: new Map([
      [row.id, { project: { id: project.id, key: project.key, title: project.name } }],
    ]),
    text: t.tasks.changed(row.key, t.tasks.set.project(project.name)),
  })
}
