import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { extend } from '../../../records/resource-extensions.ts'
import { resource, type Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { notifyPeople, channelPreferences } from '../../../notify/notifications.ts'
import { incident } from '../access.ts'

export type EscalationRow = Row<'escalations'>
export type PagingChannel = 'app' | 'email' | 'webhook'

/** Pages of an incident. They have been sent and cannot be undone. */
export const escalation = resource('escalations', {
  type: 'escalation',
  prefix: 'esc',
  see: (s) => s.all.selectFrom('escalations').where(incident.holds(s, 'escalations.incident_id')),
  inheritsVisibilityFrom: 'incident_id',
  title: (row) => `Level ${row.level}`,
  path: (row) => `incidents/${row.incident_id}`,
  partOf: {
    table: 'incidents',
    by: 'incident_id',
    field: 'escalations',
    value: ({ round, level, status }) => ({ round, level, status }),
    touch: 'time',
  },
})

extend(escalation, 'undo', {
  irreversible: true,
})

export async function targetsOf(
  viewer: Viewer,
  pages: readonly Pick<EscalationRow, 'id'>[],
): Promise<Map<string, Id<'users'>[]>> {
  if (pages.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('escalation_targets')
    .select(['escalation_id', 'person_id'])
    .where(
      'escalation_id',
      'in',
      pages.map((page) => page.id),
    )
    .orderBy('person_id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.escalation_id as string)].map(([id, targetRows]) => [
      id,
      targetRows.map((item) => item.person_id),
    ]),
  )
}

export async function addTargets(
  reader: Viewer,
  { id, org_id }: EscalationRow,
  people: readonly Id<'users'>[],
): Promise<void> {
  const { all, now } = accessScopeOf(reader)
  if (people.length > 0)
    await all
      .insertInto('escalation_targets')
      .values(people.map((person_id) => ({ escalation_id: id, person_id, org_id, paged_at: now })))
      .execute()
}

/**
 * Notifies people of a visible incident, separately from the call's other notifications; including the person who
 * triggered it, whose assistant may have done so.
 */
export async function notifyPaged(
  viewer: Viewer,
  { id }: Row<'incidents'>,
  people: readonly Id<'users'>[],
  text: string,
): Promise<void> {
  const { all, now, actor } = accessScopeOf(viewer)
  await notifyPeople(all, now, actor.org_id, people, {
    kind: 'incident',
    item: { type: 'incident', id },
    actor: actor.via === 'automation' ? null : actor.id,
    text,
  })
}

/** Channels by which pages reach people, by their settings. */
export async function pagingChannelsOf(
  reader: Viewer,
  people: readonly Id<'users'>[],
): Promise<PagingChannel[]> {
  if (people.length === 0) return []
  const { all } = accessScopeOf(reader)
  const rows = await all
    .selectFrom('users')
    .leftJoin('inboxes', 'inboxes.person_id', 'users.id')
    .select('inboxes.events_json')
    .where('users.id', 'in', people)
    .execute()
  const preferences = rows.map((row) => channelPreferences(row.events_json, 'incident'))
  const webhook = await all
    .selectFrom('webhooks')
    .select('id')
    .where('owner_id', 'in', people)
    .where('active', '=', 1)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('events_json', 'like', '%"incident.escalated"%'),
        eb('events_json', 'like', '%"incident.*"%'),
      ]),
    )
    .executeTakeFirst()
  return [
    ...(preferences.some((way) => way.app) ? ['app' as const] : []),
    ...(preferences.some((way) => way.email) ? ['email' as const] : []),
    ...(webhook ? ['webhook' as const] : []),
  ]
}

/**
 * Filters people to those who are active and can acknowledge an incident: anyone with a role in it, administrators,
 * and, unless it is restricted, members.
 */
export async function eligibleResponders(
  viewer: Viewer,
  row: Row<'incidents'>,
  people: readonly string[],
): Promise<Id<'users'>[]> {
  if (people.length === 0) return []
  const activeUsers = await accessScopeOf(viewer)
    .all.selectFrom('users')
    .select('users.id')
    .where('users.id', 'in', [...new Set(people)] as Id<'users'>[])
    .where('users.status', '=', 'active')
    .where((eb) => {
      const holders = eb
        .selectFrom('incident_roles')
        .select('incident_roles.person_id')
        .where('incident_roles.incident_id', '=', row.id)
      return eb.or([
        eb('users.role', 'in', row.restricted === 1 ? ['admin'] : ['admin', 'member']),
        eb('users.id', 'in', holders),
      ])
    })
    .orderBy('users.id')
    .execute()
  return activeUsers.map((item) => item.id)
}

