import type { z } from 'zod'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import {
  boundsOf,
  reservedId,
  hasOptions,
  type FieldCondition,
  type FieldInput,
  type FormField,
} from './fields.ts'

type FieldInputData = z.infer<typeof FieldInput>

/** Earlier fields of a form, and those that were answered already. */
export interface ExistingFields {
  fields: readonly FormField[]
  retired: readonly FormField[]
  /** Ids of answered fields, with counts. */
  answered: ReadonlyMap<string, number>
  /** Whether the ids may already be known outside. */
  isKnown: boolean
}

export const noExistingFields: ExistingFields = {
  fields: [],
  retired: [],
  answered: new Map(),
  isKnown: false,
}

export interface FieldList {
  fields: FormField[]
  retired: FormField[]
}

/**
 * A form's fields in stored form, from the input. Ids are stable: a field with answers keeps its type, a field
 * removed from a known form is retired, and its id returns only for a field of the same type.
 * @throws Refusal
 */
export function readFields(inputs: readonly FieldInputData[], before: ExistingFields): FieldList {
  const old = new Map([...before.retired, ...before.fields].map((field) => [field.id, field]))
  const ids = idsFor(inputs, old)
  const fields = inputs.map((item, i) => readField(item, ids[i]!, i))
  fields.forEach((field, i) => checkTypeUnchanged(field, old.get(field.id), before, i))
  fields.forEach((field, i) => checkCondition(field, fields, i))
  const fieldIds = new Set(ids)
  const removedFields = before.fields.filter(
    (field) => !fieldIds.has(field.id) && (before.isKnown || before.answered.has(field.id)),
  )
  return {
    fields,
    retired: [...before.retired.filter((field) => !fieldIds.has(field.id)), ...removedFields],
  }
}

function idsFor(
  fieldInputs: readonly FieldInputData[],
  old: ReadonlyMap<string, FormField>,
): string[] {
  const explicitIds = fieldInputs.flatMap((item) => item.id ?? [])
  const duplicate = explicitIds.find((id, i) => explicitIds.indexOf(id) < i)
  if (duplicate !== undefined) throw invalid('fields', `two fields have the id ${duplicate}.`)
  const takenIds = new Set([...explicitIds, ...old.keys(), reservedId])
  return fieldInputs.map((item) => {
    const id = item.id ?? freeId(item.label, takenIds)
    takenIds.add(id)
    return id
  })
}

/** An unused id derived from the label. */
function freeId(label: string, usedIds: ReadonlySet<string>): string {
  const slug = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 34)
    .replace(/_+$/, '')
  const stem = slug === '' ? 'field' : slug
  for (let n = 1; ; n++) {
    const id = n === 1 ? stem : `${stem}_${n}`
    if (!usedIds.has(id)) return id
  }
}

function readField(
  { label, help, type, required, options, min, max, show_if }: FieldInputData,
  id: string,
  i: number,
): FormField {
  const path = `fields[${i}]`
  const field: FormField = { id, label: label.trim(), type, required }
  if (help?.trim()) field.help = help.trim()
  if (hasOptions(type)) field.options = readOptions(options, path)
  else if (options !== undefined)
    throw invalid(
      `${path}.options`,
      `a field of type ${type} has no options.`,
      'Only select and multi_select have options.',
    )
  checkBounds(field, min, max, path)
  if (show_if) field.show_if = show_if
  return field
}

function readOptions(options: readonly string[] | undefined, path: string): string[] {
  const all = (options ?? []).map((option) => option.trim())
  if (all.length === 0)
    throw invalid(`${path}.options`, 'options are required.', 'Send options, a list of texts.')
  const duplicate = all.find((name, i) => all.indexOf(name) < i)
  if (duplicate !== undefined)
    throw invalid(`${path}.options`, `${JSON.stringify(duplicate)} occurs twice.`)
  return all
}

