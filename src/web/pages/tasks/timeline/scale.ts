import { addDays, daysBetween } from '../../../ui/work/days.ts'
import type { Span } from './spans.ts'

export const zooms = ['week', 'month', 'quarter'] as const
export type Zoom = (typeof zooms)[number]

const dayWidths: Readonly<Record<Zoom, number>> = { week: 36, month: 14, quarter: 5 }

/** Positions of days on a timeline, in pixels from its left. */
export interface Scale {
  range: Span
  dayWidth: number
  width: number
  /** The left edge of a day. */
  x: (day: string) => number
  dayAt: (x: number) => string
}

export function scaleOf(range: Span, zoom: Zoom): Scale {
  const dayWidth = dayWidths[zoom]
  return {
    range,
    dayWidth,
    width: (daysBetween(range.from, range.to) + 1) * dayWidth,
    x: (day) => daysBetween(range.from, day) * dayWidth,
    dayAt: (x) => addDays(range.from, Math.floor(x / dayWidth)),
  }
}

interface Tick {
  day: string
  label: string
  width: number
}

const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const utcDateOf = (day: string) => new Date(`${day}T00:00:00Z`)

/** The months of a timeline. */
export function monthTicks({ range, dayWidth }: Scale): Tick[] {
  const ticks: Tick[] = []
  for (let day = range.from; day <= range.to; ) {
    const nextMonth = firstOfNextMonth(day)
    const end = nextMonth <= range.to ? nextMonth : addDays(range.to, 1)
    ticks.push({
      day,
      label: monthFormat.format(utcDateOf(day)),
      width: daysBetween(day, end) * dayWidth,
    })
    day = nextMonth
  }
  return ticks
}

/** Second header row: days if there is room, else weeks by their Monday. */
export function dayTicks({ range, dayWidth }: Scale, zoom: Zoom): Tick[] {
  if (zoom === 'quarter') return []
  const step = zoom === 'week' ? 1 : 7
  const ticks: Tick[] = []
  for (let day = range.from; day <= range.to; day = addDays(day, step))
    ticks.push({ day, label: String(utcDateOf(day).getUTCDate()), width: step * dayWidth })
  return ticks
}

function firstOfNextMonth(day: string): string {
  const date = utcDateOf(day)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
    .toISOString()
    .slice(0, 10)
}
