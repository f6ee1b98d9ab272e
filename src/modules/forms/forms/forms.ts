import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { form } from '../access.ts'
import { answeredFields, countResponses } from '../responses/access.ts'
import {
  checkNames,
  DestinationInput,
  readDestination,
  type Destination,
} from '../responses/destinations.ts'
import { FieldInput, maxFields, type FormField } from './fields.ts'
import { noExistingFields, readFields } from './field-lists.ts'
import { readSettings, SettingsInput, defaultSettings } from './settings.ts'
import { Form, presentForm, presentForms, statuses } from '../shapes.ts'

const fieldList = () => z.array(FieldInput).min(1).max(maxFields)

export const listForms = operation({
  name: 'list_forms',
  searchHint: 'surveys, questionnaires, polls',
  kind: 'read',
  rest: 'GET /api/forms',
  about: 'Forms of the organization with state and response counts',
  on: { created_by: person.see.maybe.named('created_by') },
  input: {
    status: z.array(z.enum(statuses)).max(3).optional(),
    query: shortText(200).optional(),
    ...paging,
  },
  output: pageOf(Form),
  async handle({ created_by, status, query, limit, cursor }, ctx) {
    let formQuery = form.visibleTo(ctx).selectAll('forms')
    if (status) formQuery = formQuery.where('forms.status', 'in', status)
    if (created_by) formQuery = formQuery.where('forms.created_by', '=', created_by.id)
    if (query?.trim())
      formQuery = formQuery.where(
        containsText(['forms.title', 'forms.description_markdown'], query.trim()),
      )
    const page = await paged(
      formQuery,
      [
        { by: 'forms.updated_at', as: 'updated_at', dir: 'desc' },
        { by: 'forms.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentForms(ctx, page.items))
  },
})

export const getForm = operation({
  name: 'get_form',
  searchHint: 'survey details, questions of a survey',
  kind: 'read',
  rest: 'GET /api/forms/{form_id}',
  about: 'One form with fields, logic, settings and address',
  on: { form: form.see },
  output: Form,
  handle: ({ form: row }, ctx) => presentForm(ctx, row),
})

export const createForm = operation({
  name: 'create_form',
  searchHint: 'survey, questionnaire, poll, intake, sign-up sheet, feedback',
  kind: 'write',
  rest: 'POST /api/forms',
  about:
    'Create a draft form with typed fields, branching and a destination such as a project or the contact directory',
  input: {
    title: title(),
    fields: fieldList(),
    description_markdown: markdown().optional(),
    settings: SettingsInput.optional(),
    destination: DestinationInput.optional(),
  },
  output: Form,
  async handle(
    { title: formTitle, fields: inputs, description_markdown, settings = {}, destination },
    ctx,
  ) {
    if (ctx.actor.role === 'guest') throw denied('Guests can fill in forms but not create them.')
    const { fields } = readFields(inputs, noExistingFields)
    const row = await ctx.add('forms', {
      title: formTitle.trim(),
      description_markdown: description_markdown ?? null,
      status: 'draft',
      fields_json: JSON.stringify(fields),
      retired_json: '[]',
      ...defaultSettings,
      ...(await readSettings(ctx, settings)),
      destination_json: await readDestination(ctx, destination, fields),
    })
    return presentForm(ctx, row)
  },
})

export const updateForm = operation({
  name: 'update_form',
  searchHint: 'edit a survey, add a question, change questions',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/forms/{form_id}',
  about: 'Change title, fields, logic, settings or destination; answered fields keep their ids',
  on: { form: form.edit },
  input: {
    title: title().optional(),
    description_markdown: markdown().nullable().optional(),
    fields: fieldList().optional().describe('all fields in order; omitted fields are retired'),
    settings: SettingsInput.optional(),
    destination: DestinationInput.nullable().optional(),
  },
  output: Form,
  revision: 'form',
  async handle(
    { form: row, title: formTitle, description_markdown, fields: inputs, settings, destination },
    ctx,
  ) {
    const lists = inputs && (await readChangedFields(ctx, row, inputs))
    const fields = lists?.fields ?? (JSON.parse(row.fields_json) as FormField[])
    if (lists && destination === undefined && row.destination_json !== null)
      checkNames((JSON.parse(row.destination_json) as Destination).mapping, fields)
    const changed = await ctx.change(
      'forms',
      row,
      omitUndefined({
        title: formTitle === undefined ? undefined : formTitle.trim(),
        description_markdown,
        ...(lists
          ? {
              fields_json: JSON.stringify(lists.fields),
              retired_json: JSON.stringify(lists.retired),
            }
          : {}),
        ...(settings ? await readSettings(ctx, settings, row) : {}),
        destination_json:
          destination === undefined ? undefined : await readDestination(ctx, destination, fields),
      }),
    )
    return presentForm(ctx, changed)
  },
})

export const deleteForm = operation({
  name: 'delete_form',
  searchHint: 'remove a survey',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/forms/{form_id}',
  about: 'Move a form with its responses to the trash',
  on: { form: form.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ form: row }, ctx) {
    const count = await countResponses(ctx, row.id)
    await ctx.trash('forms', row)
    return deletedRef(
      ctx,
      form.ref(row, ctx.baseUrl),
      count === 0 ? [] : [{ type: 'form_response', count }],
    )
  },
})

async function readChangedFields(
  ctx: ReadContext,
  row: Row<'forms'>,
  inputs: z.infer<typeof FieldInput>[],
) {
  return readFields(inputs, {
    fields: JSON.parse(row.fields_json) as FormField[],
    retired: JSON.parse(row.retired_json) as FormField[],
    answered: await answeredFields(ctx, row.id),
    isKnown: row.published_at !== null,
  })
}
