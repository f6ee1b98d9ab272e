import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { title } from '../../../kernel/fields.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { customField, project } from '../../portfolio/access.ts'
import { optionUses } from '../access-tasks.ts'
import { optionsFrom, takesOptions, type FieldOption } from './field-options.ts'
import { projectRef } from '../../portfolio/shapes.ts'
import { CustomField, fieldTypes, presentField } from '../shapes.ts'
import { requireUnarchived } from '../projects/states.ts'

const maxCustomFields = 100
const fieldName = () => title().max(100)
const optionNames = () =>
  z.array(z.string().min(1).max(100).regex(/\S/, 'must not be blank')).max(200)

export const createCustomField = operation({
  name: 'create_custom_field',
  searchHint: 'extra column, new property, add a field to tickets',
  kind: 'write',
  rest: 'POST /api/projects/{project_id}/custom-fields',
  about: 'Add a typed field to the tasks of a project',
  on: { project: project.own },
  input: {
    name: fieldName(),
    type: fieldTypes,
    options: optionNames().optional().describe('for select and multi_select: the allowed values'),
    required: z.boolean().optional().describe('tasks created or changed from now on need a value'),
  },
  output: CustomField,
  async handle({ project, name, type, options, required = false }, ctx) {
    requireUnarchived(project)
    const others = await projectFieldsOf(ctx, project.id)
    if (others.length >= maxCustomFields)
      throw new Refusal(
        'conflict',
        `${project.key} already has ${others.length} custom fields; the maximum is ${maxCustomFields}.`,
      )
    requireFreeFieldName(others, name)
    if (options?.length && !takesOptions(type))
      throw invalid(
        'options',
        `a field of type ${type} cannot have options.`,
        'Use select or multi_select.',
      )
    const fieldOptions = takesOptions(type)
      ? optionsFrom(options ?? [], [], () => newId('opt', ctx.now))
      : []
    const created = await ctx.add('custom_fields', {
      project_id: project.id,
      name: name.trim(),
      type,
      options_json: JSON.stringify(fieldOptions),
      required: required ? 1 : 0,
      retired: 0,
    })
    return presentCustomField(ctx, created, project)
  },
})

export const updateCustomField = operation({
  name: 'update_custom_field',
  searchHint: 'rename a field, options of a field, dropdown values',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/custom-fields/{field_id}',
  about: 'Rename a field, change options, or retire it',
  on: { field: customField.edit },
  input: {
    name: fieldName().optional(),
    options: optionNames()
      .optional()
      .describe('all options in their new order; options in use must stay'),
    required: z.boolean().optional().describe('tasks created or changed from now on need a value'),
    retired: z
      .boolean()
      .optional()
      .describe('retired fields are hidden; retired=false restores them with their values'),
  },
  output: CustomField,
  async handle({ field: row, name, options, required, retired }, ctx) {
    const projectRow = await project
      .visibleTo(ctx)
      .selectAll('projects')
      .where('projects.id', '=', row.project_id)
      .executeTakeFirstOrThrow()
    requireUnarchived(projectRow)
    if (name)
      requireFreeFieldName(
        (await projectFieldsOf(ctx, projectRow.id)).filter((other) => other.id !== row.id),
        name,
      )
    const options_json = options
      ? JSON.stringify(await changedOptions(ctx, row, options))
      : row.options_json
    const changed = await ctx.change(
      'custom_fields',
      row,
      omitUndefined({
        name: name ? name.trim() : undefined,
        options_json,
        ...(required === undefined ? {} : { required: required ? 1 : 0 }),
        ...(retired === undefined ? {} : { retired: retired ? 1 : 0 }),
      }),
    )
    return presentCustomField(ctx, changed, projectRow)
  },
})

async function projectFieldsOf(
  ctx: ReadContext,
  projectId: Id<'projects'>,
): Promise<Row<'custom_fields'>[]> {
  return customField
    .visibleTo(ctx)
    .selectAll('custom_fields')
    .where('custom_fields.project_id', '=', projectId)
    .execute()
}

function requireFreeFieldName(others: readonly Row<'custom_fields'>[], name: string): void {
  const other = others.find((row) => row.name.toLowerCase() === name.trim().toLowerCase())
  if (!other) return
  const hint =
    other.retired === 1
      ? 'It is retired: restore it with update_custom_field(retired=false), or choose another name.'
      : 'Choose another name.'
  throw new Refusal('conflict', `This project already has a field named "${other.name}".`, {
    field: 'name',
    hint,
    context: { existing_id: other.id },
  })
}

/** The new options. One in use by tasks stays: their values would be lost. */
async function changedOptions(
  ctx: ReadContext,
  row: Row<'custom_fields'>,
  names: readonly string[],
): Promise<FieldOption[]> {
  if (!takesOptions(row.type))
    throw invalid('options', `"${row.name}" has type ${row.type}, which has no options.`)
  const before = JSON.parse(row.options_json) as FieldOption[]
  const after = optionsFrom(names, before, () => newId('opt', ctx.now))
  for (const option of before.filter(
    (fieldOption) => !after.some((other) => other.id === fieldOption.id),
  )) {
    const { live, trashed } = await optionUses(ctx, row.project_id, option.id)
    if (live + trashed === 0) continue
    const where = trashed > 0 ? ` (${trashed} of them in the trash)` : ''
    throw new Refusal(
      'conflict',
      `The option "${option.name}" is used by ${live + trashed} ${live + trashed === 1 ? 'task' : 'tasks'}${where}.`,
      {
        field: 'options',
        hint: 'Change the value of these tasks first, or keep the option.',
        context: { option: option.name, tasks: live, in_trash: trashed },
      },
    )
  }
  return after
}

async function presentCustomField(
  ctx: ReadContext,
  row: Row<'custom_fields'>,
  project: Row<'projects'>,
) {
  return presentField(
    row,
    projectRef(project),
    await peopleRefs(ctx, [row.created_by]),
    ctx.baseUrl,
  )
}
