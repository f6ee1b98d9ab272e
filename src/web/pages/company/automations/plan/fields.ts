// The fields of an action, from its JSON Schema.

import { nonEmptyLines } from '../../../../ui/work/lines.ts'

export type FieldKind =
  | 'text'
  | 'longText'
  | 'choice'
  | 'number'
  | 'truth'
  | 'lines'
  | 'expression'
  | 'actions'
  | 'json'

export interface ParamField {
  name: string
  kind: FieldKind
  about: string | undefined
  isRequired: boolean
  choices: readonly string[]
}

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** Field kinds of control actions, which their JSON Schema does not say. */
const controlFieldKinds: Readonly<Record<string, Readonly<Record<string, FieldKind>>>> = {
  branch: { if: 'expression', then: 'actions', else: 'actions' },
  for_each: { items: 'expression', do: 'actions' },
}

/** The fields of an action, required ones first. */
export function paramFields(action: string, schema: object): ParamField[] {
  const { properties = {}, required = [] } = schema as Schema
  const fields = Object.entries(properties).map(([name, fieldSchema]) => ({
    name,
    kind: controlFieldKinds[action]?.[name] ?? fieldKindOf(name, fieldSchema),
    about: fieldSchema.description,
    isRequired: required.includes(name),
    choices: (fieldSchema.enum ?? []).map(String),
  }))
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function fieldKindOf(
  name: string,
  { type, enum: choices, items, maxLength = 0 }: Schema,
): FieldKind {
  if (choices) return 'choice'
  if (type === 'boolean') return 'truth'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return items?.type === 'string' ? 'lines' : 'json'
  if (type !== 'string') return 'json'
  return name.endsWith('_markdown') || maxLength > 2000 ? 'longText' : 'text'
}

/** Converts typed text to a field's stored value; undefined if it is empty. A template stays a text. */
export function parseValue(kind: FieldKind, text: string): unknown {
  if (text.trim() === '') return undefined
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text
  if (kind === 'truth') return text === 'true' || (text === 'false' ? false : text)
  if (kind === 'lines') return nonEmptyLines(text)
  if (kind === 'json') return JSON.parse(text) as unknown
  return text
}

/** A value as text for its field. */
export function paramText(kind: FieldKind, value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (kind === 'lines' && Array.isArray(value) && value.every((line) => typeof line === 'string'))
    return value.join('\n')
  return JSON.stringify(value, null, kind === 'json' ? 2 : undefined)
}
