import { filterChoices, Picker, type Choice } from '../../ui/work/Picker.tsx'
import type { Colleague } from '../people/data.ts'
import type { CellPopup } from '../../ui/work/table/columns.ts'
import { Face } from '../../ui/work/Who.tsx'
import { usePeople } from '../tasks/data/lists.ts'
import type { NamedItem } from './contacts/data.ts'

interface PersonPickerProps extends CellPopup {
  label: string
  /** Label of the choice of no person; without it, one must be chosen. */
  noneLabel?: string
  /** Whether a person can be chosen; default: all active people. */
  isOffered?: (person: Colleague) => boolean
  person: NamedItem | undefined
  choose: (person: NamedItem | undefined) => void
}

/** A person of the organization, or none. */
export function PersonPicker({
  anchor,
  close,
  label,
  noneLabel,
  isOffered = () => true,
  person,
  choose,
}: PersonPickerProps) {
  const people = usePeople().filter(isOffered)
  const choices: Choice<NamedItem | undefined>[] = [
    ...(person && noneLabel !== undefined ? [{ value: undefined, label: noneLabel }] : []),
    ...people.map(({ id, display_name: name }) => ({
      value: { id, title: name },
      label: name,
      icon: <Face id={id} name={name} size={18} />,
      isChosen: id === person?.id,
    })),
  ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={label}
      choices={(query) => filterChoices(choices, query)}
      choose={choose}
    />
  )
}
