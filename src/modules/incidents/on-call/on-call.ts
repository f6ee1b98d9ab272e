import { z } from 'zod'
import type { Id } from '../../../kernel/ids.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { applyOrder, readPlace, writePlace, type Order } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { dayLength, parseInstant } from '../../../kernel/time/times.ts'
import { person, team } from '../../directory/access.ts'
import { service } from '../access.ts'
import { onCallSchedule, rotasOf, type Duty, type ScheduleRow } from './access.ts'
import { OnCallShift, presentShifts } from './shapes.ts'
import { shiftsAt } from './shifts.ts'

const byName: readonly Order[] = [
  { by: 'on_call_schedules.name', as: 'name', dir: 'asc' },
  { by: 'on_call_schedules.id', as: 'id', dir: 'asc' },
]
/** Levels of a schedule are ordered after the schedule. */
const listOrder: readonly Order[] = [...byName, { by: 'level', as: 'level', dir: 'asc' }]
const batchSize = 100
const maxDistanceMs = 3660 * dayLength

export const getOnCall = operation({
  name: 'get_on_call',
  searchHint: 'who is on call, on duty, pager, who do I call, who is on duty tonight',
  kind: 'read',
  rest: 'GET /api/on-call-shifts/current',
  about: 'Who is on call now, or at a moment, per schedule and level, with handover time',
  on: {
    service: service.see.maybe.describe('a service: its schedule'),
    team: team.see.maybe.describe('schedules of this team'),
    person: person.see.maybe.describe('shifts of this person'),
  },
  input: { at: datetime().optional().describe('default: now'), ...paging },
  output: pageOf(OnCallShift).extend({ note: z.string().optional() }),
  async handle({ service, team: ofTeam, person: who, at: requestedTime, limit, cursor }, ctx) {
    const at =
      requestedTime === undefined
        ? ctx.now
        : parseInstant(requestedTime, ctx.actor.timezone, 'start', 'at')
    if (Math.abs(at - ctx.now) > maxDistanceMs)
      throw invalid('at', 'must be within ten years of now.')
    if (service && service.schedule_id === null)
      return {
        items: [],
        has_more: false,
        note: `${service.name} has no on-call schedule; update_service with schedule_id gives it one.`,
      }
    const filter = {
      schedule: service?.schedule_id ?? undefined,
      team: ofTeam?.id,
      person: who?.id,
    }
    const shifts = await shiftsFrom(ctx, filter, at, limit + 1, cursor)
    const items = await presentShifts(ctx, shifts.slice(0, limit))
    if (shifts.length <= limit) return { items, has_more: false }
    const { schedule, level } = shifts[limit - 1]!
    return {
      items,
      has_more: true,
      next_cursor: writePlace(listOrder, { name: schedule.name, id: schedule.id, level }),
    }
  },
})

interface DutyFilter {
  schedule: string | undefined
  team: string | undefined
  person: string | undefined
}

/** The next shifts after a position, by schedule name and level: schedules are read in batches. */
async function shiftsFrom(
  ctx: ReadContext,
  wanted: DutyFilter,
  at: number,
  limit: number,
  cursor: string | undefined,
): Promise<Duty[]> {
  const place = cursor === undefined ? undefined : readPlace(listOrder, cursor)
  const shifts: Duty[] = place
    ? await remainingLevels(ctx, wanted, at, place as [string, string, number])
    : []
  for (let afterSchedule = place?.slice(0, 2); shifts.length < limit; ) {
    const rows = await applyOrder(schedulesOf(ctx, wanted), byName, afterSchedule)
      .limit(batchSize)
      .execute()
    shifts.push(...(await shiftsOf(ctx, rows, at, wanted.person)))
    if (rows.length < batchSize) break
    afterSchedule = [rows.at(-1)!.name, rows.at(-1)!.id]
  }
  return shifts.slice(0, limit)
}

/** Remaining levels of the schedule that the previous page ended in. */
async function remainingLevels(
  ctx: ReadContext,
  wanted: DutyFilter,
  at: number,
  [, id, level]: [string, string, number],
): Promise<Duty[]> {
  const rows = await schedulesOf(ctx, { ...wanted, schedule: id }).execute()
  return (await shiftsOf(ctx, rows, at, wanted.person)).filter((shift) => shift.level > level)
}

function schedulesOf(ctx: ReadContext, { schedule, team: ofTeam }: DutyFilter) {
  let rows = onCallSchedule.visibleTo(ctx).selectAll('on_call_schedules')
  if (schedule !== undefined)
    rows = rows.where('on_call_schedules.id', '=', schedule as ScheduleRow['id'])
  if (ofTeam !== undefined)
    rows = rows.where('on_call_schedules.team_id', '=', ofTeam as Id<'teams'>)
  return rows
}

async function shiftsOf(
  ctx: ReadContext,
  rows: readonly ScheduleRow[],
  at: number,
  personId: string | undefined,
): Promise<Duty[]> {
  const rotas = await rotasOf(ctx, rows, { from: at, until: at + 1 })
  const all = rows.flatMap((schedule) =>
    shiftsAt(rotas.get(schedule.id)!, at).map((shift) => ({ ...shift, schedule })),
  )
  return personId === undefined ? all : all.filter((item) => item.person === personId)
}
