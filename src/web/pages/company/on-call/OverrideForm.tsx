import { useState, type FormEvent } from 'react'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import planning from '../../planning/planning.module.css'
import { usePeople } from '../../tasks/data/lists.ts'
import { toLocalDateTime, isoOfLocal, ceilToMinute } from '../moments.ts'
import { coverShift, type Schedule } from './data.ts'

const { override: texts } = words

/** Shift to cover; unset parts are chosen in the form. */
export interface Override {
  schedule: Schedule
  level?: number
  from?: string
  to?: string
}

/** Assigns a substitute for part of a rotation. */
export function OverrideForm({ override, close }: { override: Override; close: () => void }) {
  const { schedule } = override
  const people = usePeople()
  const levels = [...new Set(schedule.layers.map(({ level }) => level))].toSorted((a, b) => a - b)
  const [personId, setPerson] = useState('')
  const [level, setLevel] = useState(override.level ?? levels[0] ?? 1)
  const [from, setFrom] = useState(toLocalDateTime(override.from ?? new Date().toISOString()))
  const [to, setTo] = useState(
    override.to === undefined ? '' : toLocalDateTime(ceilToMinute(override.to)),
  )
  const [reason, setReason] = useState('')
  const chosenPerson = people.find(({ id }) => id === personId)
  const [startsAt, endsAt] = [isoOfLocal(from), isoOfLocal(to)]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!chosenPerson || startsAt === undefined || endsAt === undefined) return
    close()
    const input = {
      schedule_id: schedule.id,
      person_id: chosenPerson.id,
      starts_at: startsAt,
      ends_at: endsAt,
      level,
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    }
    void coverShift(input, chosenPerson.display_name)
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {texts.person}
        <select
          data-autofocus
          value={personId}
          onChange={(event) => setPerson(event.currentTarget.value)}
          required
        >
          <option value="" disabled>
            {words.nobody}
          </option>
          {people.map(({ id, display_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div className={planning.pair}>
        {(
          [
            [texts.from, from, setFrom],
            [texts.to, to, setTo],
          ] as const
        ).map(([label, value, set]) => (
          <label key={label}>
            {label}
            <input
              type="datetime-local"
              value={value}
              onChange={(event) => set(event.currentTarget.value)}
              required
            />
          </label>
        ))}
      </div>
      <label>
        {texts.level}
        <select value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
          {levels.map((n) => (
            <option key={n} value={n}>
              {words.level(n)}
            </option>
          ))}
        </select>
      </label>
      <ReasonField reason={reason} set={setReason} />
      <button type="submit" className={planning.primary} disabled={!chosenPerson || to === ''}>
        {texts.action}
      </button>
    </form>
  )
}

function ReasonField({ reason, set }: { reason: string; set: (reason: string) => void }) {
  return (
    <label>
      {texts.reason}
      <input
        value={reason}
        onChange={(event) => set(event.currentTarget.value)}
        maxLength={1000}
        dir="auto"
      />
    </label>
  )
}
