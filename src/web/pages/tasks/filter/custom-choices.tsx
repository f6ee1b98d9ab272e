import { useContext, useMemo } from 'react'
import { t } from '../../../texts/index.ts'
import type { Choice } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { standardFields, includedProjects, type FilterField } from './filter.ts'
import { customText } from './matches.ts'
import { usePeople, useProjects, type CustomField } from '../data/lists.ts'
import { useAllRows } from '../data/rows.ts'
import { fieldsByName } from '../data/custom-fields.ts'
import { TaskScope, useView } from '../list/view.ts'

const maxValues = 100

/** The custom fields of the view's projects, by name. */
export function useCustomFields(): ReadonlyMap<string, CustomField> {
  const { view } = useView()
  const projects = useProjects()
  return useMemo(() => fieldsByName(projects, includedProjects(view.filter)), [projects, view])
}

/** Fields that can be filtered by in the current scope. */
export function useFilterFields(): readonly FilterField[] {
  const scope = useContext(TaskScope)
  const fields = useCustomFields()
  const scopedFields = scope
    ? standardFields.filter((field) => field !== 'project')
    : standardFields
  return [...scopedFields, ...[...fields.keys()].map((name): FilterField => `c.${name}`)]
}

/** The filterable values of a custom field: its options, or values used by tasks. */
export function useCustomChoices(name: string | undefined): Choice<string>[] {
  const field = useCustomFields().get(name ?? '')
  const people = usePeople()
  const rows = useAllRows()
  if (name === undefined) return []
  const noValue = { value: 'none', label: t.tasks.noValue }
  if (field?.type === 'boolean')
    return [
      { value: 'true', label: t.tasks.table.yes },
      { value: 'false', label: t.tasks.table.no },
      noValue,
    ]
  if (field?.type === 'person')
    return [
      ...people.map(({ id, display_name }) => ({
        value: id,
        label: display_name,
        icon: <Face id={id} name={display_name} size={18} />,
      })),
      noValue,
    ]
  const isOption = field?.type === 'select' || field?.type === 'multi_select'
  const values = isOption
    ? field.options.map((option) => option.name)
    : [...new Set(rows.flatMap((row) => customText(row.custom_fields[name])))]
        .toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }))
        .slice(0, maxValues)
  return [...values.map((value) => ({ value, label: value })), noValue]
}
