// Weeks, months and years for the time report.

import { addDays } from '../../../ui/work/days.ts'
import { mondayOf } from '../../tasks/calendar/weeks.ts'

export const reportUnits = ['week', 'month', 'year'] as const
export type ReportUnit = (typeof reportUnits)[number]

const isoDayOf = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** The first and last day of the week, month or year of a day. */
export function periodOf(unit: ReportUnit, day: string): { from: string; to: string } {
  if (unit === 'week') {
    const from = mondayOf(day)
    return { from, to: addDays(from, 6) }
  }
  const [year = 0, month = 1] = day.split('-').map(Number)
  if (unit === 'year') return { from: isoDayOf(year, 0, 1), to: isoDayOf(year, 11, 31) }
  return { from: isoDayOf(year, month - 1, 1), to: isoDayOf(year, month, 0) }
}

/** The first day of the next or previous period. */
export function nextPeriod(unit: ReportUnit, day: string, step: 1 | -1): string {
  const { from, to } = periodOf(unit, day)
  return step === 1 ? addDays(to, 1) : periodOf(unit, addDays(from, -1)).from
}
