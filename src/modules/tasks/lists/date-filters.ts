import { z } from 'zod'
import { datetime, dayOrTime, instantPattern } from '../../../kernel/fields.ts'
import { dayAt, parseInstant } from '../../../kernel/time/times.ts'
import { daysOf, duePeriod, sinceOf, sincePeriod } from '../../../kernel/time/periods.ts'
import { resolvedInput } from '../../../operations/filters.ts'
import type { Scoped } from '../../../records/resource.ts'
import {
  dueBound,
  dueFrom,
  dueUntil,
  isDue,
  isOverdue,
  type DueBound,
  type DueCondition,
} from './access-due.ts'

// Filters by dates. Periods move with the day: saved views keep the words, which mean days in the reader's time zone.

const dueMoment = (edge: 'start' | 'end') =>
  resolvedInput(datetime().optional().describe('inclusive'), (text, ctx, field) =>
    dueBound(text, ctx.actor.timezone, edge, field),
  )

const dueText = () =>
  z
    .array(
      z
        .string()
        .regex(duePeriod, 'must be overdue, none, today, this_week, next_14_days or the like'),
    )
    .max(10)
    .optional()

const readDue = (words: readonly string[], zone: string, now: number): DueCondition => {
  const today = dayAt(now, zone)
  return {
    overdue: words.includes('overdue'),
    none: words.includes('none'),
    ranges: words.flatMap((word) => {
      const days = daysOf(word, today)
      if (!days) return []
      return [
        {
          from: dueBound(days.from, zone, 'start', 'due'),
          to: dueBound(days.to, zone, 'end', 'due'),
        },
      ]
    }),
  }
}

const duePeriodInput = (words: ReturnType<typeof dueText>) =>
  resolvedInput(words, (inputs, ctx) => readDue(inputs, ctx.actor.timezone, ctx.now))

/** The moment since which tasks were updated, or a period, whose start is used. */
const updatedSince = resolvedInput(
  z
    .string()
    .max(40)
    .regex(
      new RegExp(`${instantPattern.source}|${sincePeriod.source}`),
      'must be a time such as 2026-11-20T15:00:00Z, a date, or today, this_week, this_month, last_7_days, last_24_hours or the like',
    )
    .optional()
    .describe(`${dayOrTime}, last_24_hours`),
  (text, { now, actor: { timezone } }, field) => {
    if (!sincePeriod.test(text)) return parseInstant(text, timezone, 'start', field)
    const startOf = (day: string) => parseInstant(day, timezone, 'start')
    return sinceOf(text, { now, today: dayAt(now, timezone), startOf })
  },
)

type Tasks = Scoped<'tasks'>
interface Moment {
  now: number
}

/** The filters of tasks by their dates. */
export const dateFilters = {
  due_before: {
    input: dueMoment('end'),
    where: (query: Tasks, bound: DueBound) => query.where(dueUntil(bound)),
  },
  due_after: {
    input: dueMoment('start'),
    where: (query: Tasks, bound: DueBound) => query.where(dueFrom(bound)),
  },
  due: {
    input: duePeriodInput(dueText().describe('overdue, none, this_week, next_14_days')),
    where: (query: Tasks, periods: DueCondition, { now }: Moment) =>
      query.where(isDue(periods, now)),
  },
  due_not: {
    input: duePeriodInput(dueText()),
    where: (query: Tasks, periods: DueCondition, { now }: Moment) =>
      query.where(isDue(periods, now, false)),
  },
  updated_after: {
    input: updatedSince,
    where: (query: Tasks, at: number) => query.where('tasks.updated_at', '>=', at),
  },
  overdue: {
    input: z.boolean().optional(),
    where: (query: Tasks, wanted: boolean, { now }: Moment) => query.where(isOverdue(now, wanted)),
  },
}
