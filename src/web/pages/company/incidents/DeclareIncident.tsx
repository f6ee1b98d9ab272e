import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { notify } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import planning from '../../planning/planning.module.css'
import { usePeople } from '../../tasks/data/lists.ts'
import { declareIncident, severities, type Severity } from './data.ts'
import { isoOfLocal } from '../moments.ts'
import styles from './incidents.module.css'
import { CheckboxGroup } from '../Ticks.tsx'
import { useServices } from './pickers.tsx'

const { declare } = words

interface DeclareProps {
  isOpen: boolean
  close: () => void
}

/** Declares an incident, and opens its page. */
export function DeclareIncident({ isOpen, close }: DeclareProps) {
  return (
    <Dialog isOpen={isOpen} close={close} title={declare.title}>
      <DeclareForm close={close} />
    </Dialog>
  )
}

function useDeclaration() {
  const [title, setTitle] = useState('')
  const [severity, setSeverity] = useState<Severity>('sev2')
  const [summary, setSummary] = useState('')
  const [lead, setLead] = useState('')
  const [detected, setDetected] = useState('')
  const [restricted, setRestricted] = useState(false)
  const [affectedIds, setAffectedIds] = useState<readonly string[]>([])
  const detectedAt = isoOfLocal(detected)
  const input = {
    title: title.trim(),
    severity,
    ...(affectedIds.length > 0 && { service_ids: [...affectedIds] }),
    ...(lead !== '' && { lead_id: lead }),
    ...(summary.trim() !== '' && { summary_markdown: summary.trim() }),
    ...(detectedAt !== undefined && { detected_at: detectedAt }),
    ...(restricted && { restricted }),
  }
  return {
    input,
    fields: { title, severity, summary, lead, detected, restricted, hit: affectedIds },
    set: {
      title: setTitle,
      severity: setSeverity,
      summary: setSummary,
      lead: setLead,
      detected: setDetected,
      restricted: setRestricted,
      hit: setAffectedIds,
    },
  }
}

type Declaration = ReturnType<typeof useDeclaration>

function DeclareForm({ close }: { close: () => void }) {
  const { person } = useSignedIn()
  const navigate = useNavigate()
  const declaration = useDeclaration()
  const { input, fields, set } = declaration
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    const incident = await declareIncident(input, { id: person.id, title: person.name })
    if (!incident) return
    const pagedPeople = incident.paged?.people ?? []
    if (pagedPeople.length > 0)
      notify({
        text: declare.paged(pagedPeople.map(({ title }) => title)),
        seconds: 10,
        actions: [],
      })
    void navigate({ to: `/incidents/${incident.key}` })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {declare.name}
        <input
          data-autofocus
          value={fields.title}
          onChange={(event) => set.title(event.currentTarget.value)}
          placeholder={declare.placeholder}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <div className={planning.pair}>
        <label>
          {declare.severity}
          <select
            value={fields.severity}
            onChange={(event) => set.severity(event.currentTarget.value as Severity)}
          >
            {severities.map((value) => (
              <option key={value} value={value}>
                {words.severities[value]}
              </option>
            ))}
          </select>
        </label>
        <LeadField {...declaration} />
      </div>
      <AffectedServices {...declaration} />
      <label>
        {declare.summary}
        <textarea
          value={fields.summary}
          onChange={(event) => set.summary(event.currentTarget.value)}
          rows={3}
          maxLength={500_000}
          dir="auto"
        />
      </label>
      <label>
        {declare.detected}
        <input
          type="datetime-local"
          value={fields.detected}
          onChange={(event) => set.detected(event.currentTarget.value)}
        />
      </label>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={fields.restricted}
          onChange={(event) => set.restricted(event.currentTarget.checked)}
        />
        {declare.restricted}
      </label>
      <button type="submit" className={planning.primary} disabled={input.title === ''}>
        {declare.action}
      </button>
    </form>
  )
}

function LeadField({ fields, set }: Declaration) {
  const people = usePeople()
  return (
    <label>
      {declare.lead}
      <select value={fields.lead} onChange={(event) => set.lead(event.currentTarget.value)}>
        <option value="">{declare.firstToAcknowledge}</option>
        {people.map(({ id, display_name: name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The affected services; their on-call people are paged. */
function AffectedServices({ fields: { hit }, set }: Declaration) {
  const { items, isPending } = useServices()
  return (
    <>
      <CheckboxGroup
        legend={declare.services}
        options={items.map(({ id, name }) => ({ value: id, label: name }))}
        checkedValues={hit}
        onChange={set.hit}
      />
      {!isPending && (
        <span className={planning.note}>
          {items.length === 0 ? declare.noServices : declare.servicesHint}
        </span>
      )}
    </>
  )
}
