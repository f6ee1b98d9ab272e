import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { datetime, pageOf, paging, timezone, title } from '../../core/fields.ts'
import { equalsText } from '../../core/folded.ts'
import { operation } from '../../core/operation.ts'
import { paged, shown } from '../../core/paging.ts'
import { denied, invalid, Refusal } from '../../core/refusal.ts'
import { dayLength, instant } from '../../core/times.ts'
import { team } from '../people/access.ts'
import { onCallSchedule, type ScheduleRow } from './access-on-call.ts'
import { LayerInput, layersFrom } from './on-call-layers.ts'
import { OnCallSchedule, showSchedules } from './on-call-shapes.ts'
import type { Layer, Span } from './shifts.ts'

const usualPeriod = 28 * dayLength
const longestPeriod = 100 * dayLength
const farthest = 3660 * dayLength

export const listOnCallSchedules = operation({
  name: 'list_on_call_schedules',
  kind: 'read',
  rest: 'GET /api/on-call-schedules',
  about: 'Rotations with levels, layers, overrides and coverage gaps',
  on: { team: team.see.maybe },
  input: {
    from: datetime().optional().describe('of overrides, gaps and shifts; default: now'),
    to: datetime().optional().describe('default: four weeks after from'),
    ...paging,
  },
  output: pageOf(OnCallSchedule),
  async handle({ team: of, from, to, limit, cursor }, ctx) {
    const period = periodFrom(ctx, from, to)
    let rows = onCallSchedule.seen(ctx).selectAll('on_call_schedules')
    if (of) rows = rows.where('on_call_schedules.team_id', '=', of.id)
    const page = await paged(rows, [{ by: 'on_call_schedules.name', as: 'name', dir: 'asc' }, { by: 'on_call_schedules.id', as: 'id', dir: 'asc' }], { limit, cursor })
    return shown(page, await showSchedules(ctx, page.items, period, from !== undefined || to !== undefined))
  },
})

export const createOnCallSchedule = operation({
  name: 'create_on_call_schedule',
  kind: 'write',
  rest: 'POST /api/on-call-schedules',
  about: 'Set up a rotation',
  on: { team: team.edit.maybe.describe('whose schedule it is; you have to lead the team, or be an administrator') },
  input: {
    name: title(),
    timezone: timezone().describe('all times of the layers are by its clocks'),
    layers: z.array(LayerInput).min(1).max(20).describe('people who take turns, by level'),
    escalation_minutes: z.int().min(1).max(1440).default(15).describe('how long a level has to acknowledge before the next one is paged'),
  },
  output: OnCallSchedule,
  async handle({ team: of, name, timezone: zone, layers: given, escalation_minutes }, ctx) {
    if (ctx.actor.role === 'guest') throw denied('Guests cannot set up on-call schedules.')
    await demandName(ctx, name.trim())
    const layers = await layersFrom(ctx, given, zone)
    const row = await ctx.add('on_call_schedules', { name: name.trim(), timezone: zone, team_id: of?.id ?? null, layers_json: JSON.stringify(layers), escalation_minutes })
    tellPeople(ctx, row, layers)
    return (await showSchedules(ctx, [row], { from: ctx.now, until: ctx.now + usualPeriod }, false))[0]!
  },
})

function tellPeople(ctx: WriteContext, row: ScheduleRow, layers: readonly Layer[]): void {
  for (const person of new Set(layers.flatMap(one => one.people))) {
    const levels = [...new Set(layers.filter(one => one.people.includes(person)).map(one => one.level))].sort((a, b) => a - b)
    ctx.notify('assignment', [person], 'on_call_schedules', row, `You take turns in this on-call schedule, on level ${levels.join(' and ')}`)
  }
}

/** @throws Refusal conflict where a schedule has that name; there is none that changes one, so it says what does */
async function demandName(ctx: ReadContext, name: string): Promise<void> {
  const other = await onCallSchedule.seen(ctx).select(['on_call_schedules.id', 'on_call_schedules.name']).where(equalsText('on_call_schedules.name', name)).executeTakeFirst()
  if (!other) return
  throw new Refusal('conflict', `There is an on-call schedule named ${JSON.stringify(other.name)} already.`, {
    field: 'name',
    hint: 'Choose another name; name that one as schedule_id of your services; or, for single shifts, let somebody cover with create_on_call_override. A schedule that was just set up wrongly is taken back by undo_api_call.',
    context: { existing_id: other.id },
  })
}

function periodFrom(ctx: ReadContext, asked: string | undefined, askedTo: string | undefined): Span {
  const zone = ctx.actor.timezone
  const from = asked === undefined ? ctx.now : instant(asked, zone, 'start', 'from')
  const until = askedTo === undefined ? from + usualPeriod : instant(askedTo, zone, 'end', 'to')
  if (until <= from) throw invalid('to', `must lie after from.`)
  if (until - from > longestPeriod) throw invalid('to', 'the period is longer than 100 days.', 'Ask for it in parts.')
  if (Math.abs(from - ctx.now) > farthest) throw invalid('from', 'lies more than ten years away.')
  return { from, until }
}
