import { z } from 'zod'
import { shortText, title } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

export const metricEnum = z.enum(['number', 'percent', 'currency', 'boolean'])
export type Metric = z.infer<typeof metricEnum>

/** A number that can be displayed and summed exactly. */
export const amount = () => z.number().min(-1e15).max(1e15)

export const keyResultInput = {
  title: title(),
  metric: metricEnum,
  target_value: amount().describe('below start_value if less is better; 1 for boolean'),
  start_value: amount().optional().describe('default 0'),
  unit: shortText(40).optional().describe('unit of the values; a code such as EUR for currency'),
}

type Measure = Pick<Row<'key_results'>, 'metric' | 'start_value' | 'target_value' | 'unit'>

/**
 * Validates the measure of a key result and returns its stored form.
 * @throws Refusal invalid_argument where no progress could be measured; `at` is put before the names of fields
 */
export function readMeasure(
  input: {
    metric: Metric
    target_value: number
    start_value?: number | undefined
    unit?: string | undefined
  },
  at = '',
): Measure {
  const { metric, target_value, start_value = 0 } = input
  if (metric === 'boolean' && (start_value !== 0 || target_value !== 1))
    throw invalid(
      `${at}${start_value === 0 ? 'target_value' : 'start_value'}`,
      'a boolean key result goes from 0 to 1.',
    )
  if (start_value === target_value)
    throw invalid(
      `${at}target_value`,
      `start_value and target_value are both ${target_value}; progress cannot be measured.`,
      'Send a different target_value or start_value.',
    )
  return {
    metric,
    start_value,
    target_value,
    unit: unitOf(metric, input.unit?.trim() || undefined, `${at}unit`),
  }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

function unitOf(metric: Metric, unit: string | undefined, field: string): string | null {
  if (unit === undefined) return null
  if (metric === 'boolean') throw invalid(field, 'a boolean key result cannot have a unit.')
  if (metric === 'percent' && unit !== '%')
    throw invalid(field, 'the unit of percent is always %; omit it.')
  if (metric !== 'currency') return metric === 'percent' ? null : unit
  return readCurrency(unit, field)
}

/** @throws Refusal invalid_argument where ISO 4217 has no such code */
export function readCurrency(text: string, field: string): string {
  const code = text.trim().toUpperCase()
  if (currencies.has(code)) return code
  throw invalid(
    field,
    `${JSON.stringify(text)} is not a currency.`,
    'Send an ISO 4217 code such as EUR or USD.',
  )
}

/**
 * A manually entered value.
 * @throws Refusal invalid_argument if it does not fit the metric
 */
export function readValue(
  { metric, title }: Pick<Row<'key_results'>, 'metric' | 'title'>,
  value: unknown,
  field: string,
): number {
  if (metric === 'boolean') {
    if (value === true || value === 1) return 1
    if (value === false || value === 0) return 0
    throw invalid(field, `"${title}" is boolean: send true or false.`)
  }
  const number = amount().safeParse(value)
  if (!number.success)
    throw invalid(field, `"${title}" is numeric: send a number between -1e15 and 1e15.`)
  return number.data
}
