import { z } from 'zod'
import { containsText } from '../../../db/text-conditions.ts'
import { pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { label } from '../../labels/access.ts'
import { project } from '../../portfolio/access.ts'
import { task, taskTemplate } from '../access.ts'
import {
  braced,
  type Outline,
  mapOutline,
  nodesOf,
  outlineInput,
  readOutline,
  variablePattern,
  variablesOf,
} from './outline.ts'
import { TaskTemplate, presentTemplates } from './presenter.ts'
import { taskOutline } from './task-outlines.ts'

const maxBytes = 500_000

export const listTaskTemplates = operation({
  name: 'list_task_templates',
  searchHint: 'checklists, which templates, standard procedures',
  kind: 'read',
  rest: 'GET /api/task-templates',
  about: 'Reusable task outlines with subtasks and variables',
  on: { project: project.see.maybe.describe('only the templates of this project') },
  input: { query: shortText(200).optional().describe('part of the name'), ...paging },
  output: pageOf(TaskTemplate),
  async handle({ project, query, limit, cursor }, ctx) {
    let templateQuery = taskTemplate.visibleTo(ctx).selectAll('task_templates')
    if (project) templateQuery = templateQuery.where('task_templates.project_id', '=', project.id)
    if (query?.trim())
      templateQuery = templateQuery.where(containsText(['task_templates.name'], query.trim()))
    const page = await paged(
      templateQuery,
      [
        { by: 'task_templates.name', as: 'name', dir: 'asc' },
        { by: 'task_templates.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentTemplates(ctx, page.items))
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
  async handle({ from, project, name, outline, variables }, ctx) {
    if ((from === undefined) === (outline === undefined))
      throw invalid('outline', 'send either an outline or from_task_id.')
    const parsedOutline = from
      ? readOutline(await taskOutline(ctx, from))
      : await resolveReferences(ctx, readOutline(outline))
    const variableNames = checkVariables(variables, variablesOf(parsedOutline))
    const outline_json = outlineJson(parsedOutline)
    // Content taken from a task belongs to its project: omitting an argument must not publish it.
    const project_id = project?.id ?? from?.project_id ?? null
    const created = await ctx.add('task_templates', {
      name: name.trim(),
      project_id,
      outline_json,
      variables_json: JSON.stringify(variableNames),
      use_count: 0,
    })
    return (await presentTemplates(ctx, [created]))[0]!
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
    const newOutline =
      outline === undefined ? current : await resolveReferences(ctx, readOutline(outline))
    const isChanged = outline !== undefined || variables !== undefined
    const changed = await ctx.change('task_templates', row, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(outline === undefined ? {} : { outline_json: outlineJson(newOutline) }),
      ...(isChanged
        ? { variables_json: JSON.stringify(checkVariables(variables, variablesOf(newOutline))) }
        : {}),
    })
    return (await presentTemplates(ctx, [changed]))[0]!
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
  if (Buffer.byteLength(text) <= maxBytes) return text
  const message = `The outline exceeds the template limit of ${maxBytes} bytes.`
  throw new Refusal('too_large', message, { field: 'outline' })
}

/**
 * People and labels of an outline must exist when it is saved; people are stored by id, `me` is the user of the
 * template.
 */
async function resolveReferences(ctx: ReadContext, outline: Outline): Promise<Outline> {
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
  return mapOutline(outline, (node) => ({
    ...node,
    ...(node.assignees
      ? { assignees: node.assignees.map((text) => people.get(text) ?? text) }
      : {}),
  }))
}

function checkVariables(
  listed: readonly string[] | undefined,
  usedNames: readonly string[],
): readonly string[] {
  if (!listed) return usedNames
  const missing = usedNames.filter((name) => !listed.includes(name))
  const unused = listed.filter((name) => !usedNames.includes(name))
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
