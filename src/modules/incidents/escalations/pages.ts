import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { holdersOf } from '../access.ts'
import {
  addTargets,
  admins,
  pagingChannelsOf,
  escalation,
  targetsOf,
  notifyPaged,
  eligibleResponders,
  type EscalationRow,
} from './access.ts'
import {
  lastResort,
  levelOf,
  targetsOfRoute,
  type Level,
  type RouteTargets,
  type Route,
} from './routes.ts'
import { armSoon } from './timers.ts'
import { addTimelineEntry } from '../incidents/timeline.ts'

type Incident = Row<'incidents'>
type PersonId = Id<'users'>

const minute = 60_000

/** One pass through the levels. */
export interface Round {
  number: number
  route: Route
  /** Reason for the start, as a sentence; empty if obvious. */
  reason: string
}

/** The number of an incident's next round. */
export async function nextRound(ctx: WriteContext, incident: Incident): Promise<number> {
  const last = await escalation
    .of(ctx, [incident.id])
    .select('escalations.round')
    .orderBy('escalations.round', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (last?.round ?? 0) + 1
}

/** Starts a round: pages its first level with people, or the last resort if there is none. */
export async function beginRound(
  ctx: WriteContext,
  incidentRow: Incident,
  round: Round,
): Promise<EscalationRow> {
  const reach = await targetsOfRoute(ctx, incidentRow, round.route)
  const paged = await pageFrom(ctx, incidentRow, round, reach, 0)
  if (paged) return paged
  const people = await lastResort(ctx, incidentRow, reach)
  const level = {
    level: (reach.levels.at(-1) ?? 0) + 1,
    people,
    explanation:
      'No one is on call at any level: the team lead was paged, or the administrators if there is none.',
  }
  return pageLevel(ctx, incidentRow, round, reach, level)
}

/** Pages the next level with people; undefined if none is left. Each skipped level gets a row saying so. */
export async function pageFrom(
  ctx: WriteContext,
  incident: Incident,
  round: Round,
  reach: RouteTargets,
  afterLevel: number,
): Promise<EscalationRow | undefined> {
  for (const number of reach.levels.filter((level) => level > afterLevel)) {
    const level = await levelOf(ctx, incident, reach, number)
    if (level.people.length > 0) return pageLevel(ctx, incident, round, reach, level)
    await addEscalation(ctx, incident, round, reach, level)
    await addTimelineEntry(ctx, incident, {
      kind: 'escalation',
      text: `Skipped level ${number}. ${level.explanation}`,
      to: `level ${number}`,
    })
  }
  return undefined
}

async function pageLevel(
  ctx: WriteContext,
  incidentRow: Incident,
  round: Round,
  reach: RouteTargets,
  level: Level,
): Promise<EscalationRow> {
  const row = await addEscalation(ctx, incidentRow, round, reach, level)
  await addTargets(ctx, row, level.people)
  const text = `You were paged for ${incidentRow.key} (${incidentRow.severity})${round.route.kind === 'person' || round.route.kind === 'team' ? '' : `, level ${level.level}`}: please acknowledge it`
  await notifyPaged(ctx, incidentRow, level.people, text)
  await addTimelineEntry(ctx, incidentRow, {
    kind: 'escalation',
    text: [`Paged ${await pagedPeopleText(ctx, level.people)}.`, row.reason]
      .filter((name) => name !== '')
      .join(' '),
    to: `level ${level.level}`,
  })
  ctx.event('incident.escalated', 'incidents', incidentRow)
  await armSoon(ctx, row)
  return row
}

/** Inserts the row of a level; the database allows one per round and level. */
async function addEscalation(
  ctx: WriteContext,
  incident: Incident,
  { number, route, reason }: Round,
  { minutes }: RouteTargets,
  { level, people, explanation }: Level,
): Promise<EscalationRow> {
  const isPaging = people.length > 0
  return ctx.add('escalations', {
    incident_id: incident.id,
    round: number,
    level,
    route: route.kind,
    route_ids_json: route.ids ? JSON.stringify(route.ids) : null,
    status: isPaging ? 'paging' : 'exhausted',
    wait_minutes: minutes,
    next_at: isPaging ? ctx.now + minutes * minute : null,
    channels_json: JSON.stringify(await pagingChannelsOf(ctx, people)),
    reason: [reason, explanation].filter((name) => name !== '').join(' '),
  })
}

/** Unanswered pages, first round first. */
export function runningPages(ctx: WriteContext, incidentRow: Incident): Promise<EscalationRow[]> {
  return escalation
    .of(ctx, [incidentRow.id])
    .selectAll('escalations')
    .where('escalations.status', '=', 'paging')
    .orderBy('escalations.round')
    .execute()
}

/**
 * The last page of a round has expired. If no one else is being paged, notifies people who can act; otherwise the
 * person who requested the page.
 */
export async function endRound(
  ctx: WriteContext,
  incident: Incident,
  row: EscalationRow,
  reach: RouteTargets,
): Promise<void> {
  const requesterIds = row.route === 'services' ? [] : [row.created_by]
  if (incident.status !== 'open' || (await runningPages(ctx, incident)).length > 0) {
    const paged = await pagedPeopleText(ctx, (await targetsOf(ctx, [row])).get(row.id) ?? [])
    await notifyPaged(
      ctx,
      incident,
      await eligibleResponders(ctx, incident, requesterIds),
      `No one you paged has acknowledged ${incident.key}: ${paged}`,
    )
    return void (await addTimelineEntry(ctx, incident, {
      kind: 'escalation',
      text: `No answer from ${paged}.`,
      from: `level ${row.level}`,
      to: 'exhausted',
    }))
  }
  const lead = (await holdersOf(ctx, [incident.id]))
    .filter((holder) => holder.role === 'lead')
    .map((holder) => holder.person_id)
  const people = await eligibleResponders(ctx, incident, [
    ...lead,
    ...requesterIds,
    ...reach.leads,
    ...(await admins(ctx)),
  ])
  await notifyPaged(
    ctx,
    incident,
    people,
    `No one has acknowledged ${incident.key}, and there is no one left to page`,
  )
  await addTimelineEntry(ctx, incident, {
    kind: 'escalation',
    text: `No one has acknowledged, and no levels are left. Notified ${await pagedPeopleText(ctx, people)}.`,
    from: `level ${row.level}`,
    to: 'exhausted',
  })
}

async function pagedPeopleText(ctx: WriteContext, people: readonly PersonId[]): Promise<string> {
  const refs = await peopleRefs(ctx, people)
  return people.length === 0 ? 'no one' : people.map((id) => refs.get(id)?.title ?? id).join(', ')
}
