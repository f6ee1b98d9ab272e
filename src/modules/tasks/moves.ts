import { shortText } from '../../core/fields.ts'
import type { WriteContext } from '../../core/context.ts'
import { operation } from '../../core/operation.ts'
import type { Row } from '../../core/resource.ts'
import { noteSprintMove, project, projectMember, takeTaskNumber } from '../projects/access.ts'
import { descendants, task, taskPerson } from './access.ts'
import { enter, showChanged } from './changing.ts'
import { carryValues } from './carrying.ts'
import { positionBeside, positionsAtEnd } from './positions.ts'
import { Task } from './shapes.ts'
import { demandParent } from './trees.ts'
import { fieldsOf, firstOf, firstStatus, statusesOf, statusNamed } from './workflow.ts'

export const moveTask = operation({
  name: 'move_task',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/tasks/{task_id}/move',
  about: 'Move a task to another project, status column, parent or position; maps statuses and fields and reports what did not carry over',
  on: {
    task: task.edit,
    project: project.edit.maybe.describe('its subtasks move along'),
    parent: task.see.clearable.describe('null: no longer part of another task'),
    before: task.see.maybe.named('before_task_id').describe('place it directly before this task'),
    after: task.see.maybe.named('after_task_id').describe('place it directly behind this task'),
  },
  input: { status: shortText(200).optional().describe('name of a status of the project in which it will be') },
  output: Task,
  async handle({ task: row, project: target, parent, before, after, status }, ctx) {
    const to = target && target.id !== row.project_id ? target : undefined
    const projectId = to?.id ?? row.project_id
    const statuses = await statusesOf(ctx, projectId)
    const wanted = status === undefined ? undefined : statusNamed(statuses, status)
    if (parent && parent.id !== row.parent_id) await demandParent(ctx, projectId, parent, row)
    const position = before || after ? await positionBeside(ctx, projectId, row.id, { before, after }) : undefined
    const notes: string[] = []
    const moved = to ? await carry(ctx, row, to, statuses, wanted !== undefined, notes) : row
    const changed = await enter(ctx, moved, wanted, {
      ...(parent === undefined ? {} : { parent_id: parent?.id ?? null }),
      ...(position === undefined ? {} : { position }),
    })
    return { ...(await showChanged(ctx, changed)), ...(to ? { notes } : {}) }
  },
})

/** Takes a task and its subtasks into another project. What does not fit there is dropped, and noted. */
async function carry(ctx: WriteContext, root: Row<'tasks'>, to: Row<'projects'>, statuses: readonly Row<'statuses'>[], hasStatus: boolean, notes: string[]): Promise<Row<'tasks'>> {
  const rows = [root, ...(await descendants(ctx, root.id))]
  const places = await positionsAtEnd(ctx, to.id, rows.length)
  const from = { statuses: await statusesOf(ctx, root.project_id), fields: await fieldsOf(ctx, root.project_id) }
  const fields = await fieldsOf(ctx, to.id)
  const members = await membersOf(ctx, to.id)
  const lost = await membersOf(ctx, root.project_id)
  if (root.parent_id !== null) notes.push(`${root.key} is no longer a subtask: its parent stays in the other project.`)
  let carried = root
  for (const [i, row] of rows.entries()) {
    const before = from.statuses.find(one => one.id === row.status_id)!
    const target = counterpart(before, statuses)
    const { values, dropped } = carryValues(from.fields, fields, row.custom_fields_json, members)
    const key = `${to.key}-${await takeTaskNumber(ctx, to.id)}`
    const said = (text: string) => notes.push(`${row.key} → ${key}: ${text}`)
    if (before.name.toLowerCase() !== target.name.toLowerCase() && !(i === 0 && hasStatus)) said(`the status "${before.name}" became "${target.name}".`)
    for (const name of dropped) said(`the field "${name}" has no counterpart; its value was dropped.`)
    if (row.sprint_id !== null) said('it is no longer in a sprint.')
    if (row.milestone_id !== null) said('it is no longer under a milestone.')
    await leaveOut(ctx, row, members, said)
    const changed = await ctx.change('tasks', row, {
      project_id: to.id,
      key,
      status_id: target.id,
      status_category: target.category,
      completed_at: isClosed(target) ? row.completed_at : null,
      position: places[i]!,
      sprint_id: null,
      milestone_id: null,
      custom_fields_json: JSON.stringify(values),
      ...(i === 0 ? { parent_id: null } : {}),
    })
    await noteSprintMove(ctx, row.sprint_id, row, 'removed')
    if (i === 0) carried = changed
    for (const id of lost) if (!members.has(id)) ctx.access('access_lost', 'tasks', changed, id)
    for (const id of members) if (!lost.has(id)) ctx.access('access_gained', 'tasks', changed, id)
  }
  const missing = fields.filter(field => field.required === 1 && field.retired === 0 && !(field.id in (JSON.parse(carried.custom_fields_json) as object)))
  if (missing.length > 0) notes.push(`${to.key} requires ${missing.map(field => `"${field.name}"`).join(', ')}; set ${missing.length === 1 ? 'it' : 'them'} with update_task.`)
  return carried
}

async function membersOf(ctx: WriteContext, projectId: Row<'projects'>['id']): Promise<Set<string>> {
  const rows = await projectMember.of(ctx, [projectId]).select('project_members.person_id').execute()
  return new Set(rows.map(row => row.person_id))
}

/** The status of the same name and category, else of the same name, else the first of the category, else where tasks begin. */
function counterpart(of: Row<'statuses'>, statuses: readonly Row<'statuses'>[]): Row<'statuses'> {
  const named = statuses.find(one => one.name.toLowerCase() === of.name.toLowerCase())
  if (named && isClosed(named) === isClosed(of)) return named
  return firstOf(statuses, of.category) ?? statuses.find(one => isClosed(one) === isClosed(of)) ?? firstStatus(statuses)
}

function isClosed({ category }: Row<'statuses'>): boolean {
  return category === 'done' || category === 'cancelled'
}

/** Takes off the people who do not belong to the new project: they could not see the task any more. */
async function leaveOut(ctx: WriteContext, row: Row<'tasks'>, members: Set<string>, said: (text: string) => void): Promise<void> {
  const ties = await taskPerson.of(ctx, [row.id]).innerJoin('users', 'users.id', 'task_people.person_id').selectAll('task_people').select('users.display_name').execute()
  for (const { display_name, ...tie } of ties.filter(one => !members.has(one.person_id))) {
    await ctx.remove('task_people', tie)
    if (tie.role === 'assignee') said(`${display_name} is no member there and was taken off.`)
  }
}
