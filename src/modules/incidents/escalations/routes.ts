import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { person, team } from '../../directory/access.ts'
import { service, servicesOf } from '../access.ts'
import { admins, peopleOfTeams, eligibleResponders, type EscalationRow } from './access.ts'
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

/** Targets of a route: schedules, and people who are paged directly. */
export interface RouteTargets {
  schedules: ScheduleRow[]
  rotas: Map<string, Rota>
  /** Also paged on level 1. */
  directlyPaged: PersonId[]
  /** Reasons for paging them instead of someone on call. */
  explanations: string[]
  /** Leads of the services' teams. */
  leads: PersonId[]
  minutes: number
  levels: number[]
}

/** The people whom a level pages, with the reasons; or the reasons why it pages no one. */
export interface Level {
  level: number
  people: PersonId[]
  explanation: string
}

const defaultMinutes = 15

export function routeOf({ route, route_ids_json }: EscalationRow): Route {
  return {
    kind: route,
    ids: route_ids_json === null ? undefined : (JSON.parse(route_ids_json) as string[]),
  }
}

/** Resolves the current targets of a route. */
export async function targetsOfRoute(
  ctx: ReadContext,
  incident: Incident,
  { kind, ids = [] }: Route,
): Promise<RouteTargets> {
  if (kind === 'services')
    return targetsOfServices(
      ctx,
      ids.length > 0
        ? [...(await service.among(ctx, ids)).values()]
        : ((await servicesOf(ctx, [incident.id])).get(incident.id) ?? []),
    )
  if (kind === 'schedule')
    return buildTargets(ctx, [...(await onCallSchedule.among(ctx, ids)).values()], [], [], [])
  if (kind === 'person')
    return buildTargets(
      ctx,
      [],
      [...(await person.among(ctx, ids)).values()]
        .filter((row) => row.status === 'active')
        .map((row) => row.id),
      [],
      [],
    )
  const teams = [...(await team.among(ctx, ids)).values()]
  return buildTargets(
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
async function targetsOfServices(
  ctx: ReadContext,
  services: readonly Row<'services'>[],
): Promise<RouteTargets> {
  const schedules = await onCallSchedule.among(
    ctx,
    services.flatMap((row) => row.schedule_id ?? []),
  )
  const unscheduledServices = services.filter((row) => !schedules.has(row.schedule_id ?? ''))
  const directlyPaged = new Set<PersonId>()
  const explanations: string[] = []
  for (const row of unscheduledServices) {
    const leads = await peopleOfTeams(ctx, [row.team_id], 'lead')
    explanations.push(
      `${row.name} has no on-call schedule${leads.length > 0 ? ': its team lead was paged.' : ' and no team lead: the administrators were paged.'}`,
    )
    for (const id of leads.length > 0 ? leads : await admins(ctx)) directlyPaged.add(id)
  }
  if (services.length === 0) {
    explanations.push('The incident has no service: the administrators were paged.')
    for (const id of await admins(ctx)) directlyPaged.add(id)
  }
  return buildTargets(
    ctx,
    [...schedules.values()],
    [...directlyPaged],
    explanations,
    await peopleOfTeams(
      ctx,
      services.map((row) => row.team_id),
      'lead',
    ),
  )
}

async function buildTargets(
  ctx: ReadContext,
  schedules: ScheduleRow[],
  directlyPaged: PersonId[],
  explanations: string[],
  leads: PersonId[],
): Promise<RouteTargets> {
  const levels = new Set([
    ...schedules.flatMap((row) => levelsOf({ layers: layersOf(row) })),
    ...(directlyPaged.length > 0 || schedules.length === 0 ? [1] : []),
  ])
  return {
    schedules,
    rotas: await rotasOf(ctx, schedules, { from: ctx.now, until: ctx.now + 1 }),
    directlyPaged,
    explanations,
    leads,
    minutes: Math.min(
      fallbackMinutes(schedules),
      ...schedules.map((row) => row.escalation_minutes),
    ),
    levels: [...levels].sort((a, b) => a - b),
  }
}

const fallbackMinutes = (schedules: readonly ScheduleRow[]) =>
  schedules.length === 0 ? defaultMinutes : Infinity

/** Resolves the current targets of one level, limited to those who can take the incident. */
export async function levelOf(
  ctx: ReadContext,
  incident: Incident,
  { schedules, rotas, directlyPaged, explanations }: RouteTargets,
  level: number,
): Promise<Level> {
  const onCall = schedules.flatMap((row) =>
    shiftsAt(rotas.get(row.id)!, ctx.now)
      .filter((shift) => shift.level === level)
      .map((shift) => shift.person),
  )
  const candidates = [...onCall, ...(level === 1 ? directlyPaged : [])]
  const people = await eligibleResponders(ctx, incident, candidates)
  if (people.length > 0)
    return { level, people, explanation: level === 1 ? explanations.join(' ') : '' }
  const names = schedules
    .filter((row) => levelsOf({ layers: layersOf(row) }).includes(level))
    .map((row) => row.name)
  return {
    level,
    people,
    explanation:
      candidates.length > 0
        ? `No one on call at level ${level} can take this incident.`
        : `No one is on call at level ${level}${names.length > 0 ? ` of ${names.join(', ')}` : ''}.`,
  }
}

/** Recipients if no level has a target: the leads of the teams, or else the administrators. */
export async function lastResort(
  ctx: ReadContext,
  incidentRow: Incident,
  { leads }: RouteTargets,
): Promise<PersonId[]> {
  const eligibleLeads = await eligibleResponders(ctx, incidentRow, leads)
  return eligibleLeads.length > 0 ? eligibleLeads : admins(ctx)
}
