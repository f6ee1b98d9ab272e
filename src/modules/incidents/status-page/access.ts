import { sql, type Kysely, type SqlBool } from 'kysely'
import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { part } from '../../../records/part.ts'
import { extend } from '../../../records/resource-extensions.ts'
import { type Row, type Scoped, resource } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import { withdrawUpdate, type IntervalState, type ServiceState } from './access-states.ts'

type Database = Kysely<Tables>
export type UpdateRow = Row<'status_updates'>
export type { IntervalState, ServiceState } from './access-states.ts'

const organizationStatusUpdates = (scope: AccessScope) =>
  scope.all.selectFrom('status_updates').where('status_updates.org_id', '=', scope.actor.org_id)

/**
 * Updates on the status page: readable by all, and members who are not guests may continue a thread. An update never
 * changes; its effects on the thread and on services are internal bookkeeping (access-states.ts), and are undone together with
 * it.
 */
export const statusUpdate = resource('status_updates', {
  type: 'status_update',
  prefix: 'sup',
  see: organizationStatusUpdates,
  edit: (s) =>
    s.actor.role === 'guest'
      ? organizationStatusUpdates(s).where(sql<SqlBool>`1 = 0`)
      : organizationStatusUpdates(s),
  own: (s) =>
    isAdmin(s.actor)
      ? organizationStatusUpdates(s)
      : organizationStatusUpdates(s).where('status_updates.created_by', '=', s.actor.id),
  rule: {
    edit: 'Guests cannot publish status updates.',
    own: 'Only its publisher or an administrator can undo a status update.',
  },
  title: (row) => row.title,
  path: (row) => `status-updates/${row.id}`,
  hardDelete: true,
  outside: { isVisible: () => true, unseen: ['incident_id'] },
})

extend(statusUpdate, 'undo', {
  undoCreate: withdrawUpdate,
})

/** States that an update gives to services; written internally only. */
export const statusUpdateService = part('status_update_services', {
  table: 'status_updates',
  by: 'update_id',
  unique: ['update_id', 'service_id'],
  field: 'service_states',
  touch: 'time',
})

/** Non-operational periods of a service; an open one is its current state. Written internally only. */
const serviceInterval = part('service_intervals', {
  table: 'services',
  by: 'service_id',
  unique: ['service_id', 'starts_at'],
  field: 'state',
  touch: 'time',
})

