import { sql, type SqlBool } from 'kysely'
import { isAdmin } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { part } from '../../records/part.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type Row, resource } from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'

// Parts of on-call schedules that other modules read.
export { dutiesOf, onCallSchedule, timeOnCall, type Duty } from './on-call/access.ts'

const ledTeamIds = (scope: AccessScope) =>
  scope.all
    .selectFrom('team_members')
    .select('team_members.team_id')
    .where('team_members.person_id', '=', scope.actor.id)
    .where('team_members.role', '=', 'lead')

const serviceRule =
  'Only the lead of its team or an administrator can change a service; without a team, also the person who registered it.'

/** Services, readable by all members. */
export const service = resource(
  'services',
  {
    type: 'service',
    prefix: 'srv',
    see: (s) => s.all.selectFrom('services').where('services.org_id', '=', s.actor.org_id),
    edit: (s) => editableServices(s),
    own: (s) => editableServices(s),
    rule: { edit: serviceRule, own: serviceRule },
    isOutbound: (row, before) => isOnStatusPage(row) && !(before && isOnStatusPage(before)),
    outside: { isVisible: isOnStatusPage, unseen: ['team_id', 'schedule_id'] },
    names: { columns: ['name'], unique: true },
    list: { tool: 'list_services' },
    title: (row) => row.name,
    path: (row) => `services/${row.id}`,
  },
  { trash: true },
)

extend(service, 'undo', {
  isInUse: isServiceInUse,
})

/** Whether a service has incidents or dependents. */
async function isServiceInUse(id: string, { all }: AccessScope): Promise<boolean> {
  const hit = await all
    .selectFrom('incident_services')
    .select('service_id')
    .where('service_id', '=', id as Id<'services'>)
    .executeTakeFirst()
  if (hit) return true
  const dependent = await all
    .selectFrom('service_dependencies')
    .select('service_id')
    .where('depends_on_id', '=', id as Id<'services'>)
    .executeTakeFirst()
  return dependent !== undefined
}

/** Whether a service is on the public status page. */
function isOnStatusPage({ is_public, deleted_at }: Row<'services'>): boolean {
  return is_public === 1 && deleted_at === null
}

function editableServices(scope: AccessScope) {
  const services = scope.all
    .selectFrom('services')
    .where('services.org_id', '=', scope.actor.org_id)
  if (isAdmin(scope.actor)) return services
  return services.where((eb) =>
    eb.or([
      eb('services.team_id', 'in', ledTeamIds(scope)),
      eb.and([eb('services.team_id', 'is', null), eb('services.created_by', '=', scope.actor.id)]),
    ]),
  )
}

/** Services that a service depends on. */
export const serviceDependency = part('service_dependencies', {
  table: 'services',
  by: 'service_id',
  unique: ['service_id', 'depends_on_id'],
  field: 'depends_on',
  value: (row) => row.depends_on_id,
  touch: 'revision',
})

/** Whether the actor has a role in the query's incident; optionally a specific one. */
const hasIncidentRole = (scope: AccessScope, role?: Row<'incident_roles'>['role']) =>
  sql<SqlBool>`exists (select 1 from incident_roles as own where own.incident_id = incidents.id and own.person_id = ${scope.actor.id} ${role === undefined ? sql`` : sql`and own.role = ${role}`})`

/** A restricted incident is visible to its role holders and administrators: it is hidden from others and not counted. */
function visibleIncidents(accessScope: AccessScope) {
  const incidents = accessScope.all
    .selectFrom('incidents')
    .where('incidents.org_id', '=', accessScope.actor.org_id)
  return isAdmin(accessScope.actor)
    ? incidents
    : incidents.where((eb) =>
        eb.or([eb('incidents.restricted', '=', 0), hasIncidentRole(accessScope)]),
      )
}

