import type { FieldCondition, FormField } from './fields.ts'

/** Responses by field id, in stored form. */
export type AnswerValues = Readonly<Record<string, unknown>>

/** The fields to ask, given the answers so far, in order. Answers to hidden fields do not count. */
export function asked(fields: readonly FormField[], values: AnswerValues): FormField[] {
  const counted: Record<string, unknown> = {}
  return fields.filter((field) => {
    if (field.show_if && !meetsFieldCondition(field.show_if, counted[field.show_if.field_id]))
      return false
    if (!isBlank(values[field.id])) counted[field.id] = values[field.id]
    return true
  })
}

/** True for values that count as no answer. */
export function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** Whether an answer meets a condition; an unanswered field meets only "not equal" and "not answered". */
function meetsFieldCondition({ op, value: wanted }: FieldCondition, value: unknown): boolean {
  const there = !isBlank(value)
  if (op === 'answered') return there === (wanted ?? true)
  if (op === 'not_equals') return !there || !equal(value, wanted)
  if (!there) return false
  if (op === 'equals') return equal(value, wanted)
  if (op === 'contains')
    return Array.isArray(value)
      ? value.includes(wanted)
      : String(value).toLowerCase().includes(String(wanted).toLowerCase())
  if (typeof value === 'string')
    return op === 'greater' ? value > String(wanted) : value < String(wanted) // days
  return op === 'greater' ? Number(value) > Number(wanted) : Number(value) < Number(wanted)
}

function equal(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 && value[0] === wanted
  if (typeof value === 'string') return value.toLowerCase() === String(wanted).toLowerCase()
  return value === wanted
}
