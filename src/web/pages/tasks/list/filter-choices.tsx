import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import type { Choice } from '../../../ui/work/Picker.tsx'
import {
  Dot,
  PriorityIcon,
  StatusIcon,
  type Priority,
  type StatusCategory,
} from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { useLabels, usePeople, useProjects } from '../data/lists.ts'
import { dueFilters, useView, type FilterField } from './view.ts'

const categories: readonly StatusCategory[] = [
  'triage',
  'backlog',
  'todo',
  'in_progress',
  'done',
  'cancelled',
]
const priorities: readonly Priority[] = ['urgent', 'high', 'medium', 'low', 'none']

/** The values that a filter can have, with those marked that it has. */
export function useFilterChoices(field: FilterField): Choice<string>[] {
  const { view } = useView()
  const all = useChoices()[field]
  const chosen: readonly string[] = view.filter[field]
  return all.map((choice) => ({ ...choice, isChosen: chosen.includes(choice.value) }))
}

function useChoices(): Record<FilterField, Choice<string>[]> {
  const { person: me } = useSignedIn()
  const people = usePeople()
  const projects = useProjects()
  const labels = useLabels()
  return {
    assignee: [
      { value: 'me', label: t.tasks.me, icon: <Face id={me.id} name={me.name} size={18} /> },
      { value: 'none', label: t.tasks.nobody, icon: <Face id="" name="–" size={18} /> },
      ...people
        .filter((person) => person.id !== me.id)
        .map((person) => ({
          value: person.id,
          label: person.display_name,
          icon: <Face id={person.id} name={person.display_name} size={18} />,
        })),
    ],
    status: categories.map((category) => ({
      value: category,
      label: t.tasks.categories[category],
      icon: <StatusIcon category={category} />,
    })),
    priority: priorities.map((priority) => ({
      value: priority,
      label: t.tasks.priorities[priority],
      icon: <PriorityIcon priority={priority} />,
    })),
    project: projects.map((project) => ({
      value: project.key,
      label: project.name,
      hint: project.key,
    })),
    label: [
      ...labels.map((label) => ({
        value: label.id,
        label: label.name,
        icon: <Dot color={label.color} />,
      })),
      { value: 'none', label: t.tasks.noLabels },
    ],
    due: dueFilters.map((due) => ({ value: due, label: t.tasks.dueFilters[due] })),
  }
}
