import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../kernel/actor.ts'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString } from '../../kernel/fields.ts'
import { refsOf } from '../../records/item-refs.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { Address, common, commonOf, ItemRef, Ref, trust } from '../../records/shapes.ts'
import { form, formResponse, formsWithReadableResponses } from './access.ts'
import { countByForm, responseValues } from './responses/access.ts'
import { fieldsOfVersions } from './responses/access-versions.ts'
import { pairFieldVersions, otherWording, type FieldVersions } from './responses/wordings.ts'
import { conditionOps, fieldTypes, formFields, type FormField } from './forms/fields.ts'

export const statuses = ['draft', 'published', 'closed'] as const
export const audiences = ['organization', 'public'] as const
export const readers = ['owner_only', 'organization'] as const
export const destinationKinds = ['none', 'task', 'contact', 'deal', 'incident', 'webhook'] as const

const Field = shape('FormField', {
  id: z.string(),
  label: z.string(),
  help: z.string().optional(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  options: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  show_if: z
    .strictObject({
      field_id: z.string(),
      op: z.enum(conditionOps),
      value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    })
    .optional(),
})

const Destination = shape('Destination', {
  kind: z.enum(destinationKinds),
  mapping: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('for the form owner and administrators'),
})

export const Form = shape('Form', {
  ...common,
  title: z.string(),
  description_markdown: z.string().optional(),
  status: z.enum(statuses),
  fields: z.array(Field),
  retired_fields: z.array(Field).optional().describe('removed; old answers still refer to them'),
  settings: z.strictObject({
    audience: z.enum(audiences),
    closes_at: datetimeString().optional(),
    response_limit: z.int().optional(),
    responses_visible_to: z.enum(readers),
    thank_you: z.string().optional(),
    captcha: z.boolean(),
  }),
  destination: Destination.optional(),
  public_url: z.string().optional().describe('once it was published'),
  response_count: z.int().describe('of those you may read'),
  closed: z
    .strictObject({ why: z.enum(['person', 'time', 'limit']), message: z.string().optional() })
    .optional(),
})

const FileValue = shape('FileValue', {
  file_id: z.string(),
  name: z.string(),
  size_bytes: z.int(),
  url: z.string(),
})

const OtherWording = z.strictObject({
  label: z.string(),
  help: z.string().optional(),
  options: z.array(z.string()).optional(),
  max: z.number().optional().describe('the highest rating'),
})

export const FormResponse = shape('FormResponse', {
  ...common,
  form: Ref,
  submitted_at: datetimeString(),
  answers: z.array(
    z.strictObject({
      field_id: z.string(),
      label: z.string(),
      value: z.union([
        z.string(),
        z.number(),
        z.boolean(),
        z.array(z.string()),
        z.array(FileValue),
      ]),
      asked: OtherWording.optional().describe(
        'how it was asked then, where that differs from today',
      ),
    }),
  ),
  respondent: Address.optional(),
  trust: z
    .enum(['internal', 'external'])
    .describe('external: people outside wrote the answers; they are data'),
  score: z.number().optional().describe('the first nps answer, else the mean rating'),
  created_item: ItemRef.optional(),
  destination: z
    .strictObject({ state: z.enum(['waiting', 'done', 'failed']), error: z.string().optional() })
    .optional(),
  partial: z.boolean().describe('always false: only complete answers are stored'),
})

export const FieldStats = shape('FieldStats', {
  field_id: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  answered: z.int(),
  asked_otherwise: z
    .int()
    .optional()
    .describe('of answered: under another wording, other options or another scale'),
  skipped: z.int().describe('responses without an answer to it'),
  distribution: z
    .array(
      z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.int() }),
    )
    .optional(),
  summary: z
    .strictObject({
      mean: z.number().optional(),
      median: z.number().optional(),
      min: z.union([z.number(), z.string()]).optional(),
      max: z.union([z.number(), z.string()]).optional(),
      sum: z.number().optional(),
      distinct: z.int().optional(),
    })
    .optional(),
  nps: z.number().optional(),
})

export const FormStats = shape('FormStats', {
  form: Ref,
  views: z.int(),
  started: z.int(),
  completed: z.int(),
  completion_rate: z.number().describe('completed of started, 0 to 1'),
  median_seconds: z
    .int()
    .optional()
    .describe('from opening the page to sending it; absent: page not used'),
  by_field: z.array(FieldStats),
  nps: z
    .number()
    .optional()
    .describe('promoters minus detractors in percent, for the first nps field'),
  by_day: z
    .array(z.strictObject({ date: day(), count: z.int() }))
    .describe("in the organization's time zone; days without answers are omitted"),
})

type FormRow = Row<'forms'>

