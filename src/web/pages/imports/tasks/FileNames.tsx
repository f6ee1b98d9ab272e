import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import type { Project } from '../../tasks/data/lists.ts'
import { MapFields } from '../MapFields.tsx'
import type { TaskOptions, TaskPlan } from './data.ts'

interface FileMappingsProps {
  plan: TaskPlan
  project: Project
  options: TaskOptions
  set: (options: TaskOptions) => void
}

const fields = Object.entries(words.fields).map(([value, label]) => ({ value, label }))
const columnOptions = [{ value: '', label: words.leaveOut }, ...fields]

/** Mapping of a file's columns, statuses and people, recognized automatically until changed. */
export function FileMappings(props: FileMappingsProps) {
  return (
    <>
      <Columns {...props} />
      <Statuses {...props} />
      <PeopleMapping {...props} />
    </>
  )
}

function Columns({ plan, options, set }: FileMappingsProps) {
  return (
    <MapFields
      legend={words.columns}
      fields={columnsByName(plan).map(([name, field]) => ({
        name,
        label: name,
        value: field ?? '',
      }))}
      options={columnOptions}
      choose={(column, field) =>
        set({ mapping: { ...options.mapping, [column]: field === '' ? null : field } })
      }
    />
  )
}

/** Columns of the same name are mapped to the same field. */
const columnsByName = ({ columns = [] }: TaskPlan) => [
  ...new Map(columns.map(({ column, field }) => [column, field])),
]

function Statuses({ plan, project, options, set }: FileMappingsProps) {
  const countsByName = new Map<string, { to: string; count: number }>()
  for (const { from, to, count } of plan.statuses)
    countsByName.set(from, { to, count: count + (countsByName.get(from)?.count ?? 0) })
  return (
    <MapFields
      legend={words.statuses}
      fields={[...countsByName].map(([name, { to, count }]) => ({
        name,
        label: words.times(name === '' ? words.noStatus : name, count),
        value: to,
      }))}
      options={project.statuses
        .toSorted((a, b) => a.position - b.position)
        .map(({ name }) => ({ value: name, label: name }))}
      choose={(from, to) => set({ statuses: { ...options.statuses, [from]: to } })}
    />
  )
}

function PeopleMapping({ plan, project, options: { people }, set }: FileMappingsProps) {
  const members = project.members.map(({ person }) => person)
  const chosenFor = (name: string, to: string | null) =>
    people?.[name] === undefined
      ? (members.find(({ title }) => title === to)?.id ?? '')
      : (people[name] ?? '')
  return (
    <MapFields
      legend={words.people}
      fields={plan.people.map(({ name, to, count }) => ({
        name,
        label: words.times(name, count),
        value: chosenFor(name, to),
      }))}
      options={[
        { value: '', label: words.noOne },
        ...members.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      choose={(name, id) => set({ people: { ...people, [name]: id === '' ? null : id } })}
    />
  )
}
