import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging, timezone, title } from '../../../kernel/fields.ts'
import { equalsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import { dayLength, parseInstant } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { team } from '../../directory/access.ts'
import { service } from '../access.ts'
import { layersOf, onCallOverride, onCallSchedule, type ScheduleRow } from './access.ts'
import { LayerInput, layersFrom } from './layers.ts'
import { defaultPeriod, OnCallSchedule, presentSchedules } from './shapes.ts'
import { levelsOf, type Layer, type ShiftSpan } from './shifts.ts'

const maxPeriodMs = 100 * dayLength
const maxDistanceMs = 3660 * dayLength

export const listOnCallSchedules = operation({
  name: 'list_on_call_schedules',
  searchHint: 'rosters, shift plan, rotations, who is on duty when',
  kind: 'read',
  rest: 'GET /api/on-call-schedules',
  about: 'Rotations with levels, layers, overrides and coverage gaps',
  on: { team: team.see.maybe },
  input: {
    from: datetime().optional().describe('start of the period; default: now'),
    to: datetime().optional().describe('default: four weeks after from'),
    ...paging,
  },
  output: pageOf(OnCallSchedule),
  async handle({ team, from, to, limit, cursor }, ctx) {
    const period = periodFrom(ctx, from, to)
    let rows = onCallSchedule.visibleTo(ctx).selectAll('on_call_schedules')
    if (team) rows = rows.where('on_call_schedules.team_id', '=', team.id)
    const page = await paged(
      rows,
      [
        { by: 'on_call_schedules.name', as: 'name', dir: 'asc' },
        { by: 'on_call_schedules.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(
      page,
      await presentSchedules(ctx, page.items, period, from !== undefined || to !== undefined),
    )
  },
})

export const createOnCallSchedule = operation({
  name: 'create_on_call_schedule',
  searchHint: 'rotation, pager duty roster, shifts',
  kind: 'write',
  rest: 'POST /api/on-call-schedules',
  about: 'Set up a rotation',
  on: {
    team: team.edit.maybe.describe('the owner; you must lead the team or be an administrator'),
  },
  input: {
    name: title(),
    timezone: timezone().describe('applies to all times in layers'),
    layers: z.array(LayerInput).min(1).max(20).describe('people who take turns, by level'),
    escalation_minutes: z
      .int()
      .min(1)
      .max(1440)
      .default(15)
      .describe('time a level has to acknowledge before the next is paged'),
  },
  output: OnCallSchedule,
  async handle({ team, name, timezone: zone, layers: layerInputs, escalation_minutes }, ctx) {
    if (ctx.actor.role === 'guest') throw denied('Guests cannot set up on-call schedules.')
    await requireFreeName(ctx, name.trim())
    const layers = await layersFrom(ctx, layerInputs, zone)
    const row = await ctx.add('on_call_schedules', {
      name: name.trim(),
      timezone: zone,
      team_id: team?.id ?? null,
      layers_json: JSON.stringify(layers),
      escalation_minutes,
    })
    notifyPeople(ctx, row, layers)
    return (await presentSchedules(ctx, [row], defaultPeriod(ctx.now), false))[0]!
  },
})

export const updateOnCallSchedule = operation({
  name: 'update_on_call_schedule',
  searchHint: 'change the rota, add someone to the rotation, swap the order of on-call',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/on-call-schedules/{schedule_id}',
  about: 'Change the rotation, name, time zone, team or escalation time of a schedule',
  on: {
    schedule: onCallSchedule.edit,
    team: team.edit.clearable.describe('you must lead the team or be an administrator'),
  },
  input: {
    name: title().optional(),
    timezone: timezone().optional(),
    layers: z.array(LayerInput).min(1).max(20).optional().describe('the complete list'),
    escalation_minutes: z.int().min(1).max(1440).optional(),
  },
  revision: 'schedule',
  output: OnCallSchedule,
  async handle({ schedule: row, team, name, timezone: zone, layers: layerInputs, ...rest }, ctx) {
    if (name !== undefined) await requireFreeName(ctx, name.trim(), row.id)
    const layers = layerInputs && (await layersFrom(ctx, layerInputs, zone ?? row.timezone))
    if (layers) await requireLevelsOfOverrides(ctx, row, layers)
    const { escalation_minutes } = rest
    const changed = await ctx.change(
      'on_call_schedules',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        timezone: zone,
        team_id: team === undefined ? undefined : (team?.id ?? null),
        layers_json: layers === undefined ? undefined : JSON.stringify(layers),
        escalation_minutes,
      }),
    )
    if (layers) {
      const before = new Set(layersOf(row).flatMap((layer) => layer.people))
      notifyPeople(ctx, changed, layers, (person) => !before.has(person))
    }
    const period = defaultPeriod(ctx.now)
    return (await presentSchedules(ctx, [changed], period, false))[0]!
  },
})

export const deleteOnCallSchedule = operation({
  name: 'delete_on_call_schedule',
  searchHint: 'remove a rota, stop a rotation',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/on-call-schedules/{schedule_id}',
  about: 'Move an on-call schedule that no service uses to the trash',
  on: { schedule: onCallSchedule.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ schedule: row }, ctx) {
    const usingServices = await service
      .visibleTo(ctx)
      .select(['services.id', 'services.name'])
      .where('services.schedule_id', '=', row.id)
      .orderBy('services.name')
      .limit(20)
      .execute()
    if (usingServices.length > 0) {
      const names = usingServices.map((entry) => entry.name).join(', ')
      throw new Refusal('conflict', `These services page ${row.name} for incidents: ${names}.`, {
        hint: 'Give them another schedule, or null, with update_service first.',
        context: { service_ids: usingServices.map((entry) => entry.id) },
      })
    }
    await ctx.trash('on_call_schedules', row)
    return deletedRef(ctx, onCallSchedule.ref(row, ctx.baseUrl))
  },
})

