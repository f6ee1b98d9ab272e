import { useDebouncedValue } from '@mantine/hooks'
import { useState, type FormEvent } from 'react'
import { invalidateOperations, useOperation } from '../../../../api/queries.ts'
import { write } from '../../../../store/index.ts'
import { incidentTexts as words } from '../../../../texts/en/company/incidents.ts'
import planning from '../../../planning/planning.module.css'
import type { FullIncident, IncidentRow } from '../data.ts'
import { isoOfLocal } from '../../moments.ts'
import styles from '../incidents.module.css'
import { isActive } from '../order.ts'
import { PublicPreview } from './PublicPreview.tsx'
import { ServiceStates } from './ServiceStates.tsx'
import {
  updateStates,
  type ServiceState,
  type StatusUpdate,
  type StatusUpdateInput,
  type UpdateState,
} from './status-update.ts'

const { updates } = words

interface PublishFormProps {
  incident: IncidentRow
  previousUpdates: NonNullable<FullIncident['status_updates']>
  close: () => void
}

/** A public update, beside a preview of the page. */
export function PublishForm({ incident, previousUpdates, close }: PublishFormProps) {
  const form = useUpdateForm(incident, previousUpdates)
  const { input, isComplete } = form
  const [debouncedInput] = useDebouncedValue(input, 350)
  const page = useOperation('get_status_page', { days: 1 })
  const publish = async (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete) return
    close()
    await write('publish_status_update', input, { text: updates.published(input.title) })
    await invalidateOperations('get_incident', 'get_status_page')
  }
  return (
    <form className={styles.beside} onSubmit={(event) => void publish(event)}>
      <div className={planning.form}>
        <UpdateTexts {...form} />
        {page.data && (
          <ServiceStates
            services={page.data.services}
            states={input.service_states ?? {}}
            set={form.setStates}
          />
        )}
        <button type="submit" className={planning.primary} disabled={!isComplete}>
          {updates.publish}
        </button>
      </div>
      {page.data && (
        <PublicPreview
          page={page.data}
          input={isComplete ? debouncedInput : undefined}
          previousUpdates={previousUpdates}
        />
      )}
    </form>
  )
}

/** Update being written, as input of publish_status_update. */
function useUpdateForm(incident: IncidentRow, previousUpdates: readonly StatusUpdate[]) {
  const lastUpdate = previousUpdates.find(({ state }) => state !== 'maintenance')
  const [title, setTitle] = useState(lastUpdate?.title ?? incident.title)
  const [state, setState] = useState<UpdateState>(
    isActive(incident) ? (lastUpdate?.state ?? 'investigating') : 'resolved',
  )
  const [text, setText] = useState('')
  const [states, setStates] = useState<Readonly<Record<string, ServiceState>>>({})
  const [starts, setStarts] = useState('')
  const [ends, setEnds] = useState('')
  const isMaintenance = state === 'maintenance'
  const startsAt = isMaintenance ? isoOfLocal(starts) : undefined
  const endsAt = isMaintenance ? isoOfLocal(ends) : undefined
  const input: StatusUpdateInput = {
    incident_id: incident.id,
    title: title.trim(),
    state,
    body_markdown: text.trim(),
    ...(Object.keys(states).length > 0 && { service_states: { ...states } }),
    ...(startsAt !== undefined && { starts_at: startsAt }),
    ...(endsAt !== undefined && { ends_at: endsAt }),
  }
  const isComplete =
    input.title !== '' && input.body_markdown !== '' && (!isMaintenance || endsAt !== undefined)
  const fields = { title, state, text, starts, ends }
  const set = { title: setTitle, state: setState, text: setText, starts: setStarts, ends: setEnds }
  return { input, isComplete, fields, set, setStates }
}

function UpdateTexts({ fields, set }: Pick<ReturnType<typeof useUpdateForm>, 'fields' | 'set'>) {
  const { title, state, text } = fields
  return (
    <>
      <label>
        {updates.name}
        <input
          value={title}
          onChange={(event) => set.title(event.currentTarget.value)}
          required
          maxLength={500}
          dir="auto"
        />
      </label>
      <label>
        {updates.state}
        <select
          value={state}
          onChange={(event) => set.state(event.currentTarget.value as UpdateState)}
        >
          {updateStates.map((value) => (
            <option key={value} value={value}>
              {updates.states[value]}
            </option>
          ))}
        </select>
      </label>
      {state === 'maintenance' && (
        <div className={planning.pair}>
          {(['starts', 'ends'] as const).map((name) => (
            <label key={name}>
              {updates[name]}
              <input
                type="datetime-local"
                value={fields[name]}
                onChange={(event) => set[name](event.currentTarget.value)}
                required={name === 'ends'}
              />
            </label>
          ))}
        </div>
      )}
      <label>
        {updates.text}
        <textarea
          data-autofocus
          value={text}
          onChange={(event) => set.text(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit()
          }}
          rows={5}
          required
          maxLength={50_000}
          dir="auto"
        />
      </label>
    </>
  )
}
