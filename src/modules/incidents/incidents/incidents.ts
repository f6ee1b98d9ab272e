import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import {
  datetime,
  fields,
  markdown,
  pageOf,
  paging,
  shortText,
  title,
} from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied } from '../../../kernel/refusal.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { incident, service } from '../access.ts'
import { runbook } from '../runbooks/access.ts'
import { changeServices, changeSeverity, changeTexts, mitigate, restrict } from './updates.ts'
import { pageServices } from '../escalations/triggers.ts'
import { Paged, pagedFor } from '../escalations/shapes.ts'
import { filterIncidents, incidentFilters } from './filters.ts'
import { declare } from './declaration.ts'
import { parts, presentCurrent, presentIncident } from './presenter.ts'
import { Incident, ListedIncident, severityEnum, presentIncidents } from '../shapes.ts'

const newestFirst = [
  { by: 'incidents.opened_at', as: 'opened_at', dir: 'desc' },
  { by: 'incidents.id', as: 'id', dir: 'desc' },
] as const

export const listIncidents = operation({
  name: 'list_incidents',
  searchHint:
    'outages, what is broken, open emergencies, past outages, who broke production, failures',
  kind: 'read',
  rest: 'GET /api/incidents',
  about: 'Incidents of the organization by state, severity, service, role holder or text',
  on: incidentFilters.on,
  input: { ...incidentFilters.input, fields: fields(), ...paging },
  output: pageOf(ListedIncident),
  async handle({ fields: _, limit, cursor, ...filter }, ctx) {
    const query = await filterIncidents(ctx, filter)
    const page = await paged(query.selectAll('incidents'), newestFirst, { limit, cursor })
    return pageWithItems(page, await presentIncidents(ctx, page.items))
  },
})

export const getIncident = operation({
  name: 'get_incident',
  searchHint: 'outage details, state of the incident, who leads it',
  kind: 'read',
  rest: 'GET /api/incidents/{incident_id}',
  about:
    'One incident by id or key (INC-7) with roles, services, links, status updates and postmortem',
  on: { incident: incident.see },
  input: {
    include: z
      .array(z.enum(parts))
      .max(5)
      .default(['links', 'updates', 'postmortem', 'tasks'])
      .describe('default: all but the timeline; timeline: the last 100 entries'),
  },
  output: Incident,
  handle: ({ incident: row, include }, ctx) => presentIncident(ctx, row, include),
})

export const createIncident = operation({
  name: 'create_incident',
  searchHint:
    'outage, site is down, something is broken, declare an emergency, production problem, SEV1',
  kind: 'write',
  rest: 'POST /api/incidents',
  about:
    'Declare an incident; opens its channel and timeline and pages the on-call person of the service',
  on: {
    services: service.see.many.maybe,
    lead: person.see.maybe.describe('who leads the response; default: the first to acknowledge'),
    runbook: runbook.see.maybe.describe('started immediately'),
  },
  input: {
    title: title(),
    severity: severityEnum,
    summary_markdown: markdown().optional(),
    detected_at: datetime().optional().describe('when it was first noticed; default: now'),
    restricted: z
      .boolean()
      .default(false)
      .describe(
        'true: only people with a role in it and administrators can see it; you become its lead, or its scribe if someone else leads',
      ),
  },
  output: Incident.extend({ paged: Paged.optional().describe('paged at declaration') }),
  async handle(
    {
      services = [],
      lead,
      runbook: initialRunbook,
      title,
      severity,
      summary_markdown,
      detected_at,
      restricted,
    },
    ctx,
  ) {
    if (ctx.actor.role === 'guest')
      throw denied(
        'Guests cannot declare incidents; a member can declare one and give you a role in it.',
      )
    const detectedAt =
      detected_at === undefined
        ? undefined
        : parseInstant(detected_at, ctx.actor.timezone, 'start', 'detected_at')
    const row = await declare(ctx, {
      title,
      severity,
      summary: summary_markdown,
      services,
      lead,
      detectedAt,
      restricted,
    })
    if (initialRunbook)
      await ctx.call('start_runbook', { incident_id: row.id, runbook_id: initialRunbook.id })
    const paged = await pagedFor(ctx, row)
    return omitUndefined({ ...(await presentCurrent(ctx, row.id)), paged })
  },
})

export const updateIncident = operation({
  name: 'update_incident',
  searchHint: 'change severity, edit an outage, root cause',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/incidents/{incident_id}',
  about:
    'Change title, summary, severity, services or cause; each change goes on the timeline with its reason',
  on: { incident: incident.edit, services: service.see.many.maybe.describe('all of them') },
  input: {
    title: title().optional(),
    summary_markdown: markdown().nullable().optional(),
    severity: severityEnum.optional(),
    cause: shortText(2000)
      .nullable()
      .optional()
      .describe('short; use the same words for the same cause, so that repeats are counted'),
    customer_impact: shortText(10_000).nullable().optional().describe('what customers notice'),
    mitigated_at: datetime()
      .optional()
      .describe(
        'when the damage was contained: marks an acknowledged incident as mitigated; later corrects the time',
      ),
    restricted: z
      .boolean()
      .optional()
      .describe(
        'true: only people with a role in it and administrators can see it and its channel; set by the lead or an administrator',
      ),
    reason: shortText(2000).optional(),
  },
  revision: 'incident',
  output: Incident,
  async handle(
    {
      incident: row,
      services,
      title,
      summary_markdown,
      severity,
      cause,
      customer_impact,
      mitigated_at,
      restricted,
      reason,
    },
    ctx,
  ) {
    const reasonSuffix = reason?.trim() ? ` ${reason.trim()}` : ''
    let current = await changeTexts(
      ctx,
      row,
      { title, summary_markdown, cause, customer_impact },
      reasonSuffix,
    )
    if (mitigated_at !== undefined)
      current = await mitigate(
        ctx,
        current,
        parseInstant(mitigated_at, ctx.actor.timezone, 'start', 'mitigated_at'),
        reasonSuffix,
      )
    const added = services ? await changeServices(ctx, current, services, reasonSuffix) : []
    if (severity !== 'sev1' || row.severity === 'sev1') await pageServices(ctx, current, added) // else changeSeverity pages all services anew
    if (severity) current = await changeSeverity(ctx, current, severity, reasonSuffix)
    if (restricted !== undefined) current = await restrict(ctx, current, restricted, reasonSuffix)
    return presentCurrent(ctx, current.id)
  },
})
