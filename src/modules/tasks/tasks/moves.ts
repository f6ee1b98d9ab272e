import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { shortText } from '../../../kernel/fields.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import {
  recordSprintMove,
  project,
  projectMember,
  allocateTaskNumber,
} from '../../portfolio/access.ts'
import { descendants, task, taskPerson } from '../access.ts'
import { delegateForMembers } from './delegates.ts'
import { changeTaskStatus, presentChanged } from './updates.ts'
import { transferValues } from './field-transfers.ts'
import { positionBeside, positionsAtEnd } from './positions.ts'
import { Task } from '../shapes.ts'
import { requireParent } from './trees.ts'
import { customFields, firstOfCategory, firstStatus, statusesOf, statusNamed } from './workflow.ts'

export const moveTask = operation({
  name: 'move_task',
  searchHint:
    'drag to another column, change status, put into another project, reorder, in progress',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/tasks/{task_id}/move',
  about:
    'Move a task to another project, status column, parent or position; maps statuses and fields and reports lost values',
  on: {
    task: task.edit,
    project: project.edit.maybe.describe('also move its subtasks'),
    parent: task.see.clearable.describe('null: no parent'),
    before: task.see.maybe.named('before_task_id').describe('place it directly before this task'),
    after: task.see.maybe.named('after_task_id').describe('place it directly after this task'),
  },
  input: { status: shortText(200).optional().describe('status name in the target project') },
  reportsProgress: true,
  output: Task,
  async handle({ task: row, project: target, parent, before, after, status }, ctx) {
    const targetProject = target && target.id !== row.project_id ? target : undefined
    const projectId = targetProject?.id ?? row.project_id
    const statuses = await statusesOf(ctx, projectId)
    const targetStatus = status === undefined ? undefined : statusNamed(statuses, status)
    if (parent && parent.id !== row.parent_id) await requireParent(ctx, projectId, parent, row)
    const position =
      before || after ? await positionBeside(ctx, projectId, row.id, { before, after }) : undefined
    const notes: string[] = []
    const moved = targetProject
      ? await moveToProject(
          ctx,
          row,
          targetProject,
          { status: targetStatus !== undefined, parent: Boolean(parent) },
          notes,
        )
      : row
    const changed = await changeTaskStatus(
      ctx,
      moved,
      targetStatus,
      omitUndefined({
        parent_id: parent === undefined ? undefined : (parent?.id ?? null),
        position,
      }),
    )
    return omitNullish({
      ...(await presentChanged(ctx, changed)),
      notes: targetProject ? notes : undefined,
    })
  },
})

const maxMovedTasks = 300

/** Parts of a project that tasks depend on. */
interface ProjectContext {
  statuses: readonly Row<'statuses'>[]
  fields: readonly Row<'custom_fields'>[]
  members: ReadonlySet<string>
}

async function projectContextOf(
  ctx: WriteContext,
  id: Row<'projects'>['id'],
): Promise<ProjectContext> {
  return {
    statuses: await statusesOf(ctx, id),
    fields: await customFields(ctx, id),
    members: await membersOf(ctx, id),
  }
}

/** Moves a task and its subtasks to another project. Drops and reports values that do not fit there. */
async function moveToProject(
  ctx: WriteContext,
  root: Row<'tasks'>,
  to: Row<'projects'>,
  explicit: { status: boolean; parent: boolean },
  notes: string[],
): Promise<Row<'tasks'>> {
  const rows = [root, ...(await descendants(ctx, root.id))]
  if (rows.length > maxMovedTasks)
    throw new Refusal(
      'too_large',
      `${root.key} has more than ${maxMovedTasks} subtasks, too many to move at once.`,
      'Move some of its subtasks first.',
    )
  const from = await projectContextOf(ctx, root.project_id)
  const target = await projectContextOf(ctx, to.id)
  const positions = await positionsAtEnd(ctx, to.id, rows.length)
  if (root.parent_id !== null && !explicit.parent)
    notes.push(`${root.key} is no longer a subtask: its parent stays in the other project.`)
  const movedTasks: Row<'tasks'>[] = []
  for (const [i, row] of rows.entries()) {
    ctx.progress(i, rows.length, 'tasks moved')
    const key = `${to.key}-${await allocateTaskNumber(ctx, to.id)}`
    const addNote = (text: string) => notes.push(`${row.key} → ${key}: ${text}`)
    const patch = omitUndefined({
      project_id: to.id,
      key,
      position: positions[i]!,
      parent_id: i === 0 ? null : undefined,
      ...adaptedColumns(row, from, target, explicit.status && i === 0, addNote),
      delegate_key_id: await delegateAfterMove(ctx, row, target),
    })
    await removeNonMembers(ctx, row, target.members, addNote)
    if (patch.delegate_key_id === null)
      addNote('the owner of the key that works on it is not a member there, so it was taken back.')
    await recordSprintMove(ctx, row.sprint_id, row, 'removed')
    movedTasks.push(await ctx.change('tasks', row, patch))
    notifyVisibilityChange(ctx, movedTasks[i]!, from.members, target.members)
  }
  noteRequiredFields(movedTasks[0]!, to, target, notes)
  return movedTasks[0]!
}

