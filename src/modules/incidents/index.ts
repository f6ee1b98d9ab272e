import type { Module } from '../../core/module.ts'
import { incidentDocument } from './documents.ts'
import { armEscalations } from './escalation-arming.ts'
import { stepEscalation } from './escalation-steps.ts'
import * as escalations from './escalations.ts'
import * as incidents from './incidents.ts'
import * as metrics from './metrics.ts'
import { handOver } from './on-call-handovers.ts'
import * as overrides from './on-call-overrides.ts'
import * as schedules from './on-call-schedules.ts'
import * as onCall from './on-call.ts'
import * as postmortems from './postmortems.ts'
import { incidentHandover } from './prompts.ts'
import { statusPlaces } from './public-status.ts'
import * as responses from './responses.ts'
import * as roles from './roles.ts'
import * as runbookRuns from './runbook-runs.ts'
import * as runbooks from './runbooks.ts'
import * as services from './services.ts'
import * as similar from './similar.ts'
import { turnMaintenance } from './status-maintenance.ts'
import * as statusPages from './status-pages.ts'
import * as statusUpdates from './status-updates.ts'
import { foundIncidents, foundRunbooks } from './finds.ts'
import * as timeline from './timeline-entries.ts'
import { channelOpeners } from '../chat/access.ts'
import { incidentsByKey, incidentsOfChannels } from './channel-refs.ts'

channelOpeners.register({ openersOf: incidentsOfChannels, keyed: incidentsByKey })

export const incidentsModule: Module = {
  name: 'incidents',
  about:
    'Incidents of services, on-call, response, and public status updates. Nouns: incident, timeline entry, service, on-call schedule, escalation, status update, postmortem, runbook.',
  operations: [
    incidents,
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
  ].flatMap((noun) => Object.values(noun)),
  documents: [incidentDocument],
  finds: [foundIncidents, foundRunbooks],
  places: statusPlaces,
  ticks: [turnMaintenance, handOver, armEscalations],
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
}
