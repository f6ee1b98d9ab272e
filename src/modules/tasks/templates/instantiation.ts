import { z } from 'zod'
import { date } from '../../../kernel/fields.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import { addDays, dayAt } from '../../../kernel/time/times.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { label } from '../../labels/access.ts'
import { project } from '../../portfolio/access.ts'
import { recordUse, task, taskTemplate } from '../access.ts'
import { insertTask } from '../tasks/creation.ts'
import { memberNamed } from '../tasks/people.ts'
import { customFields } from '../tasks/workflow.ts'
import { type Outline, fillPlaceholders, mapOutline, nodesOf } from './outline.ts'

export const createTaskFromTemplate = operation({
  name: 'create_task_from_template',
  searchHint: 'reuse a checklist, onboarding checklist, start from a template',
  kind: 'write',
  rest: 'POST /api/task-templates/{template_id}/tasks',
  creates: 'items',
  about: 'Create a task tree from a template with dates relative to a start day',
  on: {
    template: taskTemplate.see,
    project: project.edit,
    assignees: person.see.many.maybe.describe('assignee of tasks without one in the template'),
  },
  input: {
    variables: z
      .record(z.string().max(64), z.union([z.string().max(5000), z.number(), z.boolean()]))
      .optional()
      .describe('values for {{name}}: {"client": "Acme"}'),
    start_on: date().optional().describe('day the dates are relative to; default: today'),
  },
  reportsProgress: true,
  output: BulkResult,
  async handle({ template, project: projectRow, assignees, variables, start_on }, ctx) {
    const values = requireValues(JSON.parse(template.variables_json) as string[], variables ?? {})
    const plan = mapOutline(JSON.parse(template.outline_json) as Outline, (node) =>
      filledNode(node, values),
    )
    const run: TemplateUse = {
      projectRow,
      fields: await customFields(ctx, projectRow.id),
      startOn: start_on ?? dayAt(ctx.now, ctx.actor.timezone),
      assignees: assignees ?? [],
      count: nodesOf(plan).length,
      createdTasks: [],
      skipped: [],
    }
    await createTree(ctx, run, plan, undefined)
    await recordUse(ctx, template.id)
    const count = run.createdTasks.length
    const items = run.createdTasks.map((row) => task.ref(row, ctx.baseUrl))
    return {
      requested: count,
      matched: count,
      changed: count,
      skipped: run.skipped,
      failed: [],
      items,
      dry_run: ctx.dryRun,
      ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
    }
  },
})

/** One use of a template. */
interface TemplateUse {
  projectRow: Row<'projects'>
  fields: Row<'custom_fields'>[]
  startOn: string
  assignees: Row<'users'>[]
  /** Number of tasks that will be created. */
  count: number
  createdTasks: Row<'tasks'>[]
  /** Missing labels, people and fields, each with the task created without it. */
  skipped: { id: string; key: string; title: string; reason: string }[]
}

/** Creates a task of the outline and its subtasks. */
async function createTree(
  ctx: WriteContext,
  run: TemplateUse,
  node: Outline,
  parent: Row<'tasks'> | undefined,
): Promise<void> {
  ctx.progress(run.createdTasks.length, run.count, 'tasks created')
  const missing: string[] = []
  const labels = await resolveNames(
    node.labels,
    (name) => label.find(ctx, name),
    (name) => missing.push(`The label ${JSON.stringify(name)} no longer exists.`),
  )
  const people = await displayNamesById(ctx, node.assignees ?? [])
  const assignees = await resolveNames(
    node.assignees,
    (text) => assignable(ctx, run, text),
    (text) =>
      missing.push(
        `${people.get(text) ?? JSON.stringify(text)} cannot be assigned in ${run.projectRow.key}.`,
      ),
  )
  const fieldNames = await resolveNames(
    Object.keys(node.custom_fields ?? {}),
    async (name) => (isField(run, name) ? name : undefined),
    (name) => missing.push(`${run.projectRow.key} has no custom field ${JSON.stringify(name)}.`),
  )
  const created = await insertTask(ctx, run.projectRow, {
    ...taskFieldsOf(node),
    custom_fields: Object.fromEntries(fieldNames.map((name) => [name, node.custom_fields![name]])),
    due_at: dayOf(run, node.due_offset_days),
    start_at: dayOf(run, node.start_offset_days),
    labels: unique(labels),
    assignees: unique(node.assignees?.length ? assignees : run.assignees),
    parent,
    incomplete: true,
  })
  run.createdTasks.push(created)
  run.skipped.push(
    ...missing.map((reason) => ({
      id: created.id,
      key: created.key,
      title: created.title,
      reason,
    })),
  )
  for (const subtask of node.subtasks ?? []) await createTree(ctx, run, subtask, created)
}