/** Null if the key cannot keep the task; undefined if nothing changes. */
async function delegateAfterMove(
  ctx: WriteContext,
  row: Row<'tasks'>,
  { members }: ProjectContext,
): Promise<null | undefined> {
  if (row.delegate_key_id === null) return undefined
  return (await delegateForMembers(ctx, row, members)) === null ? null : undefined
}

/** The columns of a task adapted to the other project. */
function adaptedColumns(
  row: Row<'tasks'>,
  from: ProjectContext,
  target: ProjectContext,
  hasStatus: boolean,
  addNote: (text: string) => void,
): Partial<Row<'tasks'>> {
  const before = from.statuses.find((item) => item.id === row.status_id)!
  const status = counterpart(before, target.statuses)
  const { values, dropped } = transferValues(
    from.fields,
    target.fields,
    row.custom_fields_json,
    target.members,
  )
  if (before.name.toLowerCase() !== status.name.toLowerCase() && !hasStatus)
    addNote(`the status "${before.name}" became "${status.name}".`)
  for (const name of dropped)
    addNote(`the field "${name}" has no counterpart there; its value was dropped.`)
  if (row.sprint_id !== null) addNote('it was removed from its sprint.')
  if (row.milestone_id !== null) addNote('it was removed from its milestone.')
  return {
    status_id: status.id,
    status_category: status.category,
    completed_at: isClosed(status) ? row.completed_at : null,
    sprint_id: null,
    milestone_id: null,
    custom_fields_json: JSON.stringify(values),
  }
}

/** Members of only one of the projects gain or lose access to the task. */
function notifyVisibilityChange(
  ctx: WriteContext,
  row: Row<'tasks'>,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): void {
  for (const id of before) if (!after.has(id)) ctx.access('access_lost', 'tasks', row, id)
  for (const id of after) if (!before.has(id)) ctx.access('access_gained', 'tasks', row, id)
}

function noteRequiredFields(
  row: Row<'tasks'>,
  to: Row<'projects'>,
  { fields }: ProjectContext,
  notes: string[],
): void {
  const values = JSON.parse(row.custom_fields_json) as object
  const missing = fields.filter(
    (field) => field.required === 1 && field.retired === 0 && !(field.id in values),
  )
  if (missing.length > 0)
    notes.push(
      `${to.key} requires ${missing.map((field) => `"${field.name}"`).join(', ')}; set ${missing.length === 1 ? 'it' : 'them'} with update_task.`,
    )
}

async function membersOf(
  ctx: WriteContext,
  projectId: Row<'projects'>['id'],
): Promise<Set<string>> {
  const rows = await projectMember
    .of(ctx, [projectId])
    .select('project_members.person_id')
    .execute()
  return new Set(rows.map((row) => row.person_id))
}

/**
 * The status of the same name and category, else of the same name, else the first of the category, else the initial
 * one.
 */
function counterpart(
  oldStatus: Row<'statuses'>,
  statuses: readonly Row<'statuses'>[],
): Row<'statuses'> {
  const sameName = statuses.find(
    (status) => status.name.toLowerCase() === oldStatus.name.toLowerCase(),
  )
  if (sameName && isClosed(sameName) === isClosed(oldStatus)) return sameName
  return (
    firstOfCategory(statuses, oldStatus.category) ??
    statuses.find((status) => isClosed(status) === isClosed(oldStatus)) ??
    firstStatus(statuses)
  )
}

function isClosed({ category }: Row<'statuses'>): boolean {
  return category === 'done' || category === 'cancelled'
}

/** Removes people who are not in the new project and could no longer see the task. */
async function removeNonMembers(
  ctx: WriteContext,
  row: Row<'tasks'>,
  members: ReadonlySet<string>,
  addNote: (text: string) => void,
): Promise<void> {
  const links = await taskPerson
    .of(ctx, [row.id])
    .innerJoin('users', 'users.id', 'task_people.person_id')
    .selectAll('task_people')
    .select('users.display_name')
    .execute()
  for (const { display_name, ...link } of links.filter((item) => !members.has(item.person_id))) {
    await ctx.remove('task_people', link)
    if (link.role === 'assignee')
      addNote(`${display_name} is not a member there and was unassigned.`)
  }
}
