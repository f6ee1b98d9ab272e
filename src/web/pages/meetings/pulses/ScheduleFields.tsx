import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import planning from '../../planning/planning.module.css'
import { zoneName, zonesWith } from '../../calendar/data/wall.ts'
import { SelectField } from '../PlanFields.tsx'
import {
  hasWeekday,
  pulseRepeats,
  scheduleRule,
  pulseWeekdays,
  type PulseSchedule,
} from './schedule.ts'

const { form: words, repeats } = pulseTexts

interface ScheduleFieldsProps {
  schedule: PulseSchedule
  /** The time zone of the opening time. */
  zone: string
  set: (schedule: PulseSchedule) => void
  setZone: (zone: string) => void
}

/** Interval of the rounds, and the time at which they open. */
export function ScheduleFields({ schedule, zone, set, setZone }: ScheduleFieldsProps) {
  const { repeat, weekday, time, rule } = schedule
  const isCustom = repeat === 'other'
  return (
    <>
      <div className={planning.pair}>
        <SelectField
          label={words.repeats}
          value={repeat}
          options={pulseRepeats.map((value) => ({ value, label: repeats[value] }))}
          set={(next) =>
            set({
              ...schedule,
              repeat: next,
              rule: next === 'other' && rule === '' ? scheduleRule(schedule) : rule,
            })
          }
        />
        {hasWeekday(repeat) && (
          <SelectField
            label={words.weekday}
            value={weekday}
            options={pulseWeekdays.map(({ code, name }) => ({ value: code, label: name }))}
            set={(next) => set({ ...schedule, weekday: next })}
          />
        )}
        {!isCustom && (
          <label>
            {words.time}
            <input
              type="time"
              value={time}
              onChange={(event) => set({ ...schedule, time: event.currentTarget.value })}
              required
            />
          </label>
        )}
      </div>
      {isCustom && (
        <label>
          {words.rule}
          <input
            value={rule}
            onChange={(event) => set({ ...schedule, rule: event.currentTarget.value })}
            required
            maxLength={500}
            autoComplete="off"
          />
        </label>
      )}
      <SelectField
        label={words.zone}
        value={zone}
        options={zonesWith(zone).map((name) => ({ value: name, label: zoneName(name) }))}
        set={setZone}
      />
    </>
  )
}