/** @throws Refusal conflict if an override would refer to a removed level */
async function requireLevelsOfOverrides(
  ctx: ReadContext,
  row: ScheduleRow,
  layers: readonly Layer[],
): Promise<void> {
  const levels = levelsOf({ layers: [...layers] })
  const affectedOverrides = await onCallOverride
    .of(ctx, [row.id])
    .select(['on_call_overrides.id', 'on_call_overrides.level'])
    .where('on_call_overrides.ends_at', '>', ctx.now)
    .where('on_call_overrides.level', 'not in', levels)
    .limit(20)
    .execute()
  if (affectedOverrides.length === 0) return
  throw new Refusal(
    'conflict',
    `Level ${affectedOverrides[0]!.level} would be removed, but an override covers it.`,
    {
      field: 'layers',
      hint: 'Keep the level, or end its overrides with delete_on_call_override first.',
      context: { override_ids: affectedOverrides.map((entry) => entry.id) },
    },
  )
}

function notifyPeople(
  ctx: WriteContext,
  row: ScheduleRow,
  layers: readonly Layer[],
  isNew = (_person: string) => true,
): void {
  for (const person of new Set(layers.flatMap((layer) => layer.people).filter(isNew))) {
    const levels = [
      ...new Set(
        layers.filter((layer) => layer.people.includes(person)).map((layer) => layer.level),
      ),
    ].sort((a, b) => a - b)
    ctx.notify(
      'assignment',
      [person],
      'on_call_schedules',
      row,
      `You were added to the rotation of this on-call schedule at level ${levels.join(' and ')}`,
    )
  }
}

/** @throws Refusal conflict if another schedule has that name */
async function requireFreeName(ctx: ReadContext, name: string, ownId?: string): Promise<void> {
  const other = await onCallSchedule
    .visibleTo(ctx)
    .select(['on_call_schedules.id', 'on_call_schedules.name'])
    .where(equalsText('on_call_schedules.name', name))
    .executeTakeFirst()
  if (!other || other.id === ownId) return
  throw new Refusal(
    'conflict',
    `There is already an on-call schedule named ${JSON.stringify(other.name)}.`,
    {
      field: 'name',
      hint: 'Change that one with update_on_call_schedule, or choose another name.',
      context: { existing_id: other.id },
    },
  )
}

function periodFrom(
  ctx: ReadContext,
  requestedFrom: string | undefined,
  requestedTo: string | undefined,
): ShiftSpan {
  const zone = ctx.actor.timezone
  const from =
    requestedFrom === undefined ? ctx.now : parseInstant(requestedFrom, zone, 'start', 'from')
  const until =
    requestedTo === undefined
      ? defaultPeriod(from).until
      : parseInstant(requestedTo, zone, 'end', 'to')
  if (until <= from) throw invalid('to', `must be after from.`)
  if (until - from > maxPeriodMs)
    throw invalid('to', 'the period must not exceed 100 days.', 'Request it in parts.')
  if (Math.abs(from - ctx.now) > maxDistanceMs)
    throw invalid('from', 'must be within ten years of now.')
  return { from, until }
}
