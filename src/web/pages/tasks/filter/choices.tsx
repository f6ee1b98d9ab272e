import { useMemo } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import type { Choice } from '../../../ui/work/Picker.tsx'
import { Dot, PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { allCategories, customName, isCustom, allPriorities } from '../data/fields.ts'
import { useDelegateKeys, useLabels, usePeople, useProjects } from '../data/lists.ts'
import { useView } from '../list/view.ts'
import { filterValues, type FilterField } from './filter.ts'
import { isPeriodField, offeredPeriods, periodChoice } from './periods.ts'
import { useCustomChoices } from './custom-choices.tsx'

/** The possible values of a filter, with the current ones marked, including ones that can no longer be chosen. */
export function useFilterChoices(field: FilterField): Choice<string>[] {
  const { view } = useView()
  const standardChoices = useChoices(field)
  const customChoices = useCustomChoices(isCustom(field) ? customName(field) : undefined)
  const selectedValues = filterValues(view.filter, field)
  const choices = isCustom(field) ? customChoices : standardChoices
  const knownValues = new Set(choices.map(({ value }) => value))
  const extraValues = isCustom(field) || isPeriodField(field) ? selectedValues : []
  return [
    ...choices,
    ...extraValues
      .filter((value) => !knownValues.has(value))
      .map((value) => periodChoice(field, value)),
  ].map((choice) => ({ ...choice, isChosen: selectedValues.includes(choice.value) }))
}

function useChoices(field: FilterField): Choice<string>[] {
  const { person: me } = useSignedIn()
  const people = usePeople()
  const projects = useProjects()
  const labels = useLabels()
  const keys = useDelegateKeys(field === 'delegate')
  return useMemo(() => {
    switch (field) {
      case 'assignee':
        return [
          { value: 'me', label: t.tasks.me, icon: <Face id={me.id} name={me.name} size={18} /> },
          { value: 'none', label: t.tasks.nobody, icon: <Face id="" name="–" size={18} /> },
          ...people
            .filter((person) => person.id !== me.id)
            .map((person) => ({
              value: person.id,
              label: person.display_name,
              icon: <Face id={person.id} name={person.display_name} size={18} />,
            })),
        ]
      case 'delegate':
        return [
          { value: 'me', label: t.tasks.myDelegates },
          { value: 'any', label: t.tasks.anyDelegate },
          { value: 'none', label: t.tasks.noDelegate },
          ...keys.map(({ id, title, owner }) => ({
            value: id,
            label: title,
            icon: <Face id={id} name={title} kind="assistant" size={18} />,
            hint: owner.id === me.id ? undefined : owner.title,
          })),
        ]
      case 'project':
        return projects.map(({ key, name }) => ({ value: key, label: name, hint: key }))
      case 'label':
        return [
          ...labels.map(({ id, name, color }) => ({
            value: id,
            label: name,
            icon: <Dot color={color} />,
          })),
          { value: 'none', label: t.tasks.noLabels },
        ]
      default:
        return fixedChoices(field)
    }
  }, [field, me, people, projects, labels, keys])
}

/** Values that are the same for everyone. */
function fixedChoices(field: FilterField): Choice<string>[] {
  if (field === 'status')
    return allCategories.map((category) => ({
      value: category,
      label: t.tasks.categories[category],
      icon: <StatusIcon category={category} />,
    }))
  if (field === 'priority')
    return allPriorities.map((priority) => ({
      value: priority,
      label: t.tasks.priorities[priority],
      icon: <PriorityIcon priority={priority} />,
    }))
  return offeredPeriods(field)
}
