import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, freeObject } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { formResponse } from '../access.ts'
import { matchesAnswer, type AnswerFilter } from './access-filters.ts'
import type { Period } from './access-stats.ts'
import { allAnswerableFields } from './access-versions.ts'
import { conditionOps, fieldId, type FormField } from '../forms/fields.ts'
import { answerType } from '../forms/field-lists.ts'

/** Period of responses. */
export const periodInput = {
  after: datetime().optional(),
  before: datetime().optional(),
}

export const fieldFilters = () =>
  freeObject()
    .optional()
    .describe(
      'by field id: a value, a list of alternatives, or {op: value} with equals, not_equals, contains, greater, less, answered',
    )

export function readPeriod(
  ctx: ReadContext,
  { after, before }: { after?: string | undefined; before?: string | undefined },
): Period {
  return omitNullish({
    after:
      after === undefined ? undefined : parseInstant(after, ctx.actor.timezone, 'start', 'after'),
    before:
      before === undefined ? undefined : parseInstant(before, ctx.actor.timezone, 'end', 'before'),
  })
}

/** A form's responses in a period with matching answers, after checking the reader. */
export function filterResponses(
  responses: Scoped<'form_responses'>,
  form: Row<'forms'>,
  { after, before }: Period,
  filters: readonly AnswerFilter[] = [],
): Scoped<'form_responses'> {
  let query = responses.where('form_responses.form_id', '=', form.id)
  if (after !== undefined) query = query.where('form_responses.created_at', '>=', after)
  if (before !== undefined) query = query.where('form_responses.created_at', '<=', before)
  for (const filter of filters) query = query.where(matchesAnswer(filter))
  return query
}

export function responsesOf(
  ctx: ReadContext,
  formRow: Row<'forms'>,
  within: Period,
  filters: readonly AnswerFilter[] = [],
): Scoped<'form_responses'> {
  return filterResponses(formResponse.visibleTo(ctx), formRow, within, filters)
}

const scalar = z.union([z.string().max(500), z.number(), z.boolean()])
const FieldFilterInput = z.union([
  scalar,
  z.array(scalar).min(1).max(100),
  z.partialRecord(z.enum(conditionOps), z.union([scalar, z.array(scalar).min(1).max(100)])),
])

/** Each requires its own lookup: more would delay others. */
const maxFilters = 20
const maxValues = 200

/** @throws Refusal invalid_argument naming the problem */
export async function readFieldFilters(
  ctx: ReadContext,
  form: Row<'forms'>,
  input: Record<string, unknown> | undefined,
): Promise<AnswerFilter[]> {
  if (input === undefined) return []
  const filters = filtersIn(form, await allAnswerableFields(ctx, form), input)
  const values = filters.reduce((sum, filter) => sum + filter.values.length, 0)
  if (filters.length > maxFilters)
    throw invalid(
      'field_filters',
      `has ${filters.length} conditions; the maximum is ${maxFilters}.`,
      'Use fewer, or export the responses with export_form_responses.',
    )
  if (values > maxValues)
    throw invalid(
      'field_filters',
      `has ${values} values; the maximum is ${maxValues}.`,
      'Use fewer, or export the responses with export_form_responses.',
    )
  return filters
}

function filtersIn(
  formRow: Row<'forms'>,
  fields: readonly FormField[],
  conditions: Record<string, unknown>,
): AnswerFilter[] {
  return Object.entries(conditions).flatMap(([id, input]) => {
    const path = `field_filters.${id}`
    const field = fields.find((formField) => formField.id === id)
    if (!field)
      throw invalid(
        path,
        'this form has no such field.',
        `The fields are ${fields.map((formField) => formField.id).join(', ')}.`,
      )
    const parsed = FieldFilterInput.safeParse(input)
    if (!parsed.success || !fieldId().safeParse(id).success)
      throw invalid(
        path,
        'must be a value, a list of values, or an object with one of equals, not_equals, contains, greater, less, answered.',
      )
    const value = parsed.data
    if (typeof value !== 'object' || Array.isArray(value))
      return [filterOf(formRow, field, 'equals', value, path)]
    const all = Object.entries(value).map(([op, operand]) =>
      filterOf(formRow, field, op as AnswerFilter['op'], operand, path),
    )
    if (all.length === 0) throw invalid(path, 'is empty.')
    return all
  })
}

type Scalar = string | number | boolean

function filterOf(
  form: Row<'forms'>,
  { id, type }: FormField,
  op: AnswerFilter['op'],
  value: Scalar | Scalar[],
  path: string,
): AnswerFilter {
  const target = { form_id: form.id, field_id: id }
  const values = Array.isArray(value) ? value : [value]
  if (op === 'answered' && (values.length !== 1 || typeof values[0] !== 'boolean'))
    throw invalid(`${path}.answered`, 'must be true or false.')
  if (op === 'answered') return { ...target, op, values }
  const expectedType = answerType(type)
  if (op === 'contains' && expectedType !== 'string')
    throw invalid(`${path}.contains`, `cannot be used with a field of type ${type}.`)
  if ((op === 'greater' || op === 'less') && expectedType !== 'number' && type !== 'date')
    throw invalid(`${path}.${op}`, `cannot be used with a field of type ${type}.`)
  if (values.some((item) => typeof item !== expectedType))
    throw invalid(path, `must be a ${expectedType} for a field of type ${type}.`)
  return { ...target, op, values }
}