/** States of visible services, by id, without operational ones. */
export async function statesOf(
  viewer: Viewer,
  ids: readonly Id<'services'>[],
): Promise<Map<string, IntervalState>> {
  if (ids.length === 0) return new Map()
  const rows = await serviceInterval
    .of(viewer, ids)
    .select(['service_intervals.service_id', 'service_intervals.state'])
    .where('service_intervals.ends_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.service_id, row.state]))
}

/** The newest updates of unfinished threads. */
export function openUpdates(reader: Viewer): Scoped<'status_updates'> {
  const { now } = accessScopeOf(reader)
  return statusUpdate.visibleTo(reader).where(openUpdateCondition(now))
}

function openUpdateCondition(now: number) {
  return sql<SqlBool>`status_updates.latest = 1 and status_updates.state <> 'resolved' and (status_updates.phase is null or (status_updates.phase <> 'over' and status_updates.ends_at > ${now}))`
}

/** Maintenances due to start or end, longest due first. */
export async function dueMaintenance(
  { all, now }: TickContext,
  limit: number,
): Promise<UpdateRow[]> {
  const begin = await all
    .selectFrom('status_updates')
    .selectAll()
    .where('phase', '=', 'planned')
    .where('starts_at', '<=', now)
    .orderBy('starts_at')
    .limit(limit)
    .execute()
  const end = await all
    .selectFrom('status_updates')
    .selectAll()
    .where('phase', '=', 'running')
    .where('ends_at', '<=', now)
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  const dueAt = (row: UpdateRow) => (row.phase === 'planned' ? row.starts_at! : row.ends_at!)
  return [...begin, ...end].sort((a, b) => dueAt(a) - dueAt(b)).slice(0, limit)
}

/** A period for summing outages: a day, end exclusive. */
export interface StatusInterval {
  from: number
  to: number
}

export interface Outage {
  service_id: string
  /** Index of the period. */
  n: number
  /** Milliseconds in each state. */
  major_outage: number
  partial_outage: number
  degraded: number
  maintenance: number
}

/** Time that services spent in each state, by service and period; no row for a period without any. */
export async function outagesOf(
  all: Database,
  ids: readonly Id<'services'>[],
  periods: readonly StatusInterval[],
  now: number,
): Promise<Outage[]> {
  if (periods.length === 0 || ids.length === 0) return []
  const list = sql.join(
    periods.map(
      ({ from, to }, n) =>
        sql`(cast(${n} as bigint), cast(${from} as bigint), cast(${Math.min(to, now)} as bigint))`,
    ),
  )
  const timeInState = (state: IntervalState) =>
    sql`sum(case when i.state = ${state} then (case when i.ends_at < d.to_at then i.ends_at else d.to_at end) - (case when i.starts_at > d.from_at then i.starts_at else d.from_at end) else 0 end)`
  const { rows } = await sql<Outage>`
    with d (n, from_at, to_at) as (values ${list}),
    i as (
      select service_id, state, starts_at, coalesce(ends_at, ${now}) as ends_at from service_intervals
      where service_id in (${sql.join(ids)}) and starts_at < ${now} and (ends_at is null or ends_at > ${periods[0]!.from})
    )
    select i.service_id, d.n, ${timeInState('major_outage')} as major_outage, ${timeInState('partial_outage')} as partial_outage, ${timeInState('degraded')} as degraded, ${timeInState('maintenance')} as maintenance
    from i cross join d where i.starts_at < d.to_at and i.ends_at > d.from_at
    group by i.service_id, d.n`.execute(all)
  return rows.map((row) => ({
    ...row,
    n: Number(row.n),
    major_outage: Number(row.major_outage),
    partial_outage: Number(row.partial_outage),
    degraded: Number(row.degraded),
    maintenance: Number(row.maintenance),
  }))
}

/** The same for visible services. */
export function outages(
  viewer: Viewer,
  ids: readonly Id<'services'>[],
  stretches: readonly StatusInterval[],
): Promise<Outage[]> {
  const { all, now } = accessScopeOf(viewer)
  return outagesOf(all, ids, stretches, now)
}

/** Organizations, oldest first, for assigning status page addresses. */
export function organizations(
  all: Database,
): Promise<Pick<Row<'orgs'>, 'id' | 'name' | 'default_timezone' | 'created_at'>[]> {
  return all
    .selectFrom('orgs')
    .select(['id', 'name', 'default_timezone', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function organizationsOf(viewer: Viewer): ReturnType<typeof organizations> {
  return organizations(accessScopeOf(viewer).all)
}

/** A service's public data. */
export type PublicService = Pick<Row<'services'>, 'id' | 'name' | 'description' | 'created_at'> & {
  state: ServiceState
}

// Queries for anonymous visitors: only public services and published updates.

/** Whether an organization has any public content. */
export async function hasPublishedAnything(all: Database, orgId: Id<'orgs'>): Promise<boolean> {
  const update = await all
    .selectFrom('status_updates')
    .select('id')
    .where('org_id', '=', orgId)
    .limit(1)
    .executeTakeFirst()
  if (update) return true
  return Boolean(
    await all
      .selectFrom('services')
      .select('id')
      .where('org_id', '=', orgId)
      .where('is_public', '=', 1)
      .where('deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  )
}

export async function publicServices(all: Database, orgId: Id<'orgs'>): Promise<PublicService[]> {
  const rows = await all
    .selectFrom('services')
    .leftJoin('service_intervals', (join) =>
      join
        .onRef('service_intervals.service_id', '=', 'services.id')
        .on('service_intervals.ends_at', 'is', null),
    )
    .select([
      'services.id',
      'services.name',
      'services.description',
      'services.created_at',
      'service_intervals.state',
    ])
    .where('services.org_id', '=', orgId)
    .where('services.is_public', '=', 1)
    .where('services.deleted_at', 'is', null)
    .orderBy(sql`lower(services.name)`)
    .orderBy('services.id')
    .limit(maxPublicServices)
    .execute()
  return rows.map(({ state, ...row }) => ({ ...row, state: state ?? 'operational' }))
}

const maxPublicServices = 500

export type PublicUpdate = Pick<
  UpdateRow,
  | 'id'
  | 'title'
  | 'thread_id'
  | 'latest'
  | 'state'
  | 'starts_at'
  | 'ends_at'
  | 'phase'
  | 'published_at'
  | 'body_markdown'
>
const publicColumns = [
  'id',
  'title',
  'thread_id',
  'latest',
  'state',
  'starts_at',
  'ends_at',
  'phase',
  'published_at',
  'body_markdown',
] as const

/** Open threads, and those with a last update since `since`, each with its updates, newest first. */
export async function publicThreads(
  all: Database,
  orgId: Id<'orgs'>,
  now: number,
  since: number,
): Promise<PublicUpdate[][]> {
  const columns = publicColumns.map((column) => `status_updates.${column}` as const)
  const latestUpdates = await all
    .selectFrom('status_updates')
    .select(columns)
    .where('org_id', '=', orgId)
    .where(
      sql<SqlBool>`((${openUpdateCondition(now)}) or (latest = 1 and published_at >= ${since}) or (latest = 1 and ends_at >= ${since}))`,
    )
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxThreads)
    .execute()
  const ids = latestUpdates.map((head) => head.thread_id ?? head.id)
  if (ids.length === 0) return []
  const rows = await all
    .selectFrom('status_updates')
    .select(columns)
    .where((eb) => eb.or([eb('id', 'in', ids), eb('thread_id', 'in', ids)]))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxUpdates)
    .execute()
  const byThread = Map.groupBy(rows, (row) => row.thread_id ?? row.id)
  return ids.flatMap((id) => (byThread.has(id) ? [byThread.get(id)!] : []))
}

const maxThreads = 60
const maxUpdates = 600

/** The newest updates, for feeds. */
export function newestPublicUpdates(
  all: Database,
  orgId: Id<'orgs'>,
  limit: number,
): Promise<PublicUpdate[]> {
  return all
    .selectFrom('status_updates')
    .select(publicColumns)
    .where('org_id', '=', orgId)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
