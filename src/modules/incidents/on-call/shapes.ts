import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { day, datetimeString } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { dayLength, iso, localIso } from '../../../kernel/time/times.ts'
import { team } from '../../directory/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, Ref } from '../../../records/shapes.ts'
import {
  layersOf,
  onCallOverride,
  onCallSchedule,
  rotasOf,
  type Duty,
  type ScheduleRow,
} from './access.ts'
import { conflictsOf } from './conflicts.ts'
import { dutyHours } from './layers.ts'
import { gaps, wholeShifts, weekdays, type Layer, type Rota, type ShiftSpan } from './shifts.ts'

export const OnCallShift = shape('OnCallShift', {
  id: z.string().optional().describe('only overrides have one'),
  schedule: Ref,
  level: z.int(),
  person: Ref,
  starts_at: datetimeString(),
  ends_at: datetimeString().describe('the handover'),
  starts_local: z.string(),
  ends_local: z.string(),
  timezone: z.string().describe('your time zone'),
  is_override: z.boolean(),
  covers_for: Ref.optional(),
  reason: z.string().optional(),
  conflicts: z
    .array(z.string())
    .describe(
      'possible problems: the person is away, or the entire shift is outside their working hours',
    ),
})

export const OnCallSchedule = shape('OnCallSchedule', {
  ...common,
  name: z.string(),
  timezone: z.string(),
  team: Ref.optional(),
  layers: z.array(
    z.strictObject({
      level: z.int(),
      people: z.array(Ref),
      rotation: z.string(),
      starts_on: day(),
      handover: z.strictObject({ time: z.string(), weekday: z.enum(weekdays).optional() }),
      hours: dutyHours.optional(),
    }),
  ),
  escalation_minutes: z.int().describe('time a level has to acknowledge before the next is paged'),
  from: datetimeString().describe('start of overrides, gaps and shifts'),
  to: datetimeString(),
  overrides: z.array(OnCallShift),
  gaps: z
    .array(z.strictObject({ from: datetimeString(), to: datetimeString() }))
    .describe(
      'when no one is on call at any level, including turns of deactivated people; none before the schedule was created',
    ),
  overrides_until: datetimeString()
    .optional()
    .describe('only overrides starting before this are listed; continue here'),
  gaps_until: datetimeString()
    .optional()
    .describe('only gaps starting before this are listed; continue here'),
  shifts: z
    .array(OnCallShift)
    .optional()
    .describe('if a period was requested: who is on call, by level and time'),
  shifts_until: datetimeString()
    .optional()
    .describe('only shifts starting before this are listed; continue here'),
})

export type OnCallShiftShape = z.infer<typeof OnCallShift>

/** Maximum number of shifts, of gaps and of overrides in an answer about a schedule. */
const maxShifts = 200

/** Shifts for answers, with a fixed number of queries. */
export async function presentShifts(
  ctx: ReadContext,
  duties: readonly Duty[],
): Promise<OnCallShiftShape[]> {
  if (duties.length === 0) return []
  const people = await peopleRefs(
    ctx,
    duties.flatMap((duty) => [duty.person, duty.covers_for]),
  )
  const reasons = await reasonsOf(ctx, duties)
  const conflicts = await conflictsOf(ctx, duties)
  const zone = ctx.actor.timezone
  return duties.map((duty, i) => {
    const coveredPerson = duty.covers_for === undefined ? undefined : people.get(duty.covers_for)
    const reason = reasons.get(duty.overrideId ?? '')
    return omitNullish({
      id: duty.overrideId,
      schedule: scheduleRef(duty.schedule),
      level: duty.level,
      person: people.get(duty.person) ?? { id: duty.person, title: '' },
      starts_at: iso(duty.from),
      ends_at: iso(duty.until),
      starts_local: localIso(duty.from, zone),
      ends_local: localIso(duty.until, zone),
      timezone: zone,
      is_override: duty.overrideId !== undefined,
      covers_for: coveredPerson,
      reason,
      conflicts: conflicts[i]!,
    })
  })
}

