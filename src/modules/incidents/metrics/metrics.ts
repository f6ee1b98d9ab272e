import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, datetimeString } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { dayLength, parseInstant, iso } from '../../../kernel/time/times.ts'
import { organization, team } from '../../directory/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { Ref, Truncated } from '../../../records/shapes.ts'
import { task } from '../../tasks/access.ts'
import { incident, incidentService, service } from '../access.ts'
import { onCallLoad } from '../escalations/load.ts'
import { figuresOf, monthNamer, repeatedCauses, type MeasuredIncident } from './figures.ts'
import { incidentRef } from '../shapes.ts'
import { compareText } from '../../../kernel/text/order.ts'

const groupings = ['service', 'severity', 'team', 'month'] as const
const minutes = () => z.number().nullable()

const IncidentMetrics = shape('IncidentMetrics', {
  from: datetimeString(),
  to: datetimeString(),
  count: z.int().describe('incidents declared in the period'),
  mtta_minutes: minutes().describe(
    'mean time from declaration to first acknowledgment, of acknowledged incidents; null: there are none',
  ),
  mttr_minutes: minutes().describe(
    'mean time from detection to the last resolution, of resolved incidents; null: there are none',
  ),
  groups: z
    .array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        count: z.int(),
        mtta: minutes(),
        mttr: minutes(),
      }),
    )
    .describe('incidents of several services or teams count in each; key none: has none'),
  repeat_causes: z
    .array(z.strictObject({ cause: z.string(), incidents: z.array(Ref) }))
    .describe('causes shared by two or more incidents in the period, ignoring case and spacing'),
  on_call_load: z
    .array(z.strictObject({ person: Ref, pages: z.int(), night_pages: z.int() }))
    .describe('pages per person in the period; night: 22:00 to 07:00 their time'),
  open_follow_ups: z.int().describe('open tasks made from these incidents that you can see'),
  truncated: Truncated.optional(),
})

const maxPeriodMs = 10 * 366 * dayLength
const maxRepeats = 50
const maxPerCause = 100

export const getIncidentMetrics = operation({
  name: 'get_incident_metrics',
  searchHint: 'MTTR, MTTA, time to resolve, reliability, how many outages, how often does it fail',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/incidents/metrics',
  about: 'Counts, time to acknowledge and resolve, repeat causes and on-call load for a period',
  on: { service: service.see.maybe },
  input: {
    from: datetime(),
    to: datetime(),
    group_by: z
      .enum(groupings)
      .default('severity')
      .describe('month: in the time zone of the organization'),
  },
  output: IncidentMetrics,
  async handle({ service, from, to, group_by }, ctx) {
    const period = {
      from: parseInstant(from, ctx.actor.timezone, 'start', 'from'),
      to: parseInstant(to, ctx.actor.timezone, 'end', 'to'),
    }
    if (period.to < period.from) throw invalid('to', 'must not be before from.')
    if (period.to - period.from > maxPeriodMs)
      throw invalid('to', 'must be within ten years of from.', 'Ask for a shorter period.')
    const declaredIncidents = () => declaredWithin(ctx, period, service)
    const incidents: MeasuredIncident[] = await declaredIncidents()
      .select([
        'incidents.id',
        'incidents.severity',
        'incidents.detected_at',
        'incidents.opened_at',
        'incidents.first_acknowledged_at',
        'incidents.resolved_at',
        'incidents.cause',
      ])
      .execute()
    const { mtta, mttr } = figuresOf(incidents)
    const cuts = new SectionCuts()
    return {
      from: iso(period.from),
      to: iso(period.to),
      count: incidents.length,
      mtta_minutes: mtta,
      mttr_minutes: mttr,
      groups: await incidentGroupsOf(ctx, group_by, incidents, declaredIncidents),
      repeat_causes: await repeatCauses(ctx, incidents, cuts),
      on_call_load: await onCallLoadIn(ctx, period, service),
      open_follow_ups: await openFollowUps(ctx, declaredIncidents),
      ...cuts.report('Ask for a shorter period.'),
    }
  },
})

/** Pages sent in the period; for one service, those of its incidents, whenever declared. */
async function onCallLoadIn(
  ctx: ReadContext,
  span: Period,
  service: Row<'services'> | undefined,
): Promise<z.infer<typeof IncidentMetrics>['on_call_load']> {
  const loads = await onCallLoad(ctx, {
    ...span,
    incidentIds:
      service &&
      incidentService.of(ctx, [service.id], 'service_id').select('incident_services.incident_id'),
  })
  const people = await peopleRefs(
    ctx,
    loads.map((load) => load.person_id),
  )
  return loads.map(({ person_id, ...load }) => ({ person: people.get(person_id)!, ...load }))
}

interface Period {
  from: number
  to: number
}

type IncidentQuery = () => Scoped<'incidents'>

function declaredWithin(
  ctx: ReadContext,
  { from, to }: Period,
  service: Row<'services'> | undefined,
): Scoped<'incidents'> {
  const query = incident
    .visibleTo(ctx)
    .where('incidents.opened_at', '>=', from)
    .where('incidents.opened_at', '<=', to)
  return service
    ? query.where(
        'incidents.id',
        'in',
        incidentService.of(ctx, [service.id], 'service_id').select('incident_services.incident_id'),
      )
    : query
}