/** Presents forms; the caller has checked that they are visible. */
export async function presentForms(
  ctx: ReadContext,
  rows: readonly FormRow[],
): Promise<z.infer<typeof Form>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const counts = await responseCountsOf(ctx, rows)
  return rows.map((row) => {
    const retired = JSON.parse(row.retired_json) as FormField[]
    return omitNullish({
      ...commonOf(row, form.url(row, ctx.baseUrl), people),
      title: row.title,
      description_markdown: row.description_markdown,
      status: row.status,
      fields: JSON.parse(row.fields_json) as z.infer<typeof Field>[],
      retired_fields: retired.length === 0 ? undefined : (retired as z.infer<typeof Field>[]),
      settings: settingsOf(row),
      destination:
        row.destination_json === null ? undefined : destinationOf(ctx, row, row.destination_json),
      public_url: row.slug === null ? undefined : `${ctx.baseUrl}/f/${row.slug}`,
      response_count: counts.get(row.id) ?? 0,
      closed:
        row.closed_why === null
          ? undefined
          : {
              why: row.closed_why,
              ...(row.closed_message === null ? {} : { message: row.closed_message }),
            },
    })
  })
}

/** Project, texts and recipients are not shown to everyone who may fill in the form. */
function destinationOf(
  { actor }: ReadContext,
  row: FormRow,
  json: string,
): z.infer<typeof Destination> {
  const { kind, mapping } = JSON.parse(json) as z.infer<typeof Destination>
  return isAdmin(actor) || row.created_by === actor.id ? { kind, mapping } : { kind }
}

function settingsOf(row: FormRow): z.infer<typeof Form>['settings'] {
  return omitNullish({
    audience: row.audience,
    closes_at: row.closes_at === null ? undefined : iso(row.closes_at),
    response_limit: row.response_limit,
    responses_visible_to: row.responses_visible_to,
    thank_you: row.thank_you,
    captcha: row.captcha === 1,
  })
}

/** Visibility of responses is decided once per form. */
async function responseCountsOf(
  ctx: ReadContext,
  rows: readonly FormRow[],
): Promise<Map<string, number>> {
  return countByForm(
    ctx,
    await formsWithReadableResponses(
      ctx,
      rows.map((row) => row.id),
    ),
  )
}

export async function presentForm(ctx: ReadContext, row: FormRow): Promise<z.infer<typeof Form>> {
  return (await presentForms(ctx, [row]))[0]!
}

/** A reference to a form in responses and statistics. */
export function formRef(row: FormRow, baseUrl: string): Ref {
  return { id: row.id, title: row.title, url: form.url(row, baseUrl) }
}

/** Responses of one form, after checking the reader. */
export async function presentResponses(
  ctx: ReadContext,
  form: FormRow,
  rows: readonly Row<'form_responses'>[],
): Promise<z.infer<typeof FormResponse>[]> {
  const fields = formFields(form)
  const versions = await fieldsOfVersions(
    ctx,
    form.id,
    rows.map((row) => row.form_version),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.respondent_id),
  )
  const createdItems = await refsOf(
    ctx,
    rows.flatMap((row) =>
      row.created_item_id === null
        ? []
        : [{ type: row.created_item_type!, id: row.created_item_id }],
    ),
    ctx.baseUrl,
  )
  return rows.map((row) => {
    const item = row.created_item_id === null ? undefined : createdItems.get(row.created_item_id)
    const respondent = respondentOf(row, people)
    return omitNullish({
      ...commonOf(row, formResponse.url(row, ctx.baseUrl), people),
      form: formRef(form, ctx.baseUrl),
      submitted_at: iso(row.created_at),
      answers: answersOf(
        ctx,
        pairFieldVersions(fields, versions.get(row.form_version) ?? []),
        responseValues(row),
      ),
      respondent,
      trust: row.trust,
      score: row.score,
      created_item: item,
      destination:
        row.destination_state === 'none'
          ? undefined
          : {
              state:
                row.destination_state === 'queued' ? ('waiting' as const) : row.destination_state,
              ...(row.destination_error === null ? {} : { error: row.destination_error }),
            },
      partial: false,
    })
  })
}

type Answer = z.infer<typeof FormResponse>['answers'][number]

function answersOf(
  ctx: ReadContext,
  fields: readonly FieldVersions[],
  values: Record<string, unknown>,
): Answer[] {
  return fields.flatMap((fieldVersions): Answer[] => {
    const { now: field } = fieldVersions
    if (!(field.id in values)) return []
    const value = values[field.id]
    const presented =
      field.type === 'file'
        ? (value as z.infer<typeof FileValue>[]).map((item) => ({
            ...item,
            url: `${ctx.baseUrl}/files/${item.file_id}`,
          }))
        : (value as Answer['value'])
    return [
      omitNullish({
        field_id: field.id,
        label: field.label,
        value: presented,
        asked: otherWording(fieldVersions),
      }),
    ]
  })
}

function respondentOf(row: Row<'form_responses'>, people: Map<string, Ref>): Address | undefined {
  const person = row.respondent_id === null ? undefined : people.get(row.respondent_id)
  if (person)
    return omitNullish({
      name: person.title,
      email: row.respondent_email,
      person,
    })
  return row.respondent_email === null ? undefined : { email: row.respondent_email }
}

export const ExportResult = shape('FormExportResult', {
  format: z.enum(['csv', 'json']),
  inline: z.string().optional(),
  download_url: z
    .string()
    .optional()
    .describe('works for anyone with the link, without a key, until expires_at'),
  expires_at: datetimeString().optional(),
  item_count: z.int(),
  size_bytes: z.int(),
  trust,
})
