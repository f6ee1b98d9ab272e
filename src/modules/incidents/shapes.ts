import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString, unresolvedMentionsField } from '../../kernel/fields.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { channel } from '../chat/access.ts'
import { team } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, Ref, Truncated, trust, trustOf } from '../../records/shapes.ts'
import {
  holdersOf,
  incident,
  incidentChannel,
  service,
  serviceDependency,
  servicesOf,
} from './access.ts'
import { onCallSchedule } from './on-call/access.ts'
import { statesOf } from './status-page/access.ts'
import { severities, statuses } from './incidents/states.ts'

// Presentation of on-call schedules for other modules.
export { OnCallShift, presentShifts } from './on-call/shapes.ts'

export const severityEnum = z.enum(severities)
export const statusEnum = z.enum(statuses)
export const roles = ['lead', 'communications', 'scribe'] as const
const serviceStates = [
  'operational',
  'degraded',
  'partial_outage',
  'major_outage',
  'maintenance',
] as const
export const serviceStateEnum = z.enum(serviceStates)
export const timelineKinds = [
  'note',
  'status',
  'severity',
  'role',
  'escalation',
  'message',
  'update',
  'link',
] as const

export const Service = shape('Service', {
  ...common,
  name: z.string(),
  description: z.string().optional(),
  team: Ref.optional(),
  schedule: Ref.optional(),
  depends_on: z.array(Ref),
  state: serviceStateEnum,
  public: z.boolean(),
})

export const TimelineEntry = shape('TimelineEntry', {
  ...common,
  incident: Ref,
  kind: z.enum(timelineKinds),
  occurred_at: datetimeString(),
  actor: Ref.optional(),
  via: z.string(),
  body_markdown: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  message: z
    .strictObject({ id: z.string(), url: z.string() })
    .optional()
    .describe('the quoted chat message, if you can read it'),
  unresolved_mentions: unresolvedMentionsField(),
})

export const StatusUpdate = shape('StatusUpdate', {
  ...common,
  title: z.string(),
  body_markdown: z.string(),
  state: z.enum(['investigating', 'identified', 'monitoring', 'resolved', 'maintenance']),
  incident: Ref.optional(),
  service_states: z.record(z.string(), serviceStateEnum).describe('by service name'),
  starts_at: datetimeString().optional(),
  ends_at: datetimeString().optional(),
  phase: z
    .enum(['planned', 'running', 'resolved'])
    .optional()
    .describe('of a maintenance, by its times'),
  thread_id: z.string().describe('the first update of its thread'),
  published_at: datetimeString(),
})

export const Postmortem = shape('Postmortem', {
  ...common,
  incident: Ref,
  page: Ref,
  author: Ref,
  due_on: day().optional(),
  overdue: z.boolean(),
  status: z.enum(['draft', 'in_review', 'published']),
  action_tasks: z.array(Ref),
})

export const RunbookProgress = shape('RunbookProgress', {
  runbook: Ref,
  progress: z.strictObject({ done: z.int(), total: z.int() }),
})

const incidentFields = {
  ...common,
  key: z.string(),
  title: z.string(),
  summary_markdown: z.string().optional(),
  severity: severityEnum,
  status: statusEnum,
  services: z.array(Ref),
  roles: z.strictObject({
    lead: Ref.nullable(),
    communications: Ref.nullable(),
    scribe: Ref.nullable(),
  }),
  channel: Ref.optional().describe('only if you can see it'),
  detected_at: datetimeString(),
  opened_at: datetimeString().describe('when it was declared; unchanged by reopening'),
  acknowledged_at: datetimeString().optional(),
  mitigated_at: datetimeString().optional(),
  resolved_at: datetimeString().optional(),
  closed_at: datetimeString().optional(),
  cause: z.string().optional(),
  customer_impact: z.string().optional(),
  resolution: z.string().optional(),
  restricted: z.boolean().describe('only people with a role in it and administrators can see it'),
  trust,
}

/** An incident in lists. */
export const ListedIncident = shape('ListedIncident', incidentFields)

/** A complete incident, with the parts requested by `include`. */
export const Incident = shape('Incident', {
  ...incidentFields,
  runbooks: z.array(RunbookProgress).optional(),
  follow_up_tasks: z.array(Ref).optional().describe('of those you can see'),
  links: z.array(z.record(z.string(), z.unknown())).optional(),
  status_updates: z.array(StatusUpdate).optional(),
  postmortem: Postmortem.nullable().optional(),
  timeline: z
    .array(TimelineEntry)
    .optional()
    .describe('the last 100 entries in order; list_incident_timeline has all'),
  truncated: Truncated.optional(),
})

export type ServiceShape = z.infer<typeof Service>
export type ListedIncidentShape = z.infer<typeof ListedIncident>
export type IncidentShape = z.infer<typeof Incident>
export type TimelineEntryShape = z.infer<typeof TimelineEntry>
export type StatusUpdateShape = z.infer<typeof StatusUpdate>

