import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, parseInstant, localIso } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { layersOf, onCallOverride, onCallSchedule, rotasOf, type ScheduleRow } from './access.ts'
import { requireCanBeOnCall } from './layers.ts'
import { OnCallShift, presentShifts } from './shapes.ts'
import { levelsOf, shifts } from './shifts.ts'

const maxOverrideMs = 366 * dayLength
const maxDistanceMs = 3660 * dayLength

export const createOnCallOverride = operation({
  name: 'create_on_call_override',
  searchHint: 'swap shifts, cover for me, take over a shift, replace on duty',
  kind: 'write',
  rest: 'POST /api/on-call-schedules/{schedule_id}/overrides',
  about: 'Have someone cover part of a rotation',
  on: { schedule: onCallSchedule.edit, person: person.see.describe('who covers') },
  input: {
    starts_at: datetime().describe('a past time means now'),
    ends_at: datetime(),
    reason: shortText(1000).optional(),
    level: z.int().min(1).max(10).default(1).describe('which level of the schedule they cover'),
  },
  output: OnCallShift.extend({ warnings: z.array(z.string()).optional() }),
  async handle({ schedule, person: who, starts_at, ends_at, reason, level }, ctx) {
    const zone = ctx.actor.timezone
    requireCanBeOnCall(who, 'person_id')
    requireLevel(schedule, level)
    const from = Math.max(ctx.now, parseInstant(starts_at, zone, 'start', 'starts_at'))
    const until = parseInstant(ends_at, zone, 'end', 'ends_at')
    if (until <= ctx.now)
      throw invalid('ends_at', 'must be in the future; past shifts cannot be covered.')
    if (until <= from) throw invalid('ends_at', 'must be after starts_at.')
    if (until - from > maxOverrideMs)
      throw invalid('ends_at', 'an override can last at most a year.')
    if (from - ctx.now > maxDistanceMs)
      throw invalid('starts_at', 'must be within ten years of now.')
    const coveredShifts = await shiftsOnLevel(ctx, schedule, level, from, until)
    const row = await ctx.add('on_call_overrides', {
      schedule_id: schedule.id,
      level,
      person_id: who.id,
      starts_at: from,
      ends_at: until,
      reason: reason?.trim() || null,
    })
    notifyBoth(ctx, schedule, row, who, coveredShifts)
    const first = coveredShifts.find((item) => item.from <= from)?.person
    const shift = omitNullish({
      level,
      person: who.id,
      from,
      until,
      overrideId: row.id,
      schedule,
      covers_for: first === undefined || first === who.id ? undefined : first,
    })
    const warnings = await otherLevelWarnings(ctx, schedule, row, who)
    return omitNullish({
      ...(await presentShifts(ctx, [shift]))[0]!,
      warnings: warnings.length > 0 ? warnings : undefined,
    })
  },
})

export const deleteOnCallOverride = operation({
  name: 'delete_on_call_override',
  searchHint: 'cancel a swap, undo an on-call swap, cancel cover',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/on-call-overrides/{override_id}',
  about: 'End an on-call override; the rotation applies again',
  on: { override: onCallOverride.edit },
  dryRun: true,
  output: DeletedRef,
  async handle({ override: row }, ctx) {
    const [schedule] = [...(await onCallSchedule.among(ctx, [row.schedule_id])).values()]
    await ctx.remove('on_call_overrides', row)
    if (schedule && row.ends_at > ctx.now) {
      const text = `You no longer cover level ${row.level} of this on-call schedule`
      ctx.notify('assignment', [row.person_id], 'on_call_schedules', schedule, text)
    }
    return deletedRef(ctx, onCallOverride.ref(row, ctx.baseUrl), [], { erased: true })
  },
})

function requireLevel(schedule: ScheduleRow, level: number): void {
  const levels = levelsOf({ layers: layersOf(schedule) })
  if (!levels.includes(level))
    throw invalid(
      'level',
      `${schedule.name} has no level ${level}.`,
      `It has ${levels.join(', ')}.`,
    )
}

/** Shifts of a level that overlap the period: those an override covers. */
async function shiftsOnLevel(
  ctx: ReadContext,
  schedule: ScheduleRow,
  level: number,
  from: number,
  until: number,
) {
  const rota = (await rotasOf(ctx, [schedule], { from, until })).get(schedule.id)!
  return shifts(rota, from, until).filter((shift) => shift.level === level)
}

/** A note if they are on call on another level meanwhile: an unanswered page would reach them again. */
async function otherLevelWarnings(
  ctx: ReadContext,
  schedule: ScheduleRow,
  { level, starts_at, ends_at }: Row<'on_call_overrides'>,
  who: Row<'users'>,
): Promise<string[]> {
  const rota = (await rotasOf(ctx, [schedule], { from: starts_at, until: ends_at })).get(
    schedule.id,
  )!
  const others = [
    ...new Set(
      shifts(rota, starts_at, ends_at)
        .filter((shift) => shift.level !== level && shift.person === who.id)
        .map((shift) => shift.level),
    ),
  ]
  const levelNames = others
    .sort((a, b) => a - b)
    .map((other) => `level ${other}`)
    .join(' and ')
  return others.length === 0
    ? []
    : [
        `${who.display_name} is on call at ${levelNames} of ${schedule.name} at the same time: a page they do not answer reaches no one else there. Have someone else cover one of the levels.`,
      ]
}

function notifyBoth(
  ctx: WriteContext,
  schedule: ScheduleRow,
  { level, starts_at, ends_at }: Row<'on_call_overrides'>,
  who: Row<'users'>,
  covered: readonly { person: string }[],
): void {
  const localTime = (at: number) => localIso(at, schedule.timezone).slice(0, 16).replace('T', ' ')
  const when = `from ${localTime(starts_at)} to ${localTime(ends_at)} (${schedule.timezone})`
  ctx.notify(
    'assignment',
    [who.id],
    'on_call_schedules',
    schedule,
    `You are covering on-call level ${level} ${when}`,
  )
  ctx.notify(
    'assignment',
    [...new Set(covered.map((item) => item.person))].filter((id) => id !== who.id),
    'on_call_schedules',
    schedule,
    `${who.display_name} covers your shift at level ${level} ${when}`,
  )
}
