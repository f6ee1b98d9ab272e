import type { Module } from '../../operations/module.ts'
import { incidentDocument } from './documents.ts'
import { armEscalations } from './escalations/timers.ts'
import { stepEscalation } from './escalations/steps.ts'
import * as escalations from './escalations/escalations.ts'
import * as incidents from './incidents/incidents.ts'
import * as exports from './incidents/exports.ts'
import * as metrics from './metrics/metrics.ts'
import { handoverTick } from './on-call/handovers.ts'
import * as overrides from './on-call/overrides.ts'
import * as schedules from './on-call/schedules.ts'
import * as onCall from './on-call/on-call.ts'
import * as postmortems from './postmortems/postmortems.ts'
import { incidentHandover } from './prompts.ts'
import { statusRoutes } from './status-page/public-routes.ts'
import * as responses from './incidents/responses.ts'
import * as roles from './incidents/roles.ts'
import * as runbookRuns from './runbooks/runs.ts'
import * as runbooks from './runbooks/runbooks.ts'
import * as services from './services/services.ts'
import * as similar from './metrics/similar-incidents.ts'
import { maintenanceTick } from './status-page/maintenance.ts'
import * as statusPages from './status-page/status-pages.ts'
import * as statusUpdates from './status-page/updates.ts'
import { searchableIncidents, searchableRunbooks } from './searchable.ts'
import * as timeline from './incidents/timeline-entries.ts'
import { channelOpeners } from '../chat/access.ts'
import { incidentsByKey, incidentsOfChannels } from './incidents/channel-refs.ts'
import { incidentsPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { incidentHandovers } from './handover.ts'

channelOpeners.register({ openersOf: incidentsOfChannels, findByKeys: incidentsByKey })

for (const handover of incidentHandovers) handovers.register(handover)

export const incidentsModule: Module = {
  name: 'incidents',
  about:
    'Incidents of services, on-call, response, and public status updates. Nouns: incident, timeline entry, service, on-call schedule, escalation, status update, postmortem, runbook.',
  operations: [
    incidents,
    exports,
    responses,
    roles,
    escalations,
    timeline,
    similar,
    statusPages,
    statusUpdates,
    services,
    postmortems,
    runbooks,
    runbookRuns,
    onCall,
    schedules,
    overrides,
    metrics,
  ].flatMap((operationGroup) => Object.values(operationGroup)),
  documents: [incidentDocument],
  searchables: [searchableIncidents, searchableRunbooks],
  places: statusRoutes,
  ticks: [maintenanceTick, handoverTick, armEscalations],
  jobs: [stepEscalation],
  prompts: [incidentHandover],
  events: [
    'incident.opened',
    'incident.acknowledged',
    'incident.severity_changed',
    'incident.mitigated',
    'incident.resolved',
    'incident.closed',
    'incident.reopened',
    'incident.escalated',
    'status_update.published',
    'postmortem.published',
    'on_call.handover',
  ],
  presenters: incidentsPresenters,
}