/** The active administrators of the actor's organization. */
export async function admins(reader: Viewer): Promise<Id<'users'>[]> {
  const { all, actor } = accessScopeOf(reader)
  const rows = await all
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', actor.org_id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Active people of teams; for some only the leads. */
export async function peopleOfTeams(
  viewer: Viewer,
  teams: readonly (Id<'teams'> | null)[],
  only?: 'lead',
): Promise<Id<'users'>[]> {
  const ids = teams.filter((id) => id !== null)
  if (ids.length === 0) return []
  let query = accessScopeOf(viewer)
    .all.selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.person_id')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('users.id')
    .distinct()
    .where('team_members.team_id', 'in', ids)
    .where('teams.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
  if (only) query = query.where('team_members.role', '=', only)
  return (await query.orderBy('users.id').execute()).map((row) => row.id)
}

export interface EscalationPage {
  person_id: Id<'users'>
  paged_at: number
  timezone: string
}

/** Ids of visible incidents, or a query that finds them. */
export type IncidentIds =
  | readonly Id<'incidents'>[]
  | SelectQueryBuilder<any, any, { incident_id: Id<'incidents'> }>

/** Pages of a period, one per person, of visible incidents or some of them. */
export function pagesIn(
  ctx: ReadContext,
  { from, to, incidentIds }: { from: number; to: number; incidentIds?: IncidentIds | undefined },
): Promise<EscalationPage[]> {
  let pages = accessScopeOf(ctx)
    .all.selectFrom('escalation_targets')
    .innerJoin('escalations', 'escalations.id', 'escalation_targets.escalation_id')
    .innerJoin('users', 'users.id', 'escalation_targets.person_id')
    .where('escalation_targets.org_id', '=', ctx.actor.org_id)
    .where('escalation_targets.paged_at', '>=', from)
    .where('escalation_targets.paged_at', '<=', to)
    .where(incident.holds(ctx, 'escalations.incident_id'))
  if (incidentIds) pages = pages.where('escalations.incident_id', 'in', incidentIds)
  return pages
    .select(['escalation_targets.person_id', 'escalation_targets.paged_at', 'users.timezone'])
    .execute()
}

// The queries below find work for the system itself.

function runningEscalations({ all }: Pick<TickContext, 'all'>) {
  return all
    .selectFrom('escalations')
    .innerJoin('incidents', 'incidents.id', 'escalations.incident_id')
    .where('escalations.status', '=', 'paging')
    .where('incidents.deleted_at', 'is', null)
    .where('incidents.status', 'not in', ['resolved', 'closed'])
    .selectAll('escalations')
}

/** A page with an expired time limit, of an incident still being worked on. */
export function dueEscalation(system: TickContext, id: string): Promise<EscalationRow | undefined> {
  return runningEscalations(system)
    .where('escalations.id', '=', id as EscalationRow['id'])
    .where('escalations.next_at', '<=', system.now)
    .executeTakeFirst()
}

/** Pages expiring by a moment without a job of a kind. */
export function escalationsDue(
  system: TickContext,
  until: number,
  kind: string,
  limit: number,
): Promise<EscalationRow[]> {
  return runningEscalations(system)
    .where('escalations.next_at', '<=', until)
    .where(
      sql<SqlBool>`not exists (select 1 from jobs where jobs.kind = ${kind} and jobs.unique_key = escalations.id and jobs.finished_at is null)`,
    )
    .orderBy('escalations.next_at')
    .limit(limit)
    .execute()
}

/**
 * Pages that would wait longer than their time limit: the clock was ahead when they were sent, and was corrected.
 * Their time restarts now.
 */
export async function resetOverlongWaits(
  { all, now }: TickContext,
  tolerance: number,
): Promise<void> {
  await all
    .updateTable('escalations')
    .set({ next_at: sql<number>`${now} + wait_minutes * 60000` })
    .where('status', '=', 'paging')
    .where(sql<SqlBool>`next_at > ${now + tolerance} + wait_minutes * 60000`)
    .execute()
}

/** Actor for escalating a page: the person who triggered it, else an administrator; undefined if none is active. */
export async function actorFor(
  { all }: TickContext,
  { org_id, created_by }: EscalationRow,
): Promise<Id<'users'> | undefined> {
  const active = all
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', org_id)
    .where('status', '=', 'active')
  const self = await active.where('id', '=', created_by as Id<'users'>).executeTakeFirst()
  return (self ?? (await active.where('role', '=', 'admin').orderBy('id').executeTakeFirst()))?.id
}

/** A page's incident, visible to the caller or not. */
export function incidentOf(
  { all }: TickContext,
  { incident_id }: EscalationRow,
): Promise<Row<'incidents'>> {
  return all
    .selectFrom('incidents')
    .selectAll()
    .where('id', '=', incident_id)
    .executeTakeFirstOrThrow()
}
