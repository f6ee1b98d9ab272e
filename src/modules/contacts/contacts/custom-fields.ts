import { z } from 'zod'
import { joinValues } from '../../../kernel/text/csv.ts'

export const CustomFields = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
)
export type CustomFields = z.infer<typeof CustomFields>

/** The value of a custom field as text in an exported file. */
export function fieldText(value: CustomFields[string]): string {
  if (Array.isArray(value)) return joinValues(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
