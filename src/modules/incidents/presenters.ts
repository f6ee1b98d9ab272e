import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { incident, service, timelineEntry } from './access.ts'
import { escalation } from './escalations/access.ts'
import { showEscalation } from './escalations/shapes.ts'
import { showTimeline } from './incidents/timeline.ts'
import { onCallSchedule } from './on-call/access.ts'
import { defaultPeriod, showSchedules } from './on-call/shapes.ts'
import { postmortem } from './postmortems/access.ts'
import { showPostmortem } from './postmortems/presenter.ts'
import { runbook } from './runbooks/access.ts'
import { showRunbooks } from './runbooks/presenter.ts'
import { showIncidents, showServices } from './shapes.ts'
import { statusUpdate } from './status-page/access.ts'
import { showUpdates } from './status-page/presenter.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const incidentsPresenters = [
  presenter(incident, {
    operation: 'list_incidents',
    entries: showIncidents,
    get: { operation: 'get_incident', argument: 'incident_id' },
  }),
  partPresenter(timelineEntry, {
    operation: 'list_incident_timeline',
    of: incident,
    by: 'incident_id',
    entries: showTimeline,
  }),
  partPresenter(escalation, {
    operation: 'get_incident',
    of: incident,
    by: 'incident_id',
    entries: (ctx, of, rows) => Promise.all(rows.map((row) => showEscalation(ctx, of, row))),
  }),
  presenter(service, { operation: 'list_services', entries: showServices }),
  presenter(onCallSchedule, {
    operation: 'list_on_call_schedules',
    entries: (ctx, rows) => showSchedules(ctx, rows, defaultPeriod(ctx.now), false),
  }),
  presenter(runbook, {
    operation: 'list_runbooks',
    entries: (ctx, rows) => showRunbooks(ctx, rows),
  }),
  presenter(statusUpdate, { operation: 'get_status_page', entries: showUpdates }),
  partPresenter(postmortem, {
    operation: 'get_incident',
    of: incident,
    by: 'incident_id',
    entries: (ctx, of, rows) => Promise.all(rows.map((row) => showPostmortem(ctx, of, row))),
  }),
]
