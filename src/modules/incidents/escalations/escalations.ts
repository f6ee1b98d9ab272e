import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person, team } from '../../directory/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { incident, servicesOf } from '../access.ts'
import {
  admins,
  escalation,
  peopleOfTeams,
  eligibleResponders,
  type EscalationRow,
} from './access.ts'
import { onCallSchedule, rotasOf, type ScheduleRow } from '../on-call/access.ts'
import { beginRound, nextRound, runningPages } from './pages.ts'
import { targetsOfRoute, routeOf } from './routes.ts'
import { Escalation, pagedFor, presentEscalation } from './shapes.ts'
import { pageNextLevel } from './steps.ts'
import { shiftsAt } from '../on-call/shifts.ts'
import { isActive } from '../incidents/states.ts'

type Incident = Row<'incidents'>

interface EscalationTargets {
  person: Row<'users'> | undefined
  team: Row<'teams'> | undefined
  schedule: ScheduleRow | undefined
}

export const escalateIncident = operation({
  name: 'escalate_incident',
  searchHint: 'page someone, call the next engineer, wake up, need help, backup engineer',
  kind: 'destructive',
  rest: 'POST /api/incidents/{incident_id}/escalate',
  about: 'Page the next on-call level, a person or a team now',
  on: {
    incident: incident.edit,
    person: person.see.maybe.describe('page them now, in addition to the levels'),
    team: team.see.maybe.describe('page all its members now, in addition to the levels'),
    schedule: onCallSchedule.see.maybe.describe('page the people on call there, level by level'),
  },
  input: {
    reason: z
      .string()
      .min(1)
      .max(2000)
      .regex(/\S/, 'must not be blank')
      .describe('for the timeline'),
  },
  output: Escalation,
  async handle({ incident, person, team, schedule, reason }, ctx) {
    const recipients = { person, team, schedule }
    if (Object.values(recipients).filter((item) => item !== undefined).length > 1)
      throw invalid(
        'person_id',
        'send one of person_id, team_id and schedule_id, or none for the next level.',
      )
    requireActive(incident, reason)
    const row = await pageResponders(
      ctx,
      incident,
      recipients,
      `${ctx.actor.display_name} escalated: ${reason.trim()}`,
    )
    return presentEscalation(ctx, incident, row)
  },
})

function requireActive(incident: Incident, reason: string): void {
  if (isActive(incident)) return
  const next = { tool: 'reopen_incident', arguments: { incident_id: incident.key, reason } }
  throw new Refusal(
    'conflict',
    `${incident.key} is ${incident.status}: it no longer pages anyone.`,
    {
      hint: 'Reopen it first.',
      next,
    },
  )
}

async function pageResponders(
  ctx: WriteContext,
  incidentRow: Incident,
  { person, team, schedule }: EscalationTargets,
  reason: string,
): Promise<EscalationRow> {
  const round = async (kind: EscalationRow['route'], id: string) =>
    beginRound(ctx, incidentRow, {
      number: await nextRound(ctx, incidentRow),
      route: { kind, ids: [id] },
      reason,
    })
  if (person) {
    await requirePageable(ctx, incidentRow, person)
    return round('person', person.id)
  }
  if (team) {
    await requireEligible(
      ctx,
      incidentRow,
      await peopleOfTeams(ctx, [team.id]),
      `${team.name} has`,
      'team_id',
    )
    return round('team', team.id)
  }
  if (schedule) {
    await requireEligible(
      ctx,
      incidentRow,
      await onCallIn(ctx, schedule),
      `${schedule.name} has`,
      'schedule_id',
    )
    return round('schedule', schedule.id)
  }
  return escalateToNextLevel(ctx, incidentRow, reason)
}

