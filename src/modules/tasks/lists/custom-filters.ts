import { z } from 'zod'
import { equalsText } from '../../../db/text-conditions.ts'
import { freeObject, isDay } from '../../../kernel/fields.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { issueText } from '../../../kernel/words.ts'
import { invalidInput } from '../../../operations/invalid-input.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { customField } from '../../portfolio/access.ts'
import { optionsOf } from '../tasks/values.ts'
import type { CustomCondition, FieldCondition } from './access-filters.ts'

const value = z.union([z.string().max(5000), z.number(), z.boolean()])
const values = z.union([value, z.array(value).min(1).max(20)])
const bound = z.union([z.string().max(100), z.number()])

/** Custom field conditions of list_tasks; readCustom() defines the permitted contents. All conditions must hold. */
export const customInput = z
  .array(freeObject())
  .max(10)
  .optional()
  .describe('[{field, is: [...]}]; or is_not, above, below, empty')

/**
 * `is` and `is_not` accept one or more values: options by name, people by id, email or me. `is_not` also matches
 * tasks without a value.
 */
const CustomFilter = z.strictObject({
  field: z.string().min(1).max(200),
  is: values.optional(),
  is_not: values.optional(),
  above: bound.optional(),
  below: bound.optional(),
  empty: z.boolean().optional(),
})

type CustomFilter = z.output<typeof CustomFilter>
type Field = Row<'custom_fields'>
type Value = z.output<typeof value>

/**
 * Conditions on custom fields of the projects that the caller can see. The options of a field may differ between
 * projects; a value must exist in one of them.
 * @throws Refusal invalid_argument where it is no condition, no project has the field, or none of them the value
 */
export async function readCustom(
  ctx: ReadContext,
  wanted: readonly Record<string, unknown>[],
): Promise<readonly CustomCondition[]> {
  const parsed = z.array(CustomFilter).safeParse(wanted, { error: issueText })
  if (!parsed.success)
    throw invalidInput(
      parsed.error.issues.map((issue) => ({ ...issue, path: ['custom', ...issue.path] })),
      { hintForUnknown: () => `Each takes ${Object.keys(CustomFilter.shape).join(', ')}.` },
    )
  const conditions = await Promise.all(
    parsed.data.map(async (item, index) => {
      const at = `custom[${index}]`
      return conditionsOf(ctx, await fieldsNamed(ctx, item.field, at), item, at)
    }),
  )
  return conditions.flat()
}

async function conditionsOf(
  ctx: ReadContext,
  fields: readonly Field[],
  { is, is_not, above, below, empty }: CustomFilter,
  at: string,
): Promise<CustomCondition[]> {
  const conditions: CustomCondition[] = []
  for (const [name, operand] of Object.entries({ is, is_not, above, below })) {
    if (operand === undefined) continue
    const not = name === 'is_not'
    const comparison = {
      compare: not ? 'is' : (name as Comparison['compare']),
      at: `${at}.${name}`,
    }
    conditions.push({
      not,
      conditions: await fieldConditionsFor(ctx, fields, [operand].flat(), comparison),
    })
  }
  if (empty !== undefined)
    conditions.push({
      not: empty,
      conditions: fields.map(({ id, type }) => ({
        field: id,
        type: conditionTypeOf(type),
        compare: 'present',
        values: [],
      })),
    })
  if (conditions.length === 0)
    throw invalid(at, 'says nothing about the field.', 'Send is, is_not, above, below or empty.')
  return conditions
}

async function fieldsNamed(ctx: ReadContext, name: string, at: string): Promise<Field[]> {
  const rows = await customField
    .visibleTo(ctx)
    .selectAll('custom_fields')
    .where('custom_fields.retired', '=', 0)
    .where((eb) =>
      eb.or([
        eb('custom_fields.id', '=', name as Field['id']),
        equalsText('custom_fields.name', name.trim()),
      ]),
    )
    .orderBy('custom_fields.id')
    .limit(200)
    .execute()
  const byId = rows.filter((row) => row.id === name)
  if (rows.length === 0)
    throw invalid(
      `${at}.field`,
      `no project that you see has a custom field "${name.trim()}".`,
      'get_project names the custom fields of a project.',
    )
  return byId.length > 0 ? byId : rows
}

/** Comparison operator for values, and its position in the call. */
interface Comparison {
  compare: 'is' | 'above' | 'below'
  at: string
}

/** @throws Refusal where a value fits the field in none of the projects */
async function fieldConditionsFor(
  ctx: ReadContext,
  fields: readonly Field[],
  values: readonly Value[],
  comparison: Comparison,
): Promise<FieldCondition[]> {
  const accepted = new Map<Field, Value[]>()
  for (const item of values) {
    const refusals: Refusal[] = []
    for (const field of fields) {
      const storedValue = await storedValueOf(ctx, field, item, comparison)
      if (storedValue instanceof Refusal) refusals.push(storedValue)
      else accepted.set(field, [...(accepted.get(field) ?? []), storedValue])
    }
    const [refusal] = refusals
    if (refusal && refusals.length === fields.length) throw refusal
  }
  return [...accepted].map(([{ id, type }, acceptedValues]) => ({
    field: id,
    type: conditionTypeOf(type),
    compare: comparison.compare,
    values: acceptedValues,
  }))
}

function conditionTypeOf(type: Field['type']): FieldCondition['type'] {
  if (type === 'number' || type === 'boolean') return type
  if (type === 'date') return 'day'
  return type === 'multi_select' ? 'options' : 'text'
}

/** A value as stored, or an explanation why it does not fit this field. */
async function storedValueOf(
  ctx: ReadContext,
  field: Field,
  value: Value,
  { compare, at }: Comparison,
): Promise<Value | Refusal> {
  const wrong = (what: string) => invalid(at, `"${field.name}" takes ${what}.`)
  if (compare !== 'is' && field.type !== 'number' && field.type !== 'date')
    return invalid(at, `"${field.name}" has no order.`, 'Compare numbers and dates.')
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? value : wrong('a number')
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong('true or false')
    case 'date':
      return typeof value === 'string' && isDay(value) ? value : wrong('a date such as 2026-11-20')
    case 'person':
      if (typeof value !== 'string') return wrong('the id or email address of a person, or me')
      return (await person.demand(ctx, value, 'see', at)).id
    case 'select':
    case 'multi_select': {
      const lower = String(value).trim().toLowerCase()
      const options = optionsOf(field)
      const option = options.find(({ id, name }) => id === value || name.toLowerCase() === lower)
      return option?.id ?? wrong(`one of ${options.map(({ name }) => name).join(', ')}`)
    }
    default:
      return typeof value === 'string' ? value : wrong('text')
  }
}