async function reasonsOf(
  ctx: ReadContext,
  duties: readonly Duty[],
): Promise<Map<string, string | null>> {
  const ids = duties.flatMap((duty) => duty.overrideId ?? []) as Id<'on_call_overrides'>[]
  if (ids.length === 0) return new Map()
  const rows = await onCallOverride
    .of(
      ctx,
      duties.map((duty) => duty.schedule.id),
    )
    .select(['on_call_overrides.id', 'on_call_overrides.reason'])
    .where('on_call_overrides.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row.reason]))
}

function scheduleRef(row: Pick<ScheduleRow, 'id' | 'name'>): Ref {
  return { id: row.id, title: row.name }
}

/** The default period shown of a schedule: four weeks. */
export function defaultPeriod(from: number): ShiftSpan {
  return { from, until: from + 28 * dayLength }
}

/** Schedules for answers, with their shifts in a period. */
export async function presentSchedules(
  ctx: ReadContext,
  rows: readonly ScheduleRow[],
  period: ShiftSpan,
  withShifts: boolean,
): Promise<z.infer<typeof OnCallSchedule>[]> {
  if (rows.length === 0) return []
  const rotas = await rotasOf(ctx, rows, period)
  const layers = new Map(rows.map((row) => [row.id, layersOf(row)]))
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...[...layers.values()].flat().flatMap((layer) => layer.people),
  ])
  const teams = await team.among(
    ctx,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const presented = []
  for (const row of rows) {
    const teamRow = teams.get(row.team_id ?? '')
    presented.push(
      omitNullish({
        ...commonOf(row, onCallSchedule.url(row, ctx.baseUrl), people),
        name: row.name,
        timezone: row.timezone,
        team: teamRow ? { id: teamRow.id, title: teamRow.name } : undefined,
        layers: layers.get(row.id)!.map((layer) => layerShape(layer, people)),
        escalation_minutes: row.escalation_minutes,
        ...(await periodOf(ctx, row, rotas.get(row.id)!, period, withShifts)),
      }),
    )
  }
  return presented
}

function layerShape(
  { level, people, rotation, starts_on, handover, hours }: Layer,
  refs: Map<string, Ref>,
) {
  const { time, weekday } = handover
  return omitNullish({
    level,
    people: people.map((id) => refs.get(id) ?? { id, title: '' }),
    rotation,
    starts_on,
    handover: omitNullish({ time, weekday }),
    hours: hours ? (hours as z.infer<typeof dutyHours>) : undefined,
  })
}

async function periodOf(
  ctx: ReadContext,
  schedule: ScheduleRow,
  rota: Rota,
  { from, until }: ShiftSpan,
  withShifts: boolean,
) {
  const periodShifts = wholeShifts(rota, from, until)
    .map((wholeShift) => ({ ...wholeShift, schedule }))
    .sort((a, b) => a.from - b.from || a.level - b.level)
  const listedShifts = withShifts ? periodShifts.slice(0, maxShifts) : []
  const createdAt = schedule.created_at // no one had to be on call before
  const overrides = rota.overrides
    .filter((cover) => cover.from < until && cover.until > from)
    .toSorted((a, b) => a.from - b.from)
  const periodGaps = until > createdAt ? gaps(rota, Math.max(from, createdAt), until) : []
  return omitNullish({
    from: iso(from),
    to: iso(until),
    overrides: await presentShifts(ctx, dutiesOf(overrides.slice(0, maxShifts), rota, schedule)),
    overrides_until: startAfterMax(overrides),
    gaps: periodGaps
      .slice(0, maxShifts)
      .map((gap) => ({ from: iso(gap.from), to: iso(gap.until) })),
    gaps_until: startAfterMax(periodGaps),
    shifts: withShifts ? await presentShifts(ctx, listedShifts) : undefined,
    shifts_until: withShifts ? startAfterMax(periodShifts) : undefined,
  })
}

/** Start of the first span that is not listed, if there are more than `maxShifts`, in the order of their starts. */
function startAfterMax(spans: readonly ShiftSpan[]): string | undefined {
  const next = spans[maxShifts]
  return next && iso(next.from)
}

/** Overrides as set, even if another one covers part of them. */
function dutiesOf(covers: Rota['overrides'], rota: Rota, schedule: ScheduleRow): Duty[] {
  const withoutOverrides = { ...rota, overrides: [] }
  return covers.map(({ id, ...override }) => {
    const covered = wholeShifts(withoutOverrides, override.from, override.from + 1).find(
      (other) => other.level === override.level,
    )?.person
    return omitNullish({
      ...override,
      overrideId: id,
      schedule,
      covers_for: covered === undefined || covered === override.person ? undefined : covered,
    })
  })
}
