import { duePeriod, sincePeriod } from '../../../../kernel/time/periods.ts'
import { t } from '../../../texts/index.ts'
import { isoDay, shortDate } from '../../../ui/work/days.ts'
import type { Choice } from '../../../ui/work/Picker.tsx'
import {
  changedFilters,
  dueFilters,
  isSingleValued,
  updatedFilters,
  type FilterField,
} from './filter.ts'

const periodsByField: Readonly<Partial<Record<FilterField, readonly string[]>>> = {
  due: dueFilters,
  updated: updatedFilters,
  changed: changedFilters,
}

/** True if a field is filtered by periods. */
export const isPeriodField = (field: FilterField): boolean => periodsByField[field] !== undefined

/** The offered periods of a field. */
export const offeredPeriods = (field: FilterField): Choice<string>[] =>
  (periodsByField[field] ?? []).map((period) => periodChoice(field, period))

/** A period as a choice; other values as they are. */
export const periodChoice = (field: FilterField, value: string): Choice<string> => ({
  value,
  label: filterValueName(field, value),
})

function filterValueName(field: FilterField, value: string): string {
  if (field === 'due') return t.tasks.periods.due(value)
  if (!isSingleValued(field)) return value
  return isoDay.test(value) ? t.tasks.changedSince(shortDate(value)) : t.tasks.periods.since(value)
}

const periodPattern = /^(?:due |in |the )*(next|last)?\s*([1-9]\d{0,2}) (day|hour)s?$/i

/** The typed period: “next 10 days”, “3 days”; for changes also hours, and a day as 2026-11-25. */
export function parseTypedPeriod(field: FilterField, query: string): Choice<string>[] {
  if (!isPeriodField(field)) return []
  if (field === 'changed' && isoDay.test(query)) return [periodChoice(field, query)]
  const [, typedDirection, count, unit] = periodPattern.exec(query) ?? []
  if (count === undefined || unit === undefined) return []
  const direction = field === 'due' ? 'next' : 'last'
  const period = `${typedDirection ?? direction}_${count}_${unit}s`.toLowerCase()
  const isValid = (field === 'due' ? duePeriod : sincePeriod).test(period)
  return isValid ? [periodChoice(field, period)] : []
}
