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
  return <OptionValue {...props} own={customField} />
}

function useValue({ ids, rows, field }: CustomPickerProps) {
  const name = customName(field)
  return {
    name,
    now: rows.map((row) => row.custom_fields[name]),
    set: (value: CustomValue) => void applyChange(ids, { field, value }),
  }
}

function DateValue(props: CustomPickerProps) {
  const { name, now, set } = useValue(props)
  return (
    <DayMenu
      anchor={props.anchor}
      close={props.close}
      label={name}
      days={now.map((value) => (typeof value === 'string' ? value : undefined))}
      choose={set}
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

function OptionValue({ own, ...props }: CustomPickerProps & { own: CustomField }) {
  const { now, set } = useValue(props)
  if (own.type === 'boolean')
    return (
      <ValueList
        {...props}
        choices={[
          { value: true, label: t.tasks.table.yes },
          { value: false, label: t.tasks.table.no },
        ]}
      />
    )
  const names = own.options.map((option) => option.name)
  const choices = names.map((name) => ({ value: name, label: name }))
  if (own.type !== 'multi_select') return <ValueList {...props} choices={choices} />
  const [first] = now
  const chosen: readonly string[] = Array.isArray(first) ? first : []
  const toggle = (name: string) => {
    const next = chosen.includes(name)
      ? chosen.filter((other) => other !== name)
      : [...chosen, name]
    set(next.length === 0 ? null : next)
  }
  return (
    <Picker
      anchor={props.anchor}
      close={props.close}
      label={own.name}
      choices={(query) =>
        filterChoices(
          choices.map((choice) => ({ ...choice, isChosen: chosen.includes(choice.value) })),
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
  const { name, now, set } = useValue(props)
  const all: Choice<string | boolean | null>[] = [
    ...choices.map((choice) => ({
      ...choice,
      isChosen: now.every((value) => value === choice.value),
    })),
    ...(now.some((value) => value !== undefined)
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
      choices={(query) => filterChoices(all, query)}
      choose={set}
    />
  )
}