type Groups = z.infer<typeof IncidentMetrics>['groups']

async function incidentGroupsOf(
  ctx: ReadContext,
  by: (typeof groupings)[number],
  incidents: readonly MeasuredIncident[],
  within: IncidentQuery,
): Promise<Groups> {
  if (by === 'severity')
    return grouped(incidents, (measured) => [{ key: measured.severity, label: measured.severity }])
  if (by === 'month') {
    const { default_timezone } = await organization
      .visibleTo(ctx)
      .select('orgs.default_timezone')
      .executeTakeFirstOrThrow()
    const monthOf = monthNamer(
      default_timezone,
      incidents.map((measured) => measured.opened_at),
    )
    return grouped(incidents, (measured) =>
      [monthOf(measured.opened_at)].map((month) => ({ key: month, label: month })),
    )
  }
  const groupsByIncident =
    by === 'service' ? await servicesWithin(ctx, within) : await teamsWithin(ctx, within)
  return grouped(
    incidents,
    (measured) => groupsByIncident.get(measured.id) ?? [{ key: 'none', label: 'None' }],
  )
}

interface Group {
  key: string
  label: string
}

function grouped(
  incidents: readonly MeasuredIncident[],
  groupsFor: (measured: MeasuredIncident) => readonly Group[],
): Groups {
  const groupsByKey = new Map<string, { label: string; incidents: MeasuredIncident[] }>()
  for (const measured of incidents) {
    for (const { key, label } of groupsFor(measured)) {
      const group = groupsByKey.get(key) ?? { label, incidents: [] }
      groupsByKey.set(key, group)
      group.incidents.push(measured)
    }
  }
  return [...groupsByKey]
    .map(([key, { label, incidents }]) => ({ key, label, ...figuresOf(incidents) }))
    .sort(
      (a, b) =>
        Number(a.key === 'none') - Number(b.key === 'none') ||
        compareText(a.label, b.label) ||
        compareText(a.key, b.key),
    )
}

/** Services of a period's incidents, by incident. */
async function servicesWithin(
  ctx: ReadContext,
  within: IncidentQuery,
): Promise<Map<string, Group[]>> {
  const links = await within()
    .innerJoin('incident_services as tie', 'tie.incident_id', 'incidents.id')
    .select(['incidents.id', 'tie.service_id'])
    .execute()
  const rows = await service.among(
    ctx,
    links.map((item) => item.service_id),
  )
  const labelled = links.flatMap(({ id, service_id }) =>
    rows.has(service_id)
      ? [{ id, key: service_id as string, label: rows.get(service_id)!.name }]
      : [],
  )
  return byIncident(labelled)
}

/** Teams owning these services, once per incident. */
async function teamsWithin(ctx: ReadContext, within: IncidentQuery): Promise<Map<string, Group[]>> {
  const links = await within()
    .innerJoin('incident_services as tie', 'tie.incident_id', 'incidents.id')
    .innerJoin('services', 'services.id', 'tie.service_id')
    .where('services.deleted_at', 'is', null)
    .select(['incidents.id', 'services.team_id'])
    .distinct()
    .execute()
  const rows = await team.among(
    ctx,
    links.flatMap((item) => item.team_id ?? []),
  )
  return byIncident(
    links.flatMap(({ id, team_id }) =>
      team_id !== null && rows.has(team_id)
        ? [{ id, key: team_id as string, label: rows.get(team_id)!.name }]
        : [],
    ),
  )
}

function byIncident(links: readonly (Group & { id: string })[]): Map<string, Group[]> {
  return new Map(
    [...Map.groupBy(links, (item) => item.id)].map(([id, some]) => [
      id,
      some.map(({ key, label }) => ({ key, label })),
    ]),
  )
}

async function repeatCauses(
  ctx: ReadContext,
  incidents: readonly MeasuredIncident[],
  cuts: SectionCuts,
): Promise<z.infer<typeof IncidentMetrics>['repeat_causes']> {
  const tool = 'list_incidents with the period'
  const causes = cuts.take('repeat_causes', repeatedCauses(incidents), maxRepeats, tool)
  const isCut = causes.some((cause) => cause.ids.length > maxPerCause)
  cuts.note('incidents of a repeated cause', isCut, tool)
  const rows = await incident.among(
    ctx,
    causes.flatMap((cause) => cause.ids.slice(0, maxPerCause)),
  )
  return causes.map(({ cause, ids }) => ({
    cause,
    incidents: ids
      .slice(0, maxPerCause)
      .flatMap((id) => rows.get(id) ?? [])
      .map(incidentRef),
  }))
}

async function openFollowUps(ctx: ReadContext, within: IncidentQuery): Promise<number> {
  const { count } = await task
    .visibleTo(ctx)
    .where('tasks.source_type', '=', 'incident')
    .where('tasks.source_id', 'in', within().select('incidents.id'))
    .where('tasks.status_category', 'not in', ['done', 'cancelled'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
