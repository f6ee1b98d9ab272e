import { useState, type FormEvent } from 'react'
import { useList } from '../../../api/queries.ts'
import { notify, write } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import planning from '../../planning/planning.module.css'
import { usePeople } from '../../tasks/data/lists.ts'
import type { IncidentRow } from './data.ts'

const { escalate } = words

/** Parses the value of an option: empty, or a kind and an id. */
function escalationTargetOf(value: string) {
  const [kind, id] = value.split(' ')
  return kind === '' || id === undefined ? {} : { [`${kind}_id`]: id }
}

/** Pages a person for an incident immediately. */
export function EscalateForm({ incident, close }: { incident: IncidentRow; close: () => void }) {
  const [target, setTarget] = useState('')
  const [reason, setReason] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    const result = await write(
      'escalate_incident',
      { incident_id: incident.id, reason: reason.trim(), ...escalationTargetOf(target) },
      { text: t.tasks.changed(incident.key, escalate.action), undo: false, noticeSeconds: 0 },
    )
    if (result.state !== 'done' || !result.value) return
    const text = escalate.done(result.value.targets.map(({ title }) => title))
    notify({ text, seconds: 10, actions: [] })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <TargetSelect value={target} choose={setTarget} />
      <label>
        {escalate.reason}
        <input
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          required
          maxLength={2000}
          dir="auto"
        />
      </label>
      <p className={planning.note}>{escalate.hint}</p>
      <button type="submit" className={planning.primary} disabled={reason.trim() === ''}>
        {escalate.action}
      </button>
    </form>
  )
}

function TargetSelect({ value, choose }: { value: string; choose: (value: string) => void }) {
  const people = usePeople()
  const teams = useList('list_teams', { limit: 100 }).items
  const schedules = useList('list_on_call_schedules', { limit: 100 }).items
  const groups = [
    {
      kind: 'person',
      label: escalate.people,
      options: people.map(({ id, display_name: name }) => ({ id, name })),
    },
    { kind: 'team', label: escalate.teams, options: teams },
    { kind: 'schedule', label: escalate.schedules, options: schedules },
  ]
  return (
    <label>
      {escalate.whom}
      <select data-autofocus value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{escalate.next}</option>
        {groups
          .filter(({ options }) => options.length > 0)
          .map(({ kind, label, options }) => (
            <optgroup key={kind} label={label}>
              {options.map(({ id, name }) => (
                <option key={id} value={`${kind} ${id}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </label>
  )
}
