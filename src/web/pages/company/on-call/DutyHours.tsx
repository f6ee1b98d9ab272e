import { IconX } from '@tabler/icons-react'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import planning from '../../planning/planning.module.css'
import { newHours, weekdays, type HoursDraft, type Weekday } from './layers.ts'
import styles from './on-call.module.css'

const { form } = words

interface DutyHoursProps {
  hours: readonly HoursDraft[]
  set: (hours: readonly HoursDraft[]) => void
}

/** The weekly duty hours of a rotation; without any it is always on duty. */
export function DutyHours({ hours, set }: DutyHoursProps) {
  const change = (key: string, patch: Partial<HoursDraft>) =>
    set(hours.map((item) => (item.key === key ? { ...item, ...patch } : item)))
  return (
    <fieldset className={styles.hours}>
      <legend>{form.hours}</legend>
      {hours.map(({ key, day, from, to }) => (
        <div key={key} className={styles.hoursLine}>
          <select
            aria-label={form.day}
            value={day}
            onChange={(event) => change(key, { day: event.currentTarget.value as Weekday })}
          >
            {weekdays.map((name) => (
              <option key={name} value={name}>
                {form.days[name]}
              </option>
            ))}
          </select>
          <input
            type="time"
            aria-label={form.from}
            value={from}
            onChange={(event) => change(key, { from: event.currentTarget.value })}
            required
          />
          <input
            type="time"
            aria-label={form.to}
            value={to === '24:00' ? '00:00' : to}
            onChange={(event) => change(key, { to: event.currentTarget.value })}
            required
          />
          <button
            type="button"
            aria-label={form.removeHours}
            onClick={() => set(hours.filter((item) => item.key !== key))}
          >
            <IconX size={14} aria-hidden />
          </button>
        </div>
      ))}
      <button
        type="button"
        className={planning.button}
        data-plain
        onClick={() => set([...hours, newHours()])}
      >
        {form.addHours}
      </button>
    </fieldset>
  )
}
