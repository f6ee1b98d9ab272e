import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { incident, service, timelineEntry } from './access.ts'
import { escalation } from './escalations/access.ts'
import { presentEscalation } from './escalations/shapes.ts'
import { presentTimeline } from './incidents/timeline.ts'
import { onCallSchedule } from './on-call/access.ts'
import { defaultPeriod, presentSchedules } from './on-call/shapes.ts'
import { postmortem } from './postmortems/access.ts'
import { presentPostmortem } from './postmortems/presenter.ts'
import { runbook } from './runbooks/access.ts'
import { presentRunbooks } from './runbooks/presenter.ts'
import { presentIncidents, presentServices } from './shapes.ts'
import { statusUpdate } from './status-page/access.ts'
import { presentUpdates } from './status-page/presenter.ts'

/** Presenters for this module's items, and the operations that read them. */
export const incidentsPresenters = [
  presenter(incident, {
    operation: 'list_incidents',
    entries: presentIncidents,
    get: { operation: 'get_incident', argument: 'incident_id' },
  }),
  partPresenter(timelineEntry, {
    operation: 'list_incident_timeline',
    resource: incident,
    by: 'incident_id',
    entries: presentTimeline,
  }),
  partPresenter(escalation, {
    operation: 'get_incident',
    resource: incident,
    by: 'incident_id',
    entries: (ctx, incident, rows) =>
      Promise.all(rows.map((row) => presentEscalation(ctx, incident, row))),
  }),
  presenter(service, { operation: 'list_services', entries: presentServices }),
  presenter(onCallSchedule, {
    operation: 'list_on_call_schedules',
    entries: (ctx, rows) => presentSchedules(ctx, rows, defaultPeriod(ctx.now), false),
  }),
  presenter(runbook, {
    operation: 'list_runbooks',
    entries: (ctx, rows) => presentRunbooks(ctx, rows),
  }),
  presenter(statusUpdate, { operation: 'get_status_page', entries: presentUpdates }),
  partPresenter(postmortem, {
    operation: 'get_incident',
    resource: incident,
    by: 'incident_id',
    entries: (ctx, incident, rows) =>
      Promise.all(rows.map((row) => presentPostmortem(ctx, incident, row))),
  }),
]
