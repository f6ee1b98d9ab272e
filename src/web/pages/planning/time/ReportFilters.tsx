import { timeReportTexts as texts } from '../../../texts/en/planning/time-report.ts'
import { usePeople, useProjects } from '../../tasks/data/lists.ts'
import { reportUnits, type ReportUnit } from './periods.ts'
import styles from './report.module.css'

export type ReportGroup = keyof typeof texts.groups
const groups = Object.keys(texts.groups) as ReportGroup[]

/** Options of the report; an empty text: all of them. */
export interface ReportChoice {
  unit: ReportUnit
  group: ReportGroup
  projectId: string
  personId: string
}

interface ReportFiltersProps {
  choice: ReportChoice
  onChange: (choice: ReportChoice) => void
}

export function ReportFilters({ choice, onChange }: ReportFiltersProps) {
  const projects = useProjects().map(({ id, name }) => ({ value: id, label: name }))
  const people = usePeople().map(({ id, display_name: name }) => ({ value: id, label: name }))
  return (
    <div className={styles.filters}>
      <Filter
        label={texts.unit}
        value={choice.unit}
        options={reportUnits.map((unit) => ({ value: unit, label: texts.units[unit] }))}
        onChange={(unit) => onChange({ ...choice, unit })}
      />
      <Filter
        label={texts.group}
        value={choice.group}
        options={groups.map((group) => ({ value: group, label: texts.groups[group] }))}
        onChange={(group) => onChange({ ...choice, group })}
      />
      <Filter
        label={texts.project}
        value={choice.projectId}
        options={[{ value: '', label: texts.anyProject }, ...projects]}
        onChange={(project) => onChange({ ...choice, projectId: project })}
      />
      <Filter
        label={texts.person}
        value={choice.personId}
        options={[{ value: '', label: texts.anyPerson }, ...people]}
        onChange={(person) => onChange({ ...choice, personId: person })}
      />
    </div>
  )
}

interface FilterProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

function Filter<V extends string>({ label, value, options, onChange }: FilterProps<V>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as V)}>
        {options.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}
