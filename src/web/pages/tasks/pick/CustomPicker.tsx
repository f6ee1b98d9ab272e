import { IconMinus } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { DayMenu } from '../../../ui/work/DayMenu.tsx'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { customName, type CustomFieldName, type CustomValue } from '../data/fields.ts'
import { usePeople, useProjects, type CustomField } from '../data/lists.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

type CustomPickerProps = FieldPickerProps & { field: CustomFieldName }

/** The values that a custom field can have. */
export function CustomPicker(props: CustomPickerProps) {
  const { field, rows } = props
  const projects = useProjects()
  const name = customName(field)
  const customField = projects
    .find((project) => project.id === rows[0]?.project.id)
    ?.custom_fields.find((other) => other.name === name)
  if (!customField) return null
  if (customField.type === 'date') return <DateValue {...props} />
  if (customField.type === 'person') return <PersonValue {...props} />
  return <OptionValue {...props} customField={customField} />
}

function useValue({ ids, rows, field }: CustomPickerProps) {
  const name = customName(field)
  return {
    name,
    values: rows.map((row) => row.custom_fields[name]),
    save: (value: CustomValue) => void applyChange(ids, { field, value }),
  }
}

function DateValue(props: CustomPickerProps) {
  const { name, values, save } = useValue(props)
  return (
    <DayMenu
      anchor={props.anchor}
      close={props.close}
      label={name}
      days={values.map((value) => (typeof value === 'string' ? value : undefined))}
      choose={save}
    />
  )
}

function PersonValue(props: CustomPickerProps) {
  const people = usePeople().map((person) => ({
    value: person.id,
    label: person.display_name,
    icon: <Face id={person.id} name={person.display_name} size={18} />,
  }))
  return <ValueList {...props} choices={people} />
}

function OptionValue({ customField, ...props }: CustomPickerProps & { customField: CustomField }) {
  const { values, save } = useValue(props)
  if (customField.type === 'boolean')
    return (
      <ValueList
        {...props}
        choices={[
          { value: true, label: t.tasks.table.yes },
          { value: false, label: t.tasks.table.no },
        ]}
      />
    )
  const names = customField.options.map((option) => option.name)
  const choices = names.map((name) => ({ value: name, label: name }))
  if (customField.type !== 'multi_select') return <ValueList {...props} choices={choices} />
  const [firstValue] = values
  const selected: readonly string[] = Array.isArray(firstValue) ? firstValue : []
  const toggle = (name: string) => {
    const newSelected = selected.includes(name)
      ? selected.filter((other) => other !== name)
      : [...selected, name]
    save(newSelected.length === 0 ? null : newSelected)
  }
  return (
    <Picker
      anchor={props.anchor}
      close={props.close}
      label={customField.name}
      choices={(query) =>
        filterChoices(
          choices.map((choice) => ({ ...choice, isChosen: selected.includes(choice.value) })),
          query,
        )
      }
      choose={toggle}
      isMultiple
    />
  )
}

interface ValueListProps extends CustomPickerProps {
  choices: readonly Choice<string | boolean>[]
}

/** A list of values with at most one chosen. */
function ValueList({ choices, ...props }: ValueListProps) {
  const { name, values, save } = useValue(props)
  const allChoices: Choice<string | boolean | null>[] = [
    ...choices.map((choice) => ({
      ...choice,
      isChosen: values.every((value) => value === choice.value),
    })),
    ...(values.some((value) => value !== undefined)
      ? [
          {
            value: null,
            label: t.tasks.none,
            icon: <IconMinus size={15} stroke={1.6} aria-hidden />,
          },
        ]
      : []),
  ]
  return (
    <Picker
      anchor={props.anchor}
      close={props.close}
      label={name}
      choices={(query) => filterChoices(allChoices, query)}
      choose={save}
    />
  )
}
