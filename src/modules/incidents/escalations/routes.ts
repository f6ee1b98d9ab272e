import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { person, team } from '../../directory/access.ts'
import { service, servicesOf } from '../access.ts'
import { admins, peopleOfTeams, whoCanTake, type EscalationRow } from './access.ts'
import { layersOf, onCallSchedule, rotasOf, type ScheduleRow } from '../on-call/access.ts'
import { levelsOf, shiftsAt, type Rota } from '../on-call/shifts.ts'

type Incident = Row<'incidents'>
type PersonId = Id<'users'>

/**
 * The source of a page's people: the incident's services (`ids` undefined: its services at that time) or some of
 * them, a schedule, a person, a team.
 */
export interface Route {
  kind: EscalationRow['route']
  ids: readonly string[] | undefined
}

/** Targets of a route: schedules, and people who are paged first beside them. */
export interface Reach {
  schedules: ScheduleRow[]
  rotas: Map<string, Rota>
  /** Also paged on level 1. */
  beside: PersonId[]
  /** Reasons for paging them instead of someone on call. */
  why: string[]
  /** Leads of the services' teams. */
  leads: PersonId[]
  minutes: number
  levels: number[]
}

/** The people paged by a level and the reasons; or the reason why there are none. */
export interface Level {
  level: number
  people: PersonId[]
  why: string
}

const defaultMinutes = 15

export function routeOf({ route, route_ids_json }: EscalationRow): Route {
  return {
    kind: route,
    ids: route_ids_json === null ? undefined : (JSON.parse(route_ids_json) as string[]),
  }
}

/** Resolves the current targets of a route. */
export async function reachOf(
  ctx: ReadContext,
  incident: Incident,
  { kind, ids = [] }: Route,
): Promise<Reach> {
  if (kind === 'services')
    return reachOfServices(
      ctx,
      ids.length > 0
        ? [...(await service.among(ctx, ids)).values()]
        : ((await servicesOf(ctx, [incident.id])).get(incident.id) ?? []),
    )
  if (kind === 'schedule')
    return reach(ctx, [...(await onCallSchedule.among(ctx, ids)).values()], [], [], [])
  if (kind === 'person')
    return reach(
      ctx,
      [],
      [...(await person.among(ctx, ids)).values()]
        .filter((row) => row.status === 'active')
        .map((row) => row.id),
      [],
      [],
    )
  const teams = [...(await team.among(ctx, ids)).values()]
  return reach(
    ctx,
    [],
    await peopleOfTeams(
      ctx,
      teams.map((row) => row.id),
    ),
    teams.map((row) => `The team ${row.name} was requested.`),
    [],
  )
}

/** The services' schedules; for a service without one its team lead; failing that, the administrators. */
async function reachOfServices(
  ctx: ReadContext,
  services: readonly Row<'services'>[],
): Promise<Reach> {
  const schedules = await onCallSchedule.among(
    ctx,
    services.flatMap((row) => row.schedule_id ?? []),
  )
  const without = services.filter((row) => !schedules.has(row.schedule_id ?? ''))
  const beside = new Set<PersonId>()
  const why: string[] = []
  for (const row of without) {
    const leads = await peopleOfTeams(ctx, [row.team_id], 'lead')
    why.push(
      `${row.name} has no on-call schedule${leads.length > 0 ? ': its team lead was paged.' : ' and no team lead: the administrators were paged.'}`,
    )
    for (const id of leads.length > 0 ? leads : await admins(ctx)) beside.add(id)
  }
  if (services.length === 0) {
    why.push('The incident has no service: the administrators were paged.')
    for (const id of await admins(ctx)) beside.add(id)
  }
  return reach(
    ctx,
    [...schedules.values()],
    [...beside],
    why,
    await peopleOfTeams(
      ctx,
      services.map((row) => row.team_id),
      'lead',
    ),
  )
}

async function reach(
  ctx: ReadContext,
  schedules: ScheduleRow[],
  beside: PersonId[],
  why: string[],
  leads: PersonId[],
): Promise<Reach> {
  const levels = new Set([
    ...schedules.flatMap((row) => levelsOf({ layers: layersOf(row) })),
    ...(beside.length > 0 || schedules.length === 0 ? [1] : []),
  ])
  return {
    schedules,
    rotas: await rotasOf(ctx, schedules, { from: ctx.now, until: ctx.now + 1 }),
    beside,
    why,
    leads,
    minutes: Math.min(defaultIfNone(schedules), ...schedules.map((row) => row.escalation_minutes)),
    levels: [...levels].sort((a, b) => a - b),
  }
}

const defaultIfNone = (schedules: readonly ScheduleRow[]) =>
  schedules.length === 0 ? defaultMinutes : Infinity

/** Resolves the current targets of one level, limited to those who can take the incident. */
export async function levelOf(
  ctx: ReadContext,
  incident: Incident,
  { schedules, rotas, beside, why }: Reach,
  level: number,
): Promise<Level> {
  const onCall = schedules.flatMap((row) =>
    shiftsAt(rotas.get(row.id)!, ctx.now)
      .filter((shift) => shift.level === level)
      .map((shift) => shift.person),
  )
  const wanted = [...onCall, ...(level === 1 ? beside : [])]
  const people = await whoCanTake(ctx, incident, wanted)
  if (people.length > 0) return { level, people, why: level === 1 ? why.join(' ') : '' }
  const names = schedules
    .filter((row) => levelsOf({ layers: layersOf(row) }).includes(level))
    .map((row) => row.name)
  return {
    level,
    people,
    why:
      wanted.length > 0
        ? `No one on call at level ${level} can take this incident.`
        : `No one is on call at level ${level}${names.length > 0 ? ` of ${names.join(', ')}` : ''}.`,
  }
}

/** Recipients if no level has a target: the leads of the teams, or else the administrators. */
export async function lastResort(
  ctx: ReadContext,
  incidentRow: Incident,
  { leads }: Reach,
): Promise<PersonId[]> {
  const seeing = await whoCanTake(ctx, incidentRow, leads)
  return seeing.length > 0 ? seeing : admins(ctx)
}
