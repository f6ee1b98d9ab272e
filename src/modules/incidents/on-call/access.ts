import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { resource, type Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { wholeShifts, type Layer, type Rota, type Shift, type ShiftSpan } from './shifts.ts'

export type ScheduleRow = Row<'on_call_schedules'>
type OverrideRow = Row<'on_call_overrides'>

const organizationOnCallSchedules = (scope: AccessScope) =>
  scope.all
    .selectFrom('on_call_schedules')
    .where('on_call_schedules.org_id', '=', scope.actor.org_id)
const ledTeamIds = (scope: AccessScope) =>
  scope.all
    .selectFrom('team_members')
    .select('team_members.team_id')
    .where('team_members.person_id', '=', scope.actor.id)
    .where('team_members.role', '=', 'lead')

function editableSchedules(accessScope: AccessScope) {
  if (isAdmin(accessScope.actor)) return organizationOnCallSchedules(accessScope)
  return organizationOnCallSchedules(accessScope).where((eb) =>
    eb.or([
      eb('on_call_schedules.team_id', 'in', ledTeamIds(accessScope)),
      eb.and([
        eb('on_call_schedules.team_id', 'is', null),
        eb('on_call_schedules.created_by', '=', accessScope.actor.id),
      ]),
    ]),
  )
}

const scheduleRule =
  'Only the lead of its team or an administrator can change an on-call schedule; without a team, also the person who created it.'

/** On-call schedules, readable by all members. */
export const onCallSchedule = resource(
  'on_call_schedules',
  {
    type: 'on_call_schedule',
    prefix: 'ocs',
    see: organizationOnCallSchedules,
    edit: editableSchedules,
    own: editableSchedules,
    rule: { edit: scheduleRule, own: scheduleRule },
    names: { columns: ['name'], unique: true },
    list: { tool: 'list_on_call_schedules' },
    title: (row) => row.name,
    path: (row) => `on-call/${row.id}`,
  },
  { trash: true },
)

/** Overrides that assign a person to a level for a period: part of the schedule. */
export const onCallOverride = resource('on_call_overrides', {
  type: 'on_call_override',
  prefix: 'osh',
  see: (s) =>
    s.all
      .selectFrom('on_call_overrides')
      .where(onCallSchedule.holds(s, 'on_call_overrides.schedule_id')),
  inheritsVisibilityFrom: 'schedule_id',
  edit: (s) =>
    s.all
      .selectFrom('on_call_overrides')
      .where(onCallSchedule.holds(s, 'on_call_overrides.schedule_id', 'edit')),
  rule: { edit: scheduleRule },
  title: (row) => `Override of level ${row.level}`,
  path: (row) => `on-call/${row.schedule_id}`,
  partOf: {
    table: 'on_call_schedules',
    by: 'schedule_id',
    field: 'overrides',
    value: ({ level, person_id, starts_at, ends_at }) => ({
      level,
      person: person_id,
      starts_at,
      ends_at,
    }),
    touch: 'revision',
  },
})

export function layersOf({ layers_json }: Pick<ScheduleRow, 'layers_json'>): Layer[] {
  return JSON.parse(layers_json) as Layer[]
}

/** Maximum shift length (layers.ts, overrides.ts): an override further away touches no shift of a period. */
const overrideMarginMs = 400 * dayLength

/**
 * Loads the data needed to compute the shifts of a period, by schedule id: three queries, regardless of the number of
 * schedules. The reader must be able to see the schedules.
 */
export async function rotasOf(
  viewer: Viewer,
  schedules: readonly ScheduleRow[],
  period: ShiftSpan,
): Promise<Map<string, Rota>> {
  if (schedules.length === 0) return new Map()
  const overrides = await onCallOverride
    .of(
      viewer,
      schedules.map((row) => row.id),
    )
    .selectAll('on_call_overrides')
    .where('on_call_overrides.ends_at', '>', period.from - overrideMarginMs)
    .where('on_call_overrides.starts_at', '<', period.until + overrideMarginMs)
    .orderBy('on_call_overrides.id')
    .execute()
  const layers = new Map(schedules.map((row) => [row.id as string, layersOf(row)]))
  const active = await activeAmong(viewer, [
    ...overrides.map((cover) => cover.person_id),
    ...[...layers.values()].flat().flatMap((layer) => layer.people),
  ])
  const bySchedule = Map.groupBy(overrides, (cover) => cover.schedule_id as string)
  return new Map(
    schedules.map((row) => [
      row.id,
      {
        timezone: row.timezone,
        layers: layers.get(row.id)!,
        overrides: (bySchedule.get(row.id) ?? []).map(overrideOf),
        isActive: (person) => active.has(person),
      },
    ]),
  )
}

function overrideOf({ id, level, person_id, starts_at, ends_at }: OverrideRow) {
  return { id, level, person: person_id, from: starts_at, until: ends_at }
}

async function activeAmong(viewer: Viewer, ids: readonly string[]): Promise<Set<string>> {
  const userIds = [...new Set(ids)] as Id<'users'>[]
  if (userIds.length === 0) return new Set()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where('status', '=', 'active')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** A shift with its schedule. */
export interface Duty extends Shift {
  schedule: ScheduleRow
}

/** A person's period in milliseconds, end exclusive. */
export interface PersonPeriod extends ShiftSpan {
  person: string
}

/** A person's shifts that overlap a period, in full length, soonest first; four queries for any number of people. */
export async function dutiesOf(
  viewer: Viewer,
  personPeriods: readonly PersonPeriod[],
): Promise<Duty[][]> {
  if (personPeriods.length === 0) return []
  const schedules = await onCallSchedule
    .visibleTo(viewer)
    .selectAll('on_call_schedules')
    .orderBy('on_call_schedules.name')
    .execute()
  const rotas = await rotasOf(viewer, schedules, {
    from: Math.min(...personPeriods.map((personTime) => personTime.from)),
    until: Math.max(...personPeriods.map((personTime) => personTime.until)),
  })
  const schedulePeople = schedules.map((schedule) => ({
    schedule,
    rota: rotas.get(schedule.id)!,
    people: peopleIn(rotas.get(schedule.id)!),
  }))
  return personPeriods.map(({ person, from: begin, until }) => {
    const relevant = schedulePeople.filter((item) => begin < until && item.people.has(person))
    const duties = relevant.flatMap(({ schedule, rota }) =>
      wholeShifts(rota, begin, until)
        .filter((wholeShift) => wholeShift.person === person)
        .map((wholeShift) => ({ ...wholeShift, schedule })),
    )
    return duties.sort((a, b) => a.from - b.from || a.level - b.level)
  })
}

function peopleIn({ layers, overrides }: Rota): Set<string> {
  return new Set([
    ...layers.flatMap((layer) => layer.people),
    ...overrides.map((cover) => cover.person),
  ])
}

/** Milliseconds in a period during which a person is on call, on any level of any schedule; overlaps count once. */
export async function timeOnCall(viewer: Viewer, personPeriod: PersonPeriod): Promise<number> {
  const [duties] = await dutiesOf(viewer, [personPeriod])
  let [sum, countedUntil] = [0, personPeriod.from]
  for (const duty of duties!) {
    sum += Math.max(0, Math.min(personPeriod.until, duty.until) - Math.max(countedUntil, duty.from))
    countedUntil = Math.max(countedUntil, duty.until)
  }
  return sum
}

// The system's own record of on-duty notifications follows; it is not recorded as anyone's change.

/**
 * Active schedules with a possible shift change: by time, by an edit, or because the clock was ahead at the last
 * check.
 */
export function schedulesToCheck(
  { all, now }: Pick<TickContext, 'all' | 'now'>,
  tolerance: number,
  limit: number,
): Promise<ScheduleRow[]> {
  return all
    .selectFrom('on_call_schedules')
    .leftJoin('on_call_duties', 'on_call_duties.schedule_id', 'on_call_schedules.id')
    .where('on_call_schedules.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('on_call_duties.look_at', 'is', null),
        eb('on_call_duties.look_at', '<=', now),
        eb('on_call_duties.looked_at', '>', now + tolerance),
        eb('on_call_duties.seen_revision', '<>', eb.ref('on_call_schedules.revision')),
      ]),
    )
    .selectAll('on_call_schedules')
    .orderBy('on_call_schedules.id')
    .limit(limit)
    .execute()
}

/** Person last notified of being on duty, by level. */
export async function lastNotifiedOnDuty(
  viewer: Viewer,
  scheduleId: Id<'on_call_schedules'>,
): Promise<Record<string, string> | undefined> {
  const row = await accessScopeOf(viewer)
    .all.selectFrom('on_call_duties')
    .select('on_duty_json')
    .where('schedule_id', '=', scheduleId)
    .executeTakeFirst()
  return row && (JSON.parse(row.on_duty_json) as Record<string, string>)
}

export async function recordOnDuty(
  reader: Viewer,
  schedule: ScheduleRow,
  onDuty: Record<string, string>,
  look_at: number,
): Promise<void> {
  const { all, now } = accessScopeOf(reader)
  const record = {
    on_duty_json: JSON.stringify(onDuty),
    seen_revision: schedule.revision,
    looked_at: now,
    look_at,
  }
  await all
    .insertInto('on_call_duties')
    .values({ schedule_id: schedule.id, org_id: schedule.org_id, ...record })
    .onConflict((conflict) => conflict.column('schedule_id').doUpdateSet(record))
    .execute()
}
