// Validates form answers, with the same rules for the API and for the page: values come as JSON or as texts.

import { z } from 'zod'
import { isDay } from '../../../kernel/fields.ts'
import { parseNumber } from '../../../kernel/text/numbers.ts'
import { fieldsToAsk, isBlank, type AnswerValues } from '../forms/conditions.ts'
import { limitsOf, type FormField } from '../forms/fields.ts'

/** An uploaded file, or one named by the caller. */
export interface FileAnswer {
  file_id: string
  name: string
  size_bytes: number
}

/** Problem with the answer to one field, worded for the person who fills in the form. */
export interface Problem {
  field_id: string
  message: string
}

export interface CheckedAnswers {
  /** Answers by field, for asked and answered fields. */
  values: Record<string, unknown>
  problems: Problem[]
}

/** Maximum size of all answers of one response, as JSON. */
const maxBytes = 64 * 1024

/**
 * Validates answers against a form's fields. Ignores blank answers, and answers to fields not asked because of their
 * conditions. For file fields, counts the given values (FileAnswer, or any placeholder until the file is stored).
 */
export function checkAnswers(fields: readonly FormField[], answers: AnswerValues): CheckedAnswers {
  const fieldIds = new Set(fields.map((field) => field.id))
  const problems: Problem[] = Object.keys(answers)
    .filter((id) => !fieldIds.has(id))
    .map((field_id) => ({ field_id, message: 'this form has no such field' }))
  const results = new Map(
    fields.map((field) => [
      field.id,
      isBlank(answers[field.id]) ? undefined : readAnswer(field, answers[field.id]),
    ]),
  )
  const validAnswers = Object.fromEntries(
    [...results].flatMap(([id, result]) =>
      result && 'value' in result && !isBlank(result.value) ? [[id, result.value]] : [],
    ),
  )
  const values: Record<string, unknown> = {}
  for (const field of fieldsToAsk(fields, validAnswers)) {
    const item = results.get(field.id)
    if (item && 'problem' in item) problems.push({ field_id: field.id, message: item.problem })
    else if (field.id in validAnswers) values[field.id] = validAnswers[field.id]
    else if (field.required) problems.push({ field_id: field.id, message: missingMessage(field) })
  }
  if (Buffer.byteLength(JSON.stringify(values)) > maxBytes)
    problems.push({
      field_id: fields[0]?.id ?? '',
      message: 'all answers together are longer than 64 KiB',
    })
  return { values, problems }
}

function missingMessage({ type }: FormField): string {
  if (type === 'select' || type === 'rating' || type === 'nps' || type === 'yes_no')
    return 'choose one'
  if (type === 'multi_select') return 'choose at least one'
  return type === 'file' ? 'add a file' : 'this field is required'
}

type ReadResult = { value: unknown } | { problem: string }

function readAnswer(field: FormField, input: unknown): ReadResult {
  switch (field.type) {
    case 'short_text':
    case 'long_text':
      return readText(field, input)
    case 'email':
      return readEmail(input)
    case 'phone':
      return readPhone(input)
    case 'date':
      return typeof input === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(input) && isDay(input)
        ? { value: input }
        : { problem: 'must be a valid date, such as 2026-11-20' }
    case 'number':
    case 'rating':
    case 'nps':
      return readNumber(field, input)
    case 'yes_no':
      return readYesNo(input)
    case 'select':
      return typeof input === 'string' && field.options!.includes(input)
        ? { value: input }
        : { problem: `must be one of: ${field.options!.join(', ')}` }
    case 'multi_select':
      return readMultiSelect(field, Array.isArray(input) ? input : [input])
    case 'file':
      return readFiles(field, Array.isArray(input) ? input : [input])
  }
}

/** Normalizes line ends and removes invisible characters except tabs and line ends. */
function cleanText(text: string, isLong: boolean): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
  return (isLong ? plain : plain.replaceAll(/\s+/g, ' ')).trim()
}

