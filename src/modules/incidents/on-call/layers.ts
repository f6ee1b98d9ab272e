import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import {
  addDays,
  dayAt,
  dayLength,
  daysBetween,
  instantOfMinute,
  weekday,
} from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import {
  rotationLength,
  minutesOfDay,
  weekdays,
  type Hours,
  type Layer,
  type Weekday,
} from './shifts.ts'

const timeOfDay = () =>
  z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00')
const endOfDay = () =>
  z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 17:00, or 24:00')

const handover = z.strictObject({
  time: timeOfDay().optional().describe('default: 09:00'),
  weekday: z
    .enum(weekdays)
    .optional()
    .describe('for weekly turns; default: that of starts_on, else mon'),
})

export const dutyHours = z.partialRecord(
  z.enum(weekdays),
  z.array(z.strictObject({ from: timeOfDay(), to: endOfDay() })).max(6),
)

const rotation = () =>
  z
    .string()
    .regex(
      /^(daily|weekly|every [1-9]\d{0,2} (hour|day|week)s?)$/,
      'must be daily, weekly, or an interval such as "every 12 hours", "every 3 days"',
    )

export const LayerInput = z.strictObject({
  people: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(50)
    .describe('ids or email addresses, in rotation order'),
  level: z
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe(
      '1 is paged first, 2 if no one at 1 acknowledges, and so on; default: its position in the list. If several layers share a level, the first with someone on duty applies',
    ),
  rotation: rotation()
    .default('weekly')
    .describe('daily, weekly, or such as "every 12 hours", "every 2 weeks"'),
  starts_on: date()
    .optional()
    .describe('the first turn begins on this day at handover time; default: already begun'),
  handover: handover.optional(),
  hours: dutyHours
    .optional()
    .describe(
      'duty hours by weekday, in the schedule time zone: {"mon": [{"from": "18:00", "to": "08:00"}]}; an end at or before the start is on the next day. Omitted: always',
    ),
})

type LayerArgs = z.infer<typeof LayerInput>

/** Maximum length of turns, and so of shifts. */
const maxTurnMs = 366 * dayLength
const maxDaysAway = 3660

/**
 * Layers in stored form.
 * @throws Refusal if people are missing or inactive, levels have gaps, or times are invalid
 */
export async function layersFrom(
  ctx: ReadContext,
  inputs: readonly LayerArgs[],
  zone: string,
): Promise<Layer[]> {
  const layers = []
  for (const [i, input] of inputs.entries()) layers.push(await layerFrom(ctx, input, i, zone))
  const levels = new Set(layers.map((layer) => layer.level))
  const missing = Array.from({ length: Math.max(...levels) }, (_, i) => i + 1).find(
    (level) => !levels.has(level),
  )
  if (missing !== undefined)
    throw invalid(
      'layers',
      `there is no layer of level ${missing}, but there is one of a higher level.`,
      'Number the levels 1, 2, … without gaps, or leave them out.',
    )
  return layers
}

async function layerFrom(
  ctx: ReadContext,
  input: LayerArgs,
  i: number,
  zone: string,
): Promise<Layer> {
  const field = `layers[${i}]`
  const length = rotationLength(input.rotation)
  if (length > maxTurnMs) throw invalid(`${field}.rotation`, 'a turn can last at most a year.')
  const inWeeks = input.rotation === 'weekly' || input.rotation.includes('week')
  if (input.handover?.weekday !== undefined && !inWeeks)
    throw invalid(
      `${field}.handover.weekday`,
      `only weekly turns have a handover weekday, not ${input.rotation}.`,
      'Leave it out, or use weekly.',
    )
  const time = input.handover?.time ?? '09:00'
  const starts_on = input.starts_on ?? lastStartDay(ctx.now, zone, time)
  if (Math.abs(daysBetween(dayAt(ctx.now, zone), starts_on)) > maxDaysAway)
    throw invalid(`${field}.starts_on`, 'must be within ten years of today.')
  return omitNullish({
    level: input.level ?? i + 1,
    people: await peopleFrom(ctx, input.people, `${field}.people`),
    rotation: normalizedRotation(input.rotation),
    starts_on,
    handover: omitNullish({
      time,
      weekday: inWeeks ? (input.handover?.weekday ?? weekdayFor(input.starts_on)) : undefined,
    }),
    hours: input.hours ? hoursFrom(input.hours, `${field}.hours`) : undefined,
  })
}

/** The last day on which this time has passed. */
function lastStartDay(now: number, zone: string, time: string): string {
  const today = dayAt(now, zone)
  return instantOfMinute(today, minutesOfDay(time), zone) <= now ? today : addDays(today, -1)
}

function weekdayFor(starts_on: string | undefined): Weekday {
  return starts_on === undefined ? 'mon' : weekdays[weekday(starts_on) - 1]!
}

function normalizedRotation(rotation: string): string {
  const [, count, unit] = /^every (\d+) (hour|day|week)s?$/.exec(rotation) ?? []
  if (count === undefined || unit === undefined) return rotation
  if (count === '1' && unit !== 'hour') return unit === 'day' ? 'daily' : 'weekly'
  return `every ${count} ${unit}${count === '1' ? '' : 's'}`
}

/** @throws Refusal invalid_argument for people who could not act on an incident */
export function requireCanBeOnCall(
  { display_name, status, role }: Row<'users'>,
  field: string,
): void {
  if (status !== 'active')
    throw invalid(field, `${display_name} is ${status} and cannot be on call.`)
  if (role === 'guest')
    throw invalid(
      field,
      `${display_name} is a guest and cannot be on call: guests cannot acknowledge incidents.`,
    )
}

/** A person may appear several times in a rotation. */
async function peopleFrom(
  ctx: ReadContext,
  texts: readonly string[],
  field: string,
): Promise<string[]> {
  const ids = []
  for (const [i, text] of texts.entries()) {
    const row = await person.demand(ctx, text, 'see', `${field}[${i}]`)
    requireCanBeOnCall(row, `${field}[${i}]`)
    ids.push(row.id)
  }
  return ids
}

function hoursFrom(input: z.infer<typeof dutyHours>, field: string): Hours {
  const days = weekdays.filter((name) => (input[name] ?? []).length > 0)
  if (days.length === 0)
    throw invalid(field, 'contains no times.', 'Leave it out for around-the-clock duty.')
  for (const name of days) {
    const i = input[name]!.findIndex((item) => item.from === item.to)
    if (i >= 0)
      throw invalid(
        `${field}.${name}[${i}]`,
        `${input[name]![i]!.from} to ${input[name]![i]!.to} is ambiguous: an empty period or a whole day.`,
        'For a whole day, send 00:00 to 24:00.',
      )
  }
  return Object.fromEntries(
    days.map((name) => [name, input[name]!.toSorted((a, b) => (a.from < b.from ? -1 : 1))]),
  )
}