/** The next level of the round in progress, or of the last one. */
async function escalateToNextLevel(
  ctx: WriteContext,
  incident: Incident,
  reason: string,
): Promise<EscalationRow> {
  const isByLevels = (row: EscalationRow) => row.route === 'services' || row.route === 'schedule'
  const currentPage =
    (await runningPages(ctx, incident)).find(isByLevels) ?? (await lastServicesPage(ctx, incident))
  if (!currentPage)
    return beginRound(ctx, incident, {
      number: await nextRound(ctx, incident),
      route: { kind: 'services', ids: undefined },
      reason,
    })
  const next = await pageNextLevel(ctx, incident, currentPage, reason)
  if (next) return next
  const { schedules } = await targetsOfRoute(ctx, incident, routeOf(currentPage))
  if (schedules.length === 0) throw await noNextLevelRefusal(ctx, incident)
  throw new Refusal(
    'conflict',
    `Level ${currentPage.level} was the last one: there is no next level to page.`,
    'Specify a person_id, team_id or schedule_id (get_on_call shows who is on call).',
  )
}

/** A refusal if no level is left: names the people paged instead, and others who could be paged. */
async function noNextLevelRefusal(ctx: WriteContext, incidentRow: Incident): Promise<Refusal> {
  const paged = await pagedFor(ctx, incidentRow)
  const pagedIds = new Set(paged?.people.map((item) => item.id))
  const teams = [...((await servicesOf(ctx, [incidentRow.id])).get(incidentRow.id) ?? [])].map(
    (row) => row.team_id,
  )
  const eligible = await eligibleResponders(ctx, incidentRow, [
    ...(await peopleOfTeams(ctx, teams)),
    ...(await admins(ctx)),
  ])
  const candidates = [...(await peopleRefs(ctx, eligible)).values()]
    .filter((peopleRef) => !pagedIds.has(peopleRef.id))
    .slice(0, 5)
  const names = paged?.people.map((item) => item.title).join(', ')
  return new Refusal(
    'conflict',
    `${incidentRow.key} has no on-call schedule, so there is no next level.${names ? ` Paged so far: ${names}.` : ''}`,
    {
      hint: 'Page a person_id or team_id, or give its service a schedule with create_on_call_schedule and update_service.',
      context: omitNullish({ paged, candidates }),
    },
  )
}

function lastServicesPage(
  ctx: WriteContext,
  incident: Incident,
): Promise<EscalationRow | undefined> {
  return escalation
    .of(ctx, [incident.id])
    .selectAll('escalations')
    .where('escalations.route', '=', 'services')
    .orderBy('escalations.round', 'desc')
    .orderBy('escalations.level', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function requirePageable(
  ctx: WriteContext,
  incidentRow: Incident,
  who: Row<'users'>,
): Promise<void> {
  if (who.status !== 'active')
    throw invalid('person_id', `${who.display_name} is ${who.status} and cannot be paged.`)
  if ((await eligibleResponders(ctx, incidentRow, [who.id])).length > 0) return
  throw new Refusal(
    'conflict',
    `${who.display_name} needs a role in ${incidentRow.key} to work on it because ${incidentRow.restricted === 1 ? 'it is restricted' : 'they are a guest'}.`,
    {
      field: 'person_id',
      hint: 'Give them a role first.',
      next: {
        tool: 'assign_incident_role',
        arguments: { incident_id: incidentRow.key, role: 'communications', person_id: who.id },
      },
    },
  )
}

async function requireEligible(
  ctx: WriteContext,
  incident: Incident,
  people: readonly string[],
  subject: string,
  field: string,
): Promise<void> {
  if (people.length === 0)
    throw new Refusal('conflict', `${subject} no one who can be paged now.`, { field })
  if ((await eligibleResponders(ctx, incident, people)).length > 0) return
  const why =
    incident.restricted === 1
      ? 'it is restricted to people with a role in it'
      : 'guests need a role in it'
  throw new Refusal('conflict', `${subject} no one who can take ${incident.key}: ${why}.`, {
    field,
    hint: 'Give someone a role first with assign_incident_role.',
  })
}

async function onCallIn(ctx: WriteContext, schedule: ScheduleRow): Promise<string[]> {
  const rota = (await rotasOf(ctx, [schedule], { from: ctx.now, until: ctx.now + 1 })).get(
    schedule.id,
  )!
  return shiftsAt(rota, ctx.now).map((shift) => shift.person)
}