function checkBounds(
  field: FormField,
  min: number | undefined,
  max: number | undefined,
  path: string,
): void {
  if (min === undefined && max === undefined) return
  const { type } = field
  const bounds = boundsOf[type]
  const name = min === undefined ? 'max' : 'min'
  if (!bounds) throw invalid(`${path}.${name}`, `a field of type ${type} has no min and max.`)
  if (min !== undefined && (type === 'rating' || type === 'file'))
    throw invalid(
      `${path}.min`,
      type === 'rating' ? 'a rating always starts at 1.' : 'use required to require a file.',
    )
  const maxValue = type === 'multi_select' ? field.options!.length : bounds.highest
  for (const [key, value] of [
    ['min', min],
    ['max', max],
  ] as const) {
    if (value === undefined) continue
    const lowest = key === 'max' && type !== 'number' && type !== 'rating' ? 1 : bounds.lowest
    if (value < lowest || value > maxValue || (bounds.whole && !Number.isInteger(value)))
      throw invalid(
        `${path}.${key}`,
        `must be ${bounds.whole ? 'a whole number ' : ''}from ${lowest} to ${maxValue} for a field of type ${type}.`,
      )
    field[key] = value
  }
  if (min !== undefined && max !== undefined && min > max)
    throw invalid(`${path}.min`, `${min} is greater than max (${max}).`)
}

function checkTypeUnchanged(
  field: FormField,
  previous: FormField | undefined,
  { answered }: ExistingFields,
  i: number,
): void {
  const count = answered.get(field.id) ?? 0
  if (!previous || previous.type === field.type || count === 0) return
  throw new Refusal(
    'conflict',
    `fields[${i}].type: ${field.id} has ${count} answer${count === 1 ? '' : 's'} of type ${previous.type}, so it keeps that type.`,
    {
      field: `fields[${i}].type`,
      hint: 'Remove it and add a field with another id; the old answers stay under the old id.',
    },
  )
}

/** Operators applicable to a field's answers. */
function opsFor(type: FormField['type']): readonly FieldCondition['op'][] {
  if (type === 'file') return []
  if (type === 'number' || type === 'rating' || type === 'nps' || type === 'date')
    return ['equals', 'not_equals', 'greater', 'less', 'answered']
  if (type === 'select' || type === 'yes_no') return ['equals', 'not_equals', 'answered']
  return ['equals', 'not_equals', 'contains', 'answered']
}

/** Conditions reference only earlier fields, so that none depends on itself. */
function checkCondition({ show_if }: FormField, fields: readonly FormField[], i: number): void {
  if (!show_if) return
  const path = `fields[${i}].show_if`
  const position = fields.findIndex((field) => field.id === show_if.field_id)
  const referenced = fields[position]
  if (!referenced)
    throw invalid(
      `${path}.field_id`,
      `this form has no field ${show_if.field_id}.`,
      `The fields before it are ${
        fields
          .slice(0, i)
          .map((field) => field.id)
          .join(', ') || 'none'
      }.`,
    )
  if (position >= i)
    throw invalid(
      `${path}.field_id`,
      `${show_if.field_id} does not come before it.`,
      'A condition must refer to an earlier field.',
    )
  const ops = opsFor(referenced.type)
  if (ops.length === 0)
    throw invalid(
      `${path}.field_id`,
      `${referenced.id} is a file field, which cannot be used in a condition.`,
    )
  if (!ops.includes(show_if.op))
    throw invalid(
      `${path}.op`,
      `${show_if.op} cannot be used with a field of type ${referenced.type}.`,
      `Use ${ops.join(', ')}.`,
    )
  checkConditionValue(referenced, show_if, path)
}

function checkConditionValue(
  referenced: FormField,
  { op, value }: FieldCondition,
  path: string,
): void {
  if (op === 'answered') {
    if (value !== undefined && typeof value !== 'boolean')
      throw invalid(`${path}.value`, 'must be true or false with answered.')
    return
  }
  if (value === undefined) throw invalid(`${path}.value`, `${op} needs a value.`)
  const expectedType = answerType(referenced.type)
  if (typeof value !== expectedType)
    throw invalid(
      `${path}.value`,
      `must be a ${expectedType}, because ${referenced.id} is of type ${referenced.type}.`,
    )
  if (referenced.type === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(String(value)))
    throw invalid(`${path}.value`, 'must be a day such as 2026-11-20.')
  if (referenced.options && !referenced.options.includes(String(value)))
    throw invalid(
      `${path}.value`,
      `${JSON.stringify(value)} is not an option of ${referenced.id}.`,
      `Available: ${referenced.options.join(', ')}.`,
    )
}

/** The type of a field's answers in conditions and filters. */
export function answerType(type: FormField['type']): 'boolean' | 'number' | 'string' {
  if (type === 'yes_no') return 'boolean'
  return type === 'number' || type === 'rating' || type === 'nps' ? 'number' : 'string'
}
