import { timeReportTexts as words } from '../../../texts/en/planning/time-report.ts'
import { usePeople, useProjects } from '../../tasks/data/lists.ts'
import { reportUnits, type ReportUnit } from './periods.ts'
import styles from './report.module.css'

export type ReportGroup = keyof typeof words.groups
const groups = Object.keys(words.groups) as ReportGroup[]

/** Options of the report; an empty text: all of them. */
export interface ReportChoice {
  unit: ReportUnit
  group: ReportGroup
  project: string
  person: string
}

interface ReportFiltersProps {
  choice: ReportChoice
  set: (choice: ReportChoice) => void
}

export function ReportFilters({ choice, set }: ReportFiltersProps) {
  const projects = useProjects().map(({ id, name }) => ({ value: id, label: name }))
  const people = usePeople().map(({ id, display_name: name }) => ({ value: id, label: name }))
  return (
    <div className={styles.filters}>
      <Filter
        label={words.unit}
        value={choice.unit}
        options={reportUnits.map((unit) => ({ value: unit, label: words.units[unit] }))}
        set={(unit) => set({ ...choice, unit })}
      />
      <Filter
        label={words.group}
        value={choice.group}
        options={groups.map((group) => ({ value: group, label: words.groups[group] }))}
        set={(group) => set({ ...choice, group })}
      />
      <Filter
        label={words.project}
        value={choice.project}
        options={[{ value: '', label: words.anyProject }, ...projects]}
        set={(project) => set({ ...choice, project })}
      />
      <Filter
        label={words.person}
        value={choice.person}
        options={[{ value: '', label: words.anyPerson }, ...people]}
        set={(person) => set({ ...choice, person })}
      />
    </div>
  )
}

interface FilterProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  set: (value: V) => void
}

function Filter<V extends string>({ label, value, options, set }: FilterProps<V>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => set(event.currentTarget.value as V)}>
        {options.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}