/** Incidents: all members work on them, guests on those in which they have a role. */
export const incident = resource(
  'incidents',
  {
    type: 'incident',
    prefix: 'inc',
    see: visibleIncidents,
    edit: (s) =>
      s.actor.role === 'guest'
        ? visibleIncidents(s).where(hasIncidentRole(s))
        : visibleIncidents(s),
    own: (s) =>
      isAdmin(s.actor)
        ? visibleIncidents(s)
        : visibleIncidents(s).where((eb) =>
            eb.or([hasIncidentRole(s, 'lead'), eb('incidents.created_by', '=', s.actor.id)]),
          ),
    rule: {
      edit: 'Guests can work only on incidents in which they have a role; the lead can give you one with assign_incident_role.',
      own: 'Only the lead of an incident, the person who declared it or an administrator can do this.',
    },
    alias: (query, text, s) =>
      /^INC-\d{1,9}$/i.test(text)
        ? query
            .where('incidents.key', '=', text.toUpperCase())
            .where('incidents.org_id', '=', s.actor.org_id)
        : undefined,
    names: {
      columns: ['title'],
      details: (row) => ({ severity: row.severity, status: row.status }),
    },
    takes: 'id, key or title',
    list: { tool: 'list_incidents' },
    title: (row) => row.title,
    isExternal: (row) => row.trust === 'external',
    externalText: ['title', 'summary_markdown', 'cause', 'customer_impact', 'resolution'],
    key: (row) => row.key,
    path: (row) => `incidents/${row.key}`,
    unaudited: ['first_acknowledged_at'],
    search: async (row) => ({
      title: `${row.key} ${row.title}`,
      body: [row.summary_markdown, row.cause, row.customer_impact, row.resolution]
        .filter((text) => text !== null)
        .join('\n\n'),
      container: row.restricted === 1 ? row.id : row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'incident',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(incident, 'taskSource', {
  asTask: (row) => ({
    title: row.title,
    body_markdown: [row.summary_markdown, row.cause === null ? null : `Cause: ${row.cause}`]
      .filter((text) => text !== null)
      .join('\n\n'),
    trust: 'internal',
  }),
})

export const incidentService = part('incident_services', {
  table: 'incidents',
  by: 'incident_id',
  unique: ['incident_id', 'service_id'],
  field: 'services',
  value: (row) => row.service_id,
  touch: 'revision',
})

export const incidentRole = part('incident_roles', {
  table: 'incidents',
  by: 'incident_id',
  unique: ['incident_id', 'role'],
  field: (row) => row.role,
  value: (row) => row.person_id,
  touch: 'revision',
})

/** Channels of incidents; not named in changes, since access to the channel decides who knows of it. */
export const incidentChannel = part('incident_channels', {
  table: 'incidents',
  by: 'incident_id',
  unique: ['incident_id'],
  field: 'channel',
  value: () => null,
  touch: 'time',
})

/** Events in an incident; never changed. */
export const timelineEntry = resource('timeline_entries', {
  type: 'timeline_entry',
  prefix: 'tle',
  see: (s) =>
    s.all.selectFrom('timeline_entries').where(incident.holds(s, 'timeline_entries.incident_id')),
  inheritsVisibilityFrom: 'incident_id',
  title: (row) => row.body_markdown.slice(0, 80).toWellFormed().replaceAll(/\s+/g, ' ').trim(),
  path: (row) => `incidents/${row.incident_id}#${row.id}`,
  partOf: {
    table: 'incidents',
    by: 'incident_id',
    field: 'timeline',
    value: (row) => row.kind,
    touch: 'time',
  },
})

/** The next incident number of the caller's organization; each is used once, inside the write that needs it. */
export async function takeIncidentNumber(viewer: Viewer): Promise<number> {
  const { all, actor } = accessScopeOf(viewer)
  const row = await all
    .insertInto('incident_numbers')
    .values({ org_id: actor.org_id, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('org_id')
        .doUpdateSet((eb) => ({ last_number: eb('incident_numbers.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return row.last_number
}

/** Role holders of visible incidents. */
export function holdersOf(
  reader: Viewer,
  ids: readonly Id<'incidents'>[],
): Promise<Row<'incident_roles'>[]> {
  return ids.length === 0
    ? Promise.resolve([])
    : incidentRole.of(reader, ids).selectAll('incident_roles').execute()
}

/** Services of visible incidents, by incident, without those in the trash. */
export async function servicesOf(
  viewer: Viewer,
  ids: readonly Id<'incidents'>[],
): Promise<Map<string, Row<'services'>[]>> {
  if (ids.length === 0) return new Map()
  const serviceLinks = await incidentService
    .of(viewer, ids)
    .selectAll('incident_services')
    .orderBy('incident_services.added_at')
    .orderBy('incident_services.service_id')
    .execute()
  const rows = await service.among(
    viewer,
    serviceLinks.map((item) => item.service_id),
  )
  const visibleLinks = serviceLinks.filter((item) => rows.has(item.service_id))
  return new Map(
    [...Map.groupBy(visibleLinks, (item) => item.incident_id as string)].map(([id, links]) => [
      id,
      links.map((item) => rows.get(item.service_id)!),
    ]),
  )
}
