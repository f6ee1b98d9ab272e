import { duePeriod, sincePeriod } from '../../../../kernel/time/periods.ts'
import { t } from '../../../texts/index.ts'
import { isoDay, shortDate } from '../../../ui/work/days.ts'
import type { Choice } from '../../../ui/work/Picker.tsx'
import { changedFilters, dueFilters, isSingle, updatedFilters, type FilterField } from './filter.ts'

const offered: Readonly<Partial<Record<FilterField, readonly string[]>>> = {
  due: dueFilters,
  updated: updatedFilters,
  changed: changedFilters,
}

/** True if a field is filtered by periods. */
export const isPeriod = (field: FilterField): boolean => offered[field] !== undefined

/** The periods that are there to choose from. */
export const offeredPeriods = (field: FilterField): Choice<string>[] =>
  (offered[field] ?? []).map((period) => periodChoice(field, period))

/** A period as a choice; other values as they are. */
export const periodChoice = (field: FilterField, value: string): Choice<string> => ({
  value,
  label: filterValueName(field, value),
})

function filterValueName(field: FilterField, value: string): string {
  if (field === 'due') return t.tasks.periods.due(value)
  if (!isSingle(field)) return value
  return isoDay.test(value) ? t.tasks.changedSince(shortDate(value)) : t.tasks.periods.since(value)
}

const typedDays = /^(?:due |in |the )*(next|last)?\s*([1-9]\d{0,2}) (day|hour)s?$/i

/** The typed period: “next 10 days”, “3 days”; for changes also hours, and a day as 2026-11-25. */
export function typedPeriod(field: FilterField, query: string): Choice<string>[] {
  if (!isPeriod(field)) return []
  if (field === 'changed' && isoDay.test(query)) return [periodChoice(field, query)]
  const [, way, count, unit] = typedDays.exec(query) ?? []
  if (count === undefined || unit === undefined) return []
  const direction = field === 'due' ? 'next' : 'last'
  const period = `${way ?? direction}_${count}_${unit}s`.toLowerCase()
  const isOne = (field === 'due' ? duePeriod : sincePeriod).test(period)
  return isOne ? [periodChoice(field, period)] : []
}
