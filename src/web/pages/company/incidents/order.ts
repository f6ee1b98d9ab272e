import { wordFilter } from '../../../ui/work/text-filter.ts'
import type { IncidentRow } from './data.ts'

/** Statuses of incidents that are being worked on. */
export const activeStatuses: IncidentRow['status'][] = ['open', 'acknowledged', 'mitigated']

/** True if an incident is being worked on. */
export const isActive = ({ status }: Pick<IncidentRow, 'status'>): boolean =>
  activeStatuses.includes(status)

export type IncidentFilter = 'open' | 'all' | 'mine'

const compareTexts = (a: string, b: string) => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Open ones first, by severity; then the latest. */
export function compareIncidents(a: IncidentRow, b: IncidentRow): number {
  if (isActive(a) !== isActive(b)) return isActive(a) ? -1 : 1
  const bySeverity = isActive(a) ? compareTexts(a.severity, b.severity) : 0
  return bySeverity || compareTexts(b.opened_at, a.opened_at) || compareTexts(b.id, a.id)
}

/** True if an incident matches the filter. Mine are those in which the reader has a role. */
export function matchesIncidentFilter(
  incident: IncidentRow,
  filter: IncidentFilter,
  personId: string,
): boolean {
  if (filter === 'open') return isActive(incident)
  if (filter === 'all') return true
  return Object.values(incident.roles).some((holder) => holder?.id === personId)
}

/** True if every word of a query occurs in the key, the title, a service or a person of an incident. */
export function matchesIncident(incident: IncidentRow, query: string): boolean {
  const { key, title, services, roles } = incident
  const texts = [
    key,
    title,
    ...services.map((service) => service.title),
    ...Object.values(roles).map((holder) => holder?.title ?? ''),
  ]
  return wordFilter(query)(texts.join(' '))
}
