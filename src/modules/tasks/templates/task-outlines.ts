import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt, daysBetween } from '../../../kernel/time/times.ts'
import { label } from '../../labels/access.ts'
import { descendants, taskLabel, taskPerson } from '../access.ts'
import { dueDay } from '../lists/dates.ts'
import type { Outline } from './outline.ts'
import { customFields } from '../tasks/workflow.ts'

/** A visible task with its subtasks as an outline; days count from its start, else from its creation. */
export async function taskOutline(ctx: ReadContext, root: Row<'tasks'>): Promise<Outline> {
  const rows = [root, ...(await descendants(ctx, root.id))]
  const ids = rows.map((row) => row.id)
  const links = await taskLabel
    .of(ctx, ids)
    .select(['task_labels.task_id', 'task_labels.label_id'])
    .orderBy('task_labels.label_id')
    .execute()
  const names = await label.among(
    ctx,
    links.map((link) => link.label_id),
  )
  const people = await taskPerson
    .of(ctx, ids)
    .select(['task_people.task_id', 'task_people.person_id'])
    .where('task_people.role', '=', 'assignee')
    .execute()
  const fields = new Set(
    (await customFields(ctx, root.project_id))
      .filter((field) => field.retired === 0)
      .map((field) => field.id as string),
  )
  const zone = ctx.actor.timezone
  const first = root.start_on ?? dayAt(root.start_at ?? root.created_at, zone)
  const node = (row: Row<'tasks'>): Outline => {
    const labels = links
      .filter((link) => link.task_id === row.id)
      .flatMap((link) => names.get(link.label_id)?.name ?? [])
    const assignees = people
      .filter((person) => person.task_id === row.id)
      .map((person) => person.person_id as string)
    const subtasks = rows.filter((item) => item.parent_id === row.id).map(node)
    return omitNullish({
      title: row.title,
      description_markdown: row.description_markdown,
      priority: row.priority === 'none' ? undefined : row.priority,
      estimate_minutes: row.estimate_minutes,
      points: row.points,
      labels: labels.length > 0 ? labels : undefined,
      assignees: assignees.length > 0 ? assignees : undefined,
      due_offset_days: row.due_at === null ? undefined : daysBetween(first, dueDay(row, zone)!),
      start_offset_days:
        row.start_at === null
          ? undefined
          : daysBetween(first, row.start_on ?? dayAt(row.start_at, zone)),
      ...outlineFieldsOf(row, fields),
      subtasks: subtasks.length > 0 ? subtasks : undefined,
    })
  }
  return node(root)
}

function outlineFieldsOf(row: Row<'tasks'>, fields: Set<string>): Pick<Outline, 'custom_fields'> {
  const entries = Object.entries(
    JSON.parse(row.custom_fields_json) as Record<string, unknown>,
  ).filter(([id]) => fields.has(id))
  return entries.length > 0 ? { custom_fields: Object.fromEntries(entries) } : {}
}
