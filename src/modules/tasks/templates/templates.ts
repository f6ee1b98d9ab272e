import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { date, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, shown } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { addDays, dayAt } from '../../../kernel/time/times.ts'
import { BulkResult, DeletedRef } from '../../../records/shapes.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { countUse, task, taskTemplate } from '../access.ts'
import { make } from '../tasks/creation.ts'
import {
  fillPlaceholders,
  mapped,
  nodesOf,
  outlineInput,
  readOutline,
  variablePattern,
  variablesOf,
  type Outline,
} from './outline.ts'
import { taskOutline } from './task-outlines.ts'
import { memberNamed } from '../tasks/people.ts'
import { showTemplates, TaskTemplate } from '../shapes.ts'
import { customFields } from '../tasks/workflow.ts'

const mostBytes = 500_000

export const listTaskTemplates = operation({
  name: 'list_task_templates',
  searchHint: 'checklists, which templates, standard procedures',
  kind: 'read',
  rest: 'GET /api/task-templates',
  about: 'Reusable task outlines with subtasks and variables',
  on: { project: project.see.maybe.describe('only the templates of this project') },
  input: { query: shortText(200).optional().describe('part of the name'), ...paging },
  output: pageOf(TaskTemplate),
  async handle({ project: of, query, limit, cursor }, ctx) {
    let found = taskTemplate.visibleTo(ctx).selectAll('task_templates')
    if (of) found = found.where('task_templates.project_id', '=', of.id)
    if (query?.trim()) found = found.where(containsText(['task_templates.name'], query.trim()))
    const page = await paged(
      found,
      [
        { by: 'task_templates.name', as: 'name', dir: 'asc' },
        { by: 'task_templates.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return shown(page, await showTemplates(ctx, page.items))
  },
})

const variablesInput = () =>
  z
    .array(z.string().regex(variablePattern, 'must be a name of letters, digits and _'))
    .max(50)
    .optional()
    .describe('every {{name}} in titles and descriptions; default: those found')

export const createTaskTemplate = operation({
  name: 'create_task_template',
  searchHint: 'save a checklist, reusable task, make a template of a ticket',
  kind: 'write',
  rest: 'POST /api/task-templates',
  about: 'Save an outline, or an existing task with its subtasks, as a template',
  on: {
    from: task.see.named('from_task_id').maybe,
    project: project.edit.maybe.describe(
      'its members may use it; default: the whole organization, or the project of from_task_id',
    ),
  },
  input: {
    name: title(),
    outline: outlineInput().optional(),
    variables: variablesInput(),
  },
  output: TaskTemplate,
  async handle({ from, project: of, name, outline, variables }, ctx) {
    if ((from === undefined) === (outline === undefined))
      throw invalid('outline', 'send either an outline or from_task_id.')
    const read = from
      ? readOutline(await taskOutline(ctx, from))
      : await resolved(ctx, readOutline(outline))
    const found = checkVariables(variables, variablesOf(read))
    const outline_json = outlineJson(read)
    // What stands in a task is its project's own: it does not get out by leaving an argument out.
    const project_id = of?.id ?? from?.project_id ?? null
    const made = await ctx.add('task_templates', {
      name: name.trim(),
      project_id,
      outline_json,
      variables_json: JSON.stringify(found),
      use_count: 0,
    })
    return (await showTemplates(ctx, [made]))[0]!
  },
})

export const updateTaskTemplate = operation({
  name: 'update_task_template',
  searchHint: 'edit a template, change the checklist of a template',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/task-templates/{template_id}',
  about: 'Rename a task template or replace its outline',
  on: { template: taskTemplate.edit },
  input: {
    name: title().optional(),
    outline: outlineInput().optional().describe('the whole outline'),
    variables: variablesInput(),
  },
  revision: 'template',
  output: TaskTemplate,
  async handle({ template: row, name, outline, variables }, ctx) {
    const current = JSON.parse(row.outline_json) as Outline
    const read = outline === undefined ? current : await resolved(ctx, readOutline(outline))
    const isChanged = outline !== undefined || variables !== undefined
    const changed = await ctx.change('task_templates', row, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(outline === undefined ? {} : { outline_json: outlineJson(read) }),
      ...(isChanged
        ? { variables_json: JSON.stringify(checkVariables(variables, variablesOf(read))) }
        : {}),
    })
    return (await showTemplates(ctx, [changed]))[0]!
  },
})

export const deleteTaskTemplate = operation({
  name: 'delete_task_template',
  searchHint: 'remove a template, throw away a checklist',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/task-templates/{template_id}',
  about: 'Move a template to the trash; tasks created from it stay',
  on: { template: taskTemplate.edit },
  dryRun: true,
  output: DeletedRef,
  async handle({ template: row }, ctx) {
    await ctx.trash('task_templates', row)
    return deletedRef(ctx, taskTemplate.ref(row, ctx.baseUrl))
  },
})

/** @throws Refusal too_large */
function outlineJson(outline: Outline): string {
  const text = JSON.stringify(outline)
  if (Buffer.byteLength(text) <= mostBytes) return text
  const sentence = `The outline exceeds the template limit of ${mostBytes} bytes.`
  throw new Refusal('too_large', sentence, { field: 'outline' })
}

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
  async handle({ template, project: into, assignees, variables, start_on }, ctx) {
    const values = demandValues(JSON.parse(template.variables_json) as string[], variables ?? {})
    const plan = mapped(JSON.parse(template.outline_json) as Outline, (node) =>
      filledNode(node, values),
    )
    const run: Run = {
      into,
      fields: await customFields(ctx, into.id),
      startOn: start_on ?? dayAt(ctx.now, ctx.actor.timezone),
      assignees: assignees ?? [],
      count: nodesOf(plan).length,
      made: [],
      skipped: [],
    }
    await grow(ctx, run, plan, undefined)
    await countUse(ctx, template.id)
    const count = run.made.length
    const items = run.made.map((row) => task.ref(row, ctx.baseUrl))
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
interface Run {
  into: Row<'projects'>
  fields: Row<'custom_fields'>[]
  startOn: string
  assignees: Row<'users'>[]
  /** How many tasks there will be. */
  count: number
  made: Row<'tasks'>[]
  /** Labels, people and fields that are not there, by the task that goes without them. */
  skipped: { id: string; key: string; title: string; reason: string }[]
}

/** Creates a task of the outline and those below it. */
async function grow(
  ctx: WriteContext,
  run: Run,
  node: Outline,
  parent: Row<'tasks'> | undefined,
): Promise<void> {
  ctx.progress(run.made.length, run.count, 'tasks created')
  const missing: string[] = []
  const labels = await present(
    node.labels,
    (name) => label.find(ctx, name),
    (name) => missing.push(`The label ${JSON.stringify(name)} no longer exists.`),
  )
  const people = await namesOf(ctx, node.assignees ?? [])
  const named = await present(
    node.assignees,
    (text) => assignable(ctx, run, text),
    (text) =>
      missing.push(
        `${people.get(text) ?? JSON.stringify(text)} cannot be assigned in ${run.into.key}.`,
      ),
  )
  const known = await present(
    Object.keys(node.custom_fields ?? {}),
    async (name) => (isField(run, name) ? name : undefined),
    (name) => missing.push(`${run.into.key} has no custom field ${JSON.stringify(name)}.`),
  )
  const made = await make(ctx, run.into, {
    ...pick(node),
    custom_fields: Object.fromEntries(known.map((name) => [name, node.custom_fields![name]])),
    due_at: dayOf(run, node.due_offset_days),
    start_at: dayOf(run, node.start_offset_days),
    labels: unique(labels),
    assignees: unique(node.assignees?.length ? named : run.assignees),
    parent,
    incomplete: true,
  })
  run.made.push(made)
  run.skipped.push(
    ...missing.map((reason) => ({ id: made.id, key: made.key, title: made.title, reason })),
  )
  for (const subtask of node.subtasks ?? []) await grow(ctx, run, subtask, made)
}

function pick({ title, description_markdown, priority, estimate_minutes, points }: Outline) {
  return { title, description_markdown, priority, estimate_minutes, points }
}

function dayOf(run: Run, offset: number | undefined): string | undefined {
  return offset === undefined ? undefined : addDays(run.startOn, offset)
}

/** Two names may be of one: an id and an address, `bug` and `Bug`. */
function unique<R extends { id: string }>(rows: readonly R[]): R[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

function isField(run: Run, name: string): boolean {
  return run.fields.some(
    (field) =>
      field.retired === 0 &&
      (field.id === name || field.name.toLowerCase() === name.trim().toLowerCase()),
  )
}

/** What is found of a list of names; the others are told. */
async function present<R>(
  names: readonly string[] | undefined,
  find: (name: string) => Promise<R | undefined>,
  tell: (name: string) => void,
): Promise<R[]> {
  const found: R[] = []
  for (const name of names ?? []) {
    const row = await find(name)
    if (row) found.push(row)
    else tell(name)
  }
  return found
}

/** The names of people by their ids, for messages. */
async function namesOf(ctx: ReadContext, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map([...(await person.among(ctx, ids))].map(([id, row]) => [id, row.display_name]))
}

async function assignable(
  ctx: ReadContext,
  run: Run,
  text: string,
): Promise<Row<'users'> | undefined> {
  const row = await memberNamed(ctx, run.into.id, text)
  return row?.status === 'deactivated' ? undefined : row
}

/** People and labels of an outline must be there when it is saved; people are kept by id, `me` is whoever uses it. */
async function resolved(ctx: ReadContext, outline: Outline): Promise<Outline> {
  const people = new Map<string, string>()
  for (const node of nodesOf(outline)) {
    for (const name of node.labels ?? [])
      if (!(await label.find(ctx, name)))
        throw invalid(
          'outline',
          `no label is named ${JSON.stringify(name)}.`,
          'Create it first with create_label.',
        )
    for (const text of node.assignees ?? [])
      if (text !== 'me') people.set(text, (await person.demand(ctx, text, 'see', 'outline')).id)
  }
  return mapped(outline, (node) => ({
    ...node,
    ...(node.assignees
      ? { assignees: node.assignees.map((text) => people.get(text) ?? text) }
      : {}),
  }))
}

function checkVariables(
  listed: readonly string[] | undefined,
  found: readonly string[],
): readonly string[] {
  if (!listed) return found
  const missing = found.filter((name) => !listed.includes(name))
  const unused = listed.filter((name) => !found.includes(name))
  if (missing.length > 0)
    throw invalid(
      'variables',
      `${braced(missing)} in the outline is not listed.`,
      'List every variable, or omit variables.',
    )
  if (unused.length > 0)
    throw invalid(
      'variables',
      `${unused.join(', ')} does not appear in any title or description.`,
      `Write ${braced(unused)} where the value should appear.`,
    )
  return [...new Set(listed)]
}

function demandValues(
  names: readonly string[],
  given: Record<string, string | number | boolean>,
): Record<string, string> {
  const missing = names.filter((name) => !Object.hasOwn(given, name))
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
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
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
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

function braced(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ')
}