function readText(field: FormField, input: unknown): ReadResult {
  if (typeof input !== 'string') return { problem: 'must be text' }
  const value = cleanText(input, field.type === 'long_text')
  const { min, max } = limitsOf(field)
  const length = [...value].length
  if (length > max) return { problem: `must have at most ${max} characters; it has ${length}` }
  if (length < min && value !== '')
    return { problem: `must have at least ${min} characters; it has ${length}` }
  return { value }
}

const emailSchema = z.email().max(320)

function readEmail(input: unknown): ReadResult {
  const value = typeof input === 'string' ? cleanText(input, false) : ''
  return emailSchema.safeParse(value).success
    ? { value }
    : { problem: 'must be an email address, such as name@example.com' }
}

function readPhone(answer: unknown): ReadResult {
  const value = typeof answer === 'string' ? cleanText(answer, false) : ''
  const digits = value.replaceAll(/\D/g, '').length
  return /^\+?[\d\s()./-]{4,40}$/.test(value) && digits >= 4 && digits <= 15
    ? { value }
    : { problem: 'must be a phone number, such as +49 30 1234567' }
}

function readNumber(field: FormField, input: unknown): ReadResult {
  const parsed = typeof input === 'string' ? parseNumber(input) : { value: input }
  if ('reason' in parsed && parsed.reason === 'ambiguous')
    return { problem: 'may be two numbers: write it without a comma, such as 1234 or 1.234' }
  const value = 'value' in parsed ? parsed.value : undefined
  if (typeof value !== 'number' || !Number.isFinite(value))
    return { problem: 'must be one number, such as 12, 3.5 or 3,5' }
  const { min, max } = field.type === 'nps' ? { min: 0, max: 10 } : limitsOf(field)
  if (field.type !== 'number' && !Number.isInteger(value))
    return { problem: `must be a whole number from ${min} to ${max}` }
  if (value < min || value > max)
    return {
      problem:
        field.min === undefined && field.type === 'number'
          ? 'is too large'
          : `must be from ${min} to ${max}`,
    }
  return { value: value === 0 ? 0 : value }
}

function readYesNo(answer: unknown): ReadResult {
  if (answer === true || answer === 'yes' || answer === 'true') return { value: true }
  if (answer === false || answer === 'no' || answer === 'false') return { value: false }
  return { problem: 'must be yes or no' }
}

function readMultiSelect(field: FormField, inputs: readonly unknown[]): ReadResult {
  const value = [...new Set(inputs)]
  const unknown = value.find((item) => typeof item !== 'string' || !field.options!.includes(item))
  if (unknown !== undefined) return { problem: `may be any of: ${field.options!.join(', ')}` }
  const { min, max } = limitsOf(field)
  if (value.length < min) return { problem: `choose at least ${min}` }
  if (value.length > max) return { problem: `choose at most ${max}` }
  return { value: field.options!.filter((option) => value.includes(option)) }
}

function readFiles(field: FormField, items: readonly unknown[]): ReadResult {
  const { max } = limitsOf(field)
  return items.length > max
    ? { problem: max === 1 ? 'add only one file' : `add at most ${max} files` }
    : { value: items }
}

/** A response's score: the first nps answer, else the mean of its ratings. */
export function scoreOf(fields: readonly FormField[], values: AnswerValues): number | null {
  const nps = fields.find((field) => field.type === 'nps' && typeof values[field.id] === 'number')
  if (nps) return values[nps.id] as number
  const ratings = fields.flatMap((field) =>
    field.type === 'rating' && typeof values[field.id] === 'number'
      ? [values[field.id] as number]
      : [],
  )
  return ratings.length === 0
    ? null
    : Math.round((ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length) * 100) / 100
}

/** An answer in readable form. */
export function formatAnswer(value: unknown): string {
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (Array.isArray(value))
    return value
      .map((item) =>
        typeof item === 'object' && item !== null ? (item as FileAnswer).name : String(item),
      )
      .join(', ')
  return String(value ?? '')
}
