import type { Input, Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { randomId, write, type RowOf } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import type { NamedItem } from '../contacts/data.ts'

export type IncidentRow = RowOf<'incident'>
export type FullIncident = Output<'get_incident'>
export type Severity = IncidentRow['severity']
export type IncidentRole = 'lead' | 'communications' | 'scribe'

export const severities: readonly Severity[] = ['sev1', 'sev2', 'sev3', 'sev4']
interface IncidentChange {
  set: Partial<IncidentRow>
  description: string
}

const optimisticChange = (incident: IncidentRow, { set, description }: IncidentChange) => ({
  rows: [{ type: 'incident' as const, id: incident.id, set }],
  text: t.tasks.changed(incident.key, description),
})

/** Changes an incident; shown immediately. */
export function updateIncident(
  incident: IncidentRow,
  change: Omit<Input<'update_incident'>, 'incident_id' | 'expected_revision'>,
  optimistic: IncidentChange,
): void {
  void write(
    'update_incident',
    { incident_id: incident.id, ...change },
    optimisticChange(incident, optimistic),
  )
}

export function setSeverity(incident: IncidentRow, severity: Severity): void {
  if (severity === incident.severity) return
  const description = words.set(words.fields.severity, words.severities[severity])
  updateIncident(incident, { severity }, { set: { severity }, description })
}

export function setServices(incident: IncidentRow, services: readonly NamedItem[]): void {
  const description = words.set(
    words.fields.services,
    services.map(({ title }) => title).join(', '),
  )
  updateIncident(
    incident,
    { service_ids: services.map(({ id }) => id) },
    { set: { services: [...services] as IncidentRow['services'] }, description },
  )
}

export function setRestricted(incident: IncidentRow, restricted: boolean): void {
  const description = words.restrictedSaid[`${restricted}`]
  updateIncident(incident, { restricted }, { set: { restricted }, description })
}

/** Sets or clears the person in an incident role. */
export function setRole(
  incident: IncidentRow,
  role: IncidentRole,
  person: NamedItem | undefined,
): void {
  const roles = { ...incident.roles, [role]: person ?? null } as IncidentRow['roles']
  void write(
    'assign_incident_role',
    { incident_id: incident.id, role, person_id: person?.id ?? null },
    optimisticChange(incident, {
      set: { roles },
      description: words.set(words.fields[role], person?.title ?? ''),
    }),
  )
}

/** Acknowledges the incident; the person becomes its lead if it has none. */
export function acknowledge(incident: IncidentRow, me: NamedItem): void {
  const roles = { ...incident.roles, lead: incident.roles.lead ?? me } as IncidentRow['roles']
  void write(
    'acknowledge_incident',
    { incident_id: incident.id },
    optimisticChange(incident, {
      set: { status: 'acknowledged', acknowledged_at: new Date().toISOString(), roles },
      description: words.become.acknowledged,
    }),
  )
}

export function mitigate(incident: IncidentRow): void {
  const now = new Date().toISOString()
  updateIncident(
    incident,
    { mitigated_at: now },
    { set: { status: 'mitigated', mitigated_at: now }, description: words.become.mitigated },
  )
}

export function resolve(
  incident: IncidentRow,
  resolution: string,
  resolvedAt: string | undefined,
): void {
  void write(
    'resolve_incident',
    {
      incident_id: incident.id,
      resolution,
      ...(resolvedAt !== undefined && { resolved_at: resolvedAt }),
    },
    optimisticChange(incident, {
      set: { status: 'resolved', resolved_at: resolvedAt ?? new Date().toISOString(), resolution },
      description: words.become.resolved,
    }),
  )
}

export function reopen(incident: IncidentRow, reason: string): void {
  void write(
    'reopen_incident',
    { incident_id: incident.id, reason },
    optimisticChange(incident, {
      set: {
        status: 'open',
        acknowledged_at: undefined,
        mitigated_at: undefined,
        resolved_at: undefined,
        closed_at: undefined,
      },
      description: words.become.open,
    }),
  )
}

/** Declares an incident; listed immediately. Returns it, with the people paged. */
export async function declareIncident(input: Input<'create_incident'>, me: NamedItem) {
  const { title, severity } = input
  const now = new Date().toISOString()
  const result = await write('create_incident', input, {
    rows: [
      {
        type: 'incident',
        id: randomId(),
        add: {
          key: '…',
          title,
          severity,
          status: 'open',
          services: [],
          roles: { lead: null, communications: null, scribe: null },
          detected_at: now,
          opened_at: now,
          restricted: input.restricted ?? false,
          created_by: me,
        },
      },
    ],
    text: words.declare.done(title),
  })
  return result.state === 'done' ? result.value : undefined
}

/** Adds a note to the timeline. */
export async function addNote(
  incident: IncidentRow,
  text: string,
  occurredAt: string | undefined,
): Promise<boolean> {
  const result = await write(
    'add_incident_note',
    {
      incident_id: incident.id,
      body_markdown: text,
      ...(occurredAt !== undefined && { occurred_at: occurredAt }),
    },
    { text: t.tasks.changed(incident.key, words.timeline.added) },
  )
  await invalidateOperations('get_incident')
  return result.state === 'done'
}
