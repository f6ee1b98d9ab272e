import type { FieldCondition, FormField } from './fields.ts'

/** Answers by field id, in stored form. */
export type AnswerValues = Readonly<Record<string, unknown>>

/** The fields to ask, given the answers so far, in order. Answers to hidden fields do not count. */
export function fieldsToAsk(fields: readonly FormField[], values: AnswerValues): FormField[] {
  const countedAnswers: Record<string, unknown> = {}
  return fields.filter((field) => {
    if (
      field.show_if &&
      !meetsFieldCondition(field.show_if, countedAnswers[field.show_if.field_id])
    )
      return false
    if (!isBlank(values[field.id])) countedAnswers[field.id] = values[field.id]
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
function meetsFieldCondition({ op, value: expected }: FieldCondition, value: unknown): boolean {
  const isAnswered = !isBlank(value)
  if (op === 'answered') return isAnswered === (expected ?? true)
  if (op === 'not_equals') return !isAnswered || !equal(value, expected)
  if (!isAnswered) return false
  if (op === 'equals') return equal(value, expected)
  if (op === 'contains')
    return Array.isArray(value)
      ? value.includes(expected)
      : String(value).toLowerCase().includes(String(expected).toLowerCase())
  if (typeof value === 'string')
    return op === 'greater' ? value > String(expected) : value < String(expected) // dates
  return op === 'greater' ? Number(value) > Number(expected) : Number(value) < Number(expected)
}

function equal(value: unknown, expected: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 && value[0] === expected
  if (typeof value === 'string') return value.toLowerCase() === String(expected).toLowerCase()
  return value === expected
}
