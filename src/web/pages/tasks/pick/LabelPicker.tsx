import { IconPlus } from '@tabler/icons-react'
import { useCall } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Dot } from '../../../ui/work/states.tsx'
import { useLabels } from '../data/lists.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

type Chosen = { label: { id: string; title: string }; isOn: boolean } | { create: string }

/** Toggles labels; a new label can be created from the typed name. */
export function LabelPicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const labels = useLabels()
  const create = useCall('create_label', ['list_labels'])
  const labelChoices: Choice<Chosen>[] = labels.map((label) => {
    const isOn = rows.every((row) => row.labels.some((other) => other.id === label.id))
    return {
      value: { label: { id: label.id, title: label.name }, isOn },
      label: label.name,
      icon: <Dot color={label.color} />,
      isChosen: isOn,
    }
  })
  const choices = (query: string): Choice<Chosen>[] => {
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
  const choose = (chosen: Chosen) => {
    if ('create' in chosen)
      create.mutate(
        { name: chosen.create },
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
        field: chosen.isOn ? 'removeLabel' : 'addLabel',
        label: chosen.label,
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