export function incidentRef(row: Pick<Row<'incidents'>, 'id' | 'key' | 'title' | 'trust'>): Ref {
  return { id: row.id, key: row.key, title: row.title, ...trustOf(row.trust === 'external') }
}

export function serviceRef(row: Pick<Row<'services'>, 'id' | 'name'>): Ref {
  return { id: row.id, title: row.name }
}

/** Incidents for lists, with a fixed number of queries. The rows are already visible. */
export async function presentIncidents(
  ctx: ReadContext,
  rows: readonly Row<'incidents'>[],
): Promise<ListedIncidentShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const services = await servicesOf(ctx, ids)
  const holders = await holdersOf(ctx, ids)
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...holders.map((holder) => holder.person_id),
  ])
  const channels = await channelsOf(ctx, ids)
  return rows.map((row) => {
    const holder = (role: (typeof roles)[number]) =>
      people.get(
        holders.find((item) => item.incident_id === row.id && item.role === role)?.person_id ?? '',
      ) ?? null
    const channelRef = channels.get(row.id)
    return omitNullish({
      ...commonOf(row, incident.url(row, ctx.baseUrl), people),
      key: row.key,
      title: row.title,
      ...texts(row),
      severity: row.severity,
      status: row.status,
      services: (services.get(row.id) ?? []).map(serviceRef),
      roles: {
        lead: holder('lead'),
        communications: holder('communications'),
        scribe: holder('scribe'),
      },
      channel: channelRef,
      ...times(row),
      restricted: row.restricted === 1,
      ...trustOf(row.trust === 'external'),
    })
  })
}

function texts({ summary_markdown, cause, customer_impact, resolution }: Row<'incidents'>) {
  return omitNullish({
    summary_markdown,
    cause,
    customer_impact,
    resolution,
  })
}

function times({
  detected_at,
  opened_at,
  acknowledged_at,
  mitigated_at,
  resolved_at,
  closed_at,
}: Row<'incidents'>) {
  return omitNullish({
    detected_at: iso(detected_at),
    opened_at: iso(opened_at),
    acknowledged_at: acknowledged_at === null ? undefined : iso(acknowledged_at),
    mitigated_at: mitigated_at === null ? undefined : iso(mitigated_at),
    resolved_at: resolved_at === null ? undefined : iso(resolved_at),
    closed_at: closed_at === null ? undefined : iso(closed_at),
  })
}

/** Channels of visible incidents, for callers with access to the channel. */
async function channelsOf(
  ctx: ReadContext,
  ids: readonly Id<'incidents'>[],
): Promise<Map<string, Ref>> {
  const channelLinks = await incidentChannel.of(ctx, ids).selectAll('incident_channels').execute()
  const rows = await channel.among(
    ctx,
    channelLinks.map((item) => item.channel_id),
  )
  return new Map(
    channelLinks.flatMap(({ incident_id, channel_id }) => {
      const row = rows.get(channel_id)
      return row
        ? [
            [
              incident_id as string,
              {
                id: row.id,
                key: `#${row.name}`,
                title: row.name ?? '',
                url: channel.url(row, ctx.baseUrl),
              },
            ] as const,
          ]
        : []
    }),
  )
}

/** Services for answers. The rows are already visible. */
export async function presentServices(
  ctx: ReadContext,
  rows: readonly Row<'services'>[],
): Promise<ServiceShape[]> {
  if (rows.length === 0) return []
  const dependencyLinks = await serviceDependency
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('service_dependencies')
    .orderBy('service_dependencies.added_at')
    .orderBy('service_dependencies.depends_on_id')
    .execute()
  const dependencies = await service.among(
    ctx,
    dependencyLinks.map((item) => item.depends_on_id),
  )
  const teams = await team.among(
    ctx,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const schedules = await onCallSchedule.among(
    ctx,
    rows.flatMap((row) => row.schedule_id ?? []),
  )
  const states = await statesOf(
    ctx,
    rows.map((row) => row.id),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => {
    const teamRow = teams.get(row.team_id ?? '')
    const schedule = schedules.get(row.schedule_id ?? '')
    return omitNullish({
      ...commonOf(row, service.url(row, ctx.baseUrl), people),
      name: row.name,
      description: row.description,
      team: teamRow ? { id: teamRow.id, title: teamRow.name } : undefined,
      schedule: schedule ? { id: schedule.id, title: schedule.name } : undefined,
      depends_on: dependencyLinks
        .filter((item) => item.service_id === row.id)
        .flatMap((item) => dependencies.get(item.depends_on_id) ?? [])
        .map(serviceRef),
      state: states.get(row.id) ?? 'operational',
      public: row.is_public === 1,
    })
  })
}
