import { isDay, webUrl } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

type Field = Row<'custom_fields'>
export type CustomFieldValues = Record<string, unknown>

/** Finds the member of the project that an id or email address names. */
export type FindMember = (text: string) => Promise<{ id: string } | undefined>

/**
 * Updates a task's custom field values, by name or id of the field; null clears. Stores ids of fields, options and
 * people.
 * @throws Refusal invalid_argument naming the field: unknown, retired, or of another type than its value
 */
export async function mergeValues(
  fields: readonly Field[],
  input: CustomFieldValues,
  before: CustomFieldValues,
  findMember: FindMember,
): Promise<CustomFieldValues> {
  const after = { ...before }
  for (const [name, value] of Object.entries(input)) {
    const field = fieldNamed(fields, name)
    if (value === null) delete after[field.id]
    else
      after[field.id] =
        field.type === 'person'
          ? await memberValueOf(field, value, findMember)
          : storedValue(field, value)
  }
  return after
}

/** @throws Refusal invalid_argument where a required field has no value */
export function requireRequiredFields(fields: readonly Field[], values: CustomFieldValues): void {
  const missing = fields.filter(
    (field) => field.required === 1 && field.retired === 0 && values[field.id] === undefined,
  )
  if (missing.length === 0) return
  throw invalid(
    'custom_fields',
    `${missing.map((field) => `"${field.name}"`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} required in this project.`,
    `Send custom_fields with ${missing.map(fieldHint).join(', ')}.`,
  )
}

function fieldHint(field: Field): string {
  const options = optionsOf(field)
  return options.length > 0
    ? `${field.name} (one of ${options.map((option) => option.name).join(', ')})`
    : `${field.name} (${field.type})`
}

function fieldNamed(fields: readonly Field[], name: string): Field {
  const lower = name.trim().toLowerCase()
  const field =
    fields.find((row) => row.id === name) ?? fields.find((row) => row.name.toLowerCase() === lower)
  if (!field) {
    const fieldNames = fields.filter((row) => row.retired === 0).map((row) => row.name)
    throw invalid(
      `custom_fields.${name}`,
      'this project has no such field.',
      fieldNames.length > 0
        ? `Its fields are ${fieldNames.join(', ')}.`
        : 'It has no custom fields.',
    )
  }
  if (field.retired === 1)
    throw invalid(`custom_fields.${name}`, 'this field is retired and no longer accepts values.')
  return field
}

export interface FieldChoice {
  id: string
  name: string
}

export function optionsOf(field: Pick<Field, 'options_json'>): FieldChoice[] {
  return JSON.parse(field.options_json) as FieldChoice[]
}

function invalidCustomField(field: Field, what: string): Error {
  return invalid(`custom_fields.${field.name}`, `must be ${what}.`)
}

/** A value in its stored form. */
function storedValue(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'text':
      if (typeof value === 'string' && value.length <= 5000) return value
      throw invalidCustomField(field, 'text of at most 5,000 characters')
    case 'number':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      throw invalidCustomField(field, 'a number')
    case 'date':
      if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value))
        return value
      throw invalidCustomField(field, 'a date such as 2026-11-20')
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw invalidCustomField(field, 'true or false')
    case 'url':
      if (webUrl().safeParse(value).success) return value
      throw invalidCustomField(field, 'a web address (http or https)')
    case 'select':
      return optionNamed(field, value)
    default:
      if (Array.isArray(value) && value.length <= 100)
        return [...new Set(value.map((item) => optionNamed(field, item)))]
      throw invalidCustomField(field, 'a list of options')
  }
}

function optionNamed(field: Field, value: unknown): string {
  const options = optionsOf(field)
  const lower = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  const option =
    options.find((fieldChoice) => fieldChoice.id === value) ??
    options.find((fieldChoice) => fieldChoice.name.toLowerCase() === lower)
  if (!option)
    throw invalidCustomField(
      field,
      `one of ${options.map((fieldChoice) => fieldChoice.name).join(', ')}`,
    )
  return option.id
}

async function memberValueOf(
  field: Field,
  value: unknown,
  findMember: FindMember,
): Promise<string> {
  const member =
    typeof value === 'string' && value.length <= 320 ? await findMember(value) : undefined
  if (!member) throw invalidCustomField(field, 'the id or email address of a member of the project')
  return member.id
}
