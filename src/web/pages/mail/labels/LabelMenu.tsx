import { IconPlus, IconTag } from '@tabler/icons-react'
import { invalidateOperations, useOperation } from '../../../api/queries.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { setLabel } from '../actions.ts'
import { confirmLarge, isLarge } from '../picked/large.ts'
import type { ThreadRow } from '../splits.ts'
import { mailTexts as t } from '../texts.ts'

const words = t.handling.labels

interface LabelMenuProps {
  threads: readonly ThreadRow[]
  anchor: Element
  close: () => void
}

/** Toggles labels on conversations; a new label can be created from the typed name. */
export function LabelMenu({ threads, anchor, close }: LabelMenuProps) {
  const [account, ...others] = new Set(threads.map(({ account_id }) => account_id))
  const labelsQuery = useOperation('list_email_labels', {
    ...(account !== undefined && others.length === 0 && { account_id: account }),
    limit: 100,
  })
  const isOnAll = (name: string) => threads.every(({ labels }) => labels.includes(name))
  const userLabels = (labelsQuery.data?.items ?? []).filter(({ kind }) => kind === 'label')
  const names = [
    ...new Set([...threads.flatMap(({ labels }) => labels), ...userLabels.map(({ name }) => name)]),
  ].toSorted((a, b) => a.localeCompare(b))
  const labelChoices = names.map(
    (name): Choice<string> => ({
      value: name,
      label: name,
      icon: <IconTag size={14} aria-hidden />,
      isChosen: isOnAll(name),
    }),
  )
  const choices = (query: string): Choice<string>[] => {
    const isKnown = names.some((name) => name.toLowerCase() === query.toLowerCase())
    const matches = filterChoices(labelChoices, query)
    if (query === '' || isKnown) return matches
    const createChoice = { label: words.create(query), icon: <IconPlus size={14} aria-hidden /> }
    return [...matches, { value: query, ...createChoice }]
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={threads.length > 1 ? words.labelOfAll : words.label}
      choices={choices}
      choose={(name) => {
        const isOn = !isOnAll(name)
        confirmLarge({ label: name, isOn }, threads, () => {
          void setLabel(threads, name, isOn).then(() => invalidateOperations('list_email_labels'))
        })
      }}
      isMultiple={!isLarge(threads)} // the confirmation replaces the list
    />
  )
}
