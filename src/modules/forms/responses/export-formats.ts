import type { z } from 'zod'
import { csvLines } from '../../../kernel/text/csv.ts'
import type { FormField } from '../forms/fields.ts'
import type { FormResponse } from '../shapes.ts'

type Response = z.infer<typeof FormResponse>

/**
 * Responses as CSV (RFC 4180), a column per field. Text that a spreadsheet would interpret as a formula (= + - @, a
 * tab or a line end) gets an apostrophe before it; numbers stay numbers.
 */
export function asCsv(fields: readonly FormField[], responses: readonly Response[]): string {
  const rows = responses.map((response) => {
    const values = new Map(response.answers.map((answer) => [answer.field_id, answer.value]))
    return [
      response.id,
      response.submitted_at,
      response.respondent?.name ?? '',
      response.respondent?.email ?? '',
      response.trust,
      response.score ?? '',
      response.created_item?.url ?? '',
      ...fields.map((field) => cell(values.get(field.id))),
    ]
  })
  const header = [
    'response_id',
    'submitted_at',
    'respondent',
    'respondent_email',
    'trust',
    'score',
    'created_item',
    ...headers(fields),
  ]
  return csvLines([header, ...rows])
}

/** Labels; duplicates get their ids. */
function headers(fields: readonly FormField[]): string[] {
  return fields.map(({ id, label }) =>
    fields.some((other) => other.id !== id && other.label === label) ? `${label} (${id})` : label,
  )
}

function cell(value: Response['answers'][number]['value'] | undefined): string | number {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value)
    ? value.map((item) => (typeof item === 'string' ? item : item.url)).join('; ')
    : value
}