function taskFieldsOf({
  title,
  description_markdown,
  priority,
  estimate_minutes,
  points,
}: Outline) {
  return { title, description_markdown, priority, estimate_minutes, points }
}

function dayOf(run: TemplateUse, offset: number | undefined): string | undefined {
  return offset === undefined ? undefined : addDays(run.startOn, offset)
}

/** Two names can refer to the same row: an id and an address, `bug` and `Bug`. */
function unique<R extends { id: string }>(rows: readonly R[]): R[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

function isField(run: TemplateUse, name: string): boolean {
  return run.fields.some(
    (field) =>
      field.retired === 0 &&
      (field.id === name || field.name.toLowerCase() === name.trim().toLowerCase()),
  )
}

/** Resolves a list of names and reports those that were not found. */
async function resolveNames<R>(
  names: readonly string[] | undefined,
  find: (name: string) => Promise<R | undefined>,
  reportMissing: (name: string) => void,
): Promise<R[]> {
  const rows: R[] = []
  for (const name of names ?? []) {
    const row = await find(name)
    if (row) rows.push(row)
    else reportMissing(name)
  }
  return rows
}

/** Names of people by id, for messages. */
async function displayNamesById(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return new Map([...(await person.among(ctx, ids))].map(([id, row]) => [id, row.display_name]))
}

async function assignable(
  ctx: ReadContext,
  run: TemplateUse,
  text: string,
): Promise<Row<'users'> | undefined> {
  const row = await memberNamed(ctx, run.projectRow.id, text)
  return row?.status === 'deactivated' ? undefined : row
}

function requireValues(
  names: readonly string[],
  values: Record<string, string | number | boolean>,
): Record<string, string> {
  const missing = names.filter((name) => !Object.hasOwn(values, name))
  const unknown = Object.keys(values).filter((name) => !names.includes(name))
  const context = { variables: names }
  if (missing.length > 0)
    throw new Refusal('invalid_argument', `variables: ${missing.join(', ')} is missing.`, {
      field: 'variables',
      hint: 'Send a value for every variable of the template.',
      context,
    })
  if (unknown.length > 0)
    throw new Refusal(
      'invalid_argument',
      `variables: this template has no variable ${unknown.slice(0, 5).join(', ')}.`,
      {
        field: 'variables',
        hint: names.length > 0 ? `Its variables are ${names.join(', ')}.` : 'It has no variables.',
        context,
      },
    )
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function filledNode(node: Outline, values: Record<string, string>): Outline {
  const text = fillPlaceholders(node.title, values).replaceAll(/\s+/g, ' ').trim()
  if (text === '' || text.length > 500)
    throw invalid(
      'variables',
      `with these values ${JSON.stringify(node.title.slice(0, 80))} is ${text === '' ? 'blank' : `${text.length} characters long`}; a title must have 1 to 500 characters.`,
    )
  return {
    ...node,
    title: text,
    ...(node.description_markdown === undefined
      ? {}
      : { description_markdown: fillPlaceholders(node.description_markdown, values) }),
  }
}
