import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker, PickerStartContext, type Choice } from '../../../ui/work/Picker.tsx'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { allPriorities } from '../data/fields.ts'
import { usePeople, useProjects } from '../data/lists.ts'
import { taskRowOf } from '../data/rows.ts'
import { applyChange, moveToProject } from './changes.ts'
import { CustomPicker } from './CustomPicker.tsx'
import { DayPicker } from './DayPicker.tsx'
import { DelegatePicker } from './DelegatePicker.tsx'
import { LabelPicker } from './LabelPicker.tsx'
import { closePicker, type FieldPickerProps, type OpenPicker } from './open.ts'
import { MilestonePicker, SprintPicker } from './PlanPickers.tsx'

/** The open picker for a task field. */
export function OpenTaskPicker({ picker }: { picker: OpenPicker }) {
  const rows = picker.ids.map(taskRowOf).filter((row) => row !== undefined)
  if (rows.length === 0) return null
  const { ids, anchor, field, query = '', leave } = picker
  return (
    <PickerStartContext value={{ query, leave }}>
      <FieldPicker ids={ids} rows={rows} anchor={anchor} close={closePicker} field={field} />
    </PickerStartContext>
  )
}

function FieldPicker({ field, ...props }: FieldPickerProps & Pick<OpenPicker, 'field'>) {
  switch (field) {
    case 'status':
      return <StatusPicker {...props} />
    case 'priority':
      return <PriorityPicker {...props} />
    case 'assignees':
      return <AssigneePicker {...props} />
    case 'delegate':
      return <DelegatePicker {...props} />
    case 'labels':
      return <LabelPicker {...props} />
    case 'project':
      return <ProjectPicker {...props} />
    case 'sprint':
      return <SprintPicker {...props} />
    case 'milestone':
      return <MilestonePicker {...props} />
    case 'due':
    case 'start':
      return <DayPicker {...props} field={field} />
    default:
      return <CustomPicker {...props} field={field} />
  }
}

function StatusPicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const projects = useProjects()
  const projectIds = new Set(rows.map((row) => row.project.id))
  const [firstProject, ...otherProjects] = projects.filter((project) => projectIds.has(project.id))
  const statuses = (firstProject?.statuses ?? []).filter((status) =>
    otherProjects.every((project) => project.statuses.some((other) => other.name === status.name)),
  )
  const choices = statuses
    .toSorted((a, b) => a.position - b.position)
    .map((status) => ({
      value: status,
      label: status.name,
      icon: <StatusIcon category={status.category} />,
      isChosen: rows.every((row) => row.status === status.name),
    }))
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick.status}
      choices={(query) => filterChoices(choices, query)}
      choose={({ name, category }) => void applyChange(ids, { field: 'status', name, category })}
    />
  )
}

function PriorityPicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const choices = allPriorities.map((priority) => ({
    value: priority,
    label: t.tasks.priorities[priority],
    icon: <PriorityIcon priority={priority} />,
    isChosen: rows.every((row) => row.priority === priority),
  }))
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick.priority}
      choices={(query) => filterChoices(choices, query)}
      choose={(priority) => void applyChange(ids, { field: 'priority', priority })}
    />
  )
}

/** For one task, several people can be chosen; several tasks all get the chosen one. */
function AssigneePicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const people = usePeople()
  const { person: me } = useSignedIn()
  const [firstRow, ...otherRows] = rows
  const assigned = otherRows.length === 0 ? (firstRow?.assignees ?? []) : []
  const choices: Choice<string | undefined>[] = [
    {
      value: undefined,
      label: t.tasks.nobody,
      icon: <Face id="" name="–" size={18} />,
      isChosen: rows.every((row) => row.assignees.length === 0),
    },
    ...people
      .toSorted((a, b) => Number(b.id === me.id) - Number(a.id === me.id))
      .map((person) => ({
        value: person.id,
        label: person.display_name,
        icon: <Face id={person.id} name={person.display_name} size={18} />,
        hint: person.id === me.id ? t.tasks.you : undefined,
        isChosen: assigned.some((other) => other.id === person.id),
      })),
  ]
  const choose = (id: string | undefined) => {
    const person = people.find((other) => other.id === id)
    const assignee = person && { id: person.id, title: person.display_name }
    const isAssigned = assigned.some((other) => other.id === id)
    const remaining = assigned.filter((other) => other.id !== id)
    const newAssignees = isAssigned ? remaining : [...remaining, ...(assignee ? [assignee] : [])]
    void applyChange(ids, { field: 'assignees', people: id === undefined ? [] : newAssignees })
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick.assignees}
      choices={(query) => filterChoices(choices, query)}
      choose={choose}
    />
  )
}

function ProjectPicker({ rows, anchor, close }: FieldPickerProps) {
  const projects = useProjects()
  const choices = projects.map((project) => ({
    value: project,
    label: project.name,
    hint: project.key,
    isChosen: rows.every((row) => row.project.id === project.id),
  }))
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick.project}
      choices={(query) => filterChoices(choices, query)}
      choose={(project) => {
        void moveToProject(rows, project)
      }}
    />
  )
}
