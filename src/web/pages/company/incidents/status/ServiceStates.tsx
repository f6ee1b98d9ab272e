import { incidentTexts as words } from '../../../../texts/en/company/incidents.ts'
import styles from '../incidents.module.css'
import { serviceStates, type ServiceState, type StatusPage } from './status-update.ts'

const { updates } = words

interface ServiceStatesProps {
  services: StatusPage['services']
  /** The chosen states, by service id; other services stay unchanged. */
  states: Readonly<Record<string, ServiceState>>
  set: (states: Readonly<Record<string, ServiceState>>) => void
}

/** The states of services after an update is published. */
export function ServiceStates({ services, states, set }: ServiceStatesProps) {
  if (services.length === 0) return null
  const choose = (id: string, state: string) => {
    const { [id]: _before, ...others } = states
    set(state === '' ? others : { ...others, [id]: state as ServiceState })
  }
  return (
    <fieldset className={styles.states}>
      <legend>{updates.services}</legend>
      {services.map(({ service, state }) => (
        <label key={service.id}>
          <span dir="auto">{service.title}</span>
          <select
            value={states[service.id] ?? ''}
            onChange={(event) => choose(service.id, event.currentTarget.value)}
          >
            <option value="">{`${updates.unchanged}: ${updates.serviceStates[state]}`}</option>
            {serviceStates.map((value) => (
              <option key={value} value={value}>
                {updates.serviceStates[value]}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  )
}
