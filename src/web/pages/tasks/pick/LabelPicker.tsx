import { IconPlus } from '@tabler/icons-react'
import { useCall } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Dot } from '../../../ui/work/states.tsx'
import { useLabels } from '../data/lists.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

type LabelChoice = { label: { id: string; title: string }; isSet: boolean } | { create: string }

/** Toggles labels; a new label can be created from the typed name. */
export function LabelPicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const labels = useLabels()
  const create = useCall('create_label', ['list_labels'])
  const labelChoices: Choice<LabelChoice>[] = labels.map((label) => {
    const isSet = rows.every((row) => row.labels.some((other) => other.id === label.id))
    return {
      value: { label: { id: label.id, title: label.name }, isSet },
      label: label.name,
      icon: <Dot color={label.color} />,
      isChosen: isSet,
    }
  })
  const choices = (query: string): Choice<LabelChoice>[] => {
    const isKnown = labels.some((label) => label.name.toLowerCase() === query.toLowerCase())
    return [
      ...filterChoices(labelChoices, query),
      ...(query === '' || isKnown
        ? []
        : [
            {
              value: { create: query },
              label: t.tasks.newLabel(query),
              icon: <IconPlus size={14} aria-hidden />,
            },
          ]),
    ]
  }
  const choose = (choice: LabelChoice) => {
    if ('create' in choice)
      create.mutate(
        { name: choice.create },
        {
          onSuccess: (label) =>
            void applyChange(ids, {
              field: 'addLabel',
              label: { id: label.id, title: label.name },
            }),
          onError: notifyProblem,
        },
      )
    else
      void applyChange(ids, {
        field: choice.isSet ? 'removeLabel' : 'addLabel',
        label: choice.label,
      })
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick.labels}
      choices={choices}
      choose={choose}
      isMultiple
    />
  )
}
