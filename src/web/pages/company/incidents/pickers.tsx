import { useList } from '../../../api/queries.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import type { CellPopup } from '../../../ui/work/table/columns.ts'
import type { NamedItem } from '../contacts/data.ts'
import { PersonPicker } from '../PersonPicker.tsx'
import {
  setRole,
  setServices,
  setSeverity,
  severities,
  type IncidentRow,
  type IncidentRole,
} from './data.ts'
import { SeverityMark } from './marks.tsx'

type IncidentPickerProps = CellPopup & { incident: IncidentRow }

export function SeverityPicker({ incident, ...popup }: IncidentPickerProps) {
  const choices: Choice<IncidentRow['severity']>[] = severities.map((severity) => ({
    value: severity,
    label: words.severities[severity],
    icon: <SeverityMark severity={severity} />,
    isChosen: severity === incident.severity,
  }))
  return (
    <Picker
      {...popup}
      label={words.fields.severity}
      choices={(query) => filterChoices(choices, query)}
      choose={(severity) => setSeverity(incident, severity)}
    />
  )
}

export function RolePicker({
  incident,
  duty: role,
  ...popup
}: IncidentPickerProps & { duty: IncidentRole }) {
  return (
    <PersonPicker
      {...popup}
      label={words.fields[role]}
      noneLabel={words.noLead}
      person={incident.roles[role] ?? undefined}
      choose={(person) => setRole(incident, role, person)}
    />
  )
}

/** The services of the organization, by name. */
export const useServices = () => useList('list_services', { limit: 100 })

/** The services affected by an incident, toggled individually. */
export function ServicesPicker({ incident, ...popup }: IncidentPickerProps) {
  const { items } = useServices()
  const isAffected = (id: string) => incident.services.some((service) => service.id === id)
  const choices: Choice<NamedItem>[] = items.map(({ id, name }) => ({
    value: { id, title: name },
    label: name,
    isChosen: isAffected(id),
  }))
  const toggle = (service: NamedItem) =>
    setServices(
      incident,
      isAffected(service.id)
        ? incident.services.filter(({ id }) => id !== service.id)
        : [...incident.services, service],
    )
  return (
    <Picker
      {...popup}
      label={words.fields.services}
      choices={(query) => filterChoices(choices, query)}
      choose={toggle}
      isMultiple
    />
  )
}
