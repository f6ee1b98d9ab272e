import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString, shortText, timezone } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { invalid } from '../../kernel/refusal.ts'
import { addDays, dayAt, iso, localIso, weekday } from '../../kernel/time/times.ts'
import { organization, timeOff } from '../directory/access.ts'
import { byBusinessDays, describeReading } from './availability/phrase-rules.ts'
import { resolvePhrase } from './availability/phrases.ts'
import { isoWeek } from './availability/weeks.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** Number of days to search for a working day. */
const maxSearchDays = 400

const ClockInfo = shape('ClockInfo', {
  utc: datetimeString(),
  local: z.string(),
  timezone: z.string(),
  weekday: z.string(),
  iso_week: z.int(),
  iso_year: z.int().describe('that the week belongs to'),
  is_working_day: z
    .boolean()
    .describe("by the organization's week and holidays, and your time off"),
  next_working_day: day()
    .optional()
    .describe('after today; absent where there is none within a year'),
  resolved: z
    .strictObject({
      phrase: z.string(),
      reading: z.string().describe('how the phrase was understood'),
      from: datetimeString(),
      to: datetimeString().describe('exclusive end; equal to from for a single moment'),
      from_local: z.string(),
      to_local: z.string(),
    })
    .optional(),
})

export const getCurrentTime = operation({
  name: 'get_current_time',
  searchHint: 'what day is it, date, now, next Friday, week number, time in',
  kind: 'read',
  rest: 'GET /api/clock',
  about:
    "Present moment in the owner's timezone with weekday, week number and next working day; resolves a relative phrase to dates",
  input: {
    timezone: timezone().optional().describe('default: yours'),
    phrase: shortText(200)
      .min(1)
      .optional()
      .describe(
        'such as "next Tuesday 3pm", "end of month", "in 2 weeks", "in 3 business days", "week 48", "Q1", in English, German, French, Spanish, Dutch, Portuguese, Japanese and others',
      ),
  },
  output: ClockInfo,
  async handle({ timezone, phrase }, ctx) {
    const zone = timezone ?? ctx.actor.timezone
    const today = dayAt(ctx.now, zone)
    const { week, year } = isoWeek(today)
    const isWorkingDay = await workingDayTest(ctx, today)
    const next = Array.from({ length: maxSearchDays }, (_, i) => addDays(today, i + 1)).find(
      isWorkingDay,
    )
    return omitNullish({
      utc: iso(ctx.now),
      local: localIso(ctx.now, zone),
      timezone: zone,
      weekday: weekdays[weekday(today) - 1]!,
      iso_week: week,
      iso_year: year,
      is_working_day: isWorkingDay(today),
      next_working_day: next,
      resolved:
        phrase === undefined
          ? undefined
          : await resolveForOutput(phrase, ctx.now, zone, await businessDayTest(ctx)),
    })
  },
})

/** Returns a test for whether the caller works on a day, valid from a start day on. */
async function workingDayTest(ctx: ReadContext, from: string): Promise<(day: string) => boolean> {
  const isBusinessDay = await businessDayTest(ctx)
  const off = await timeOff
    .editableBy(ctx)
    .select(['time_off.starts_on', 'time_off.ends_on'])
    .where('time_off.ends_on', '>=', from)
    .execute()
  return (on) =>
    isBusinessDay(on) && !off.some((item) => item.starts_on <= on && on <= item.ends_on)
}

/** Returns a test for whether a day is a business day of the organization. */
async function businessDayTest(ctx: ReadContext): Promise<(day: string) => boolean> {
  const { work_week_json, holidays_json } = await organization
    .visibleTo(ctx)
    .select(['orgs.work_week_json', 'orgs.holidays_json'])
    .executeTakeFirstOrThrow()
  const week = new Set(JSON.parse(work_week_json) as number[])
  const holidays = new Set(
    (JSON.parse(holidays_json) as { date: string }[]).map((item) => item.date),
  )
  return (on) => week.has(weekday(on)) && !holidays.has(on)
}

/** Characters that times do not contain: a phrase parser would skip them and parse the rest. */
const charactersNotInTimes = /[^\p{L}\p{N}\p{M}\s.,:;'’()/+#&–—-]/u

async function resolveForOutput(
  phrase: string,
  now: number,
  zone: string,
  isBusinessDay: (day: string) => boolean,
) {
  const interpretation = charactersNotInTimes.test(phrase)
    ? undefined
    : (byBusinessDays(phrase, now, zone, isBusinessDay) ?? (await resolvePhrase(phrase, now, zone)))
  if (!interpretation)
    throw invalid(
      'phrase',
      `${JSON.stringify(phrase)} is not a time that can be understood here.`,
      'Try "next Tuesday 3pm", "end of month", "in 3 business days", "in 2 weeks", "week 48" or a date.',
    )
  return {
    phrase,
    reading: describeReading(phrase, interpretation, now, zone),
    from: iso(interpretation.from),
    to: iso(interpretation.to),
    from_local: localIso(interpretation.from, zone),
    to_local: localIso(interpretation.to, zone),
  }
}
