import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import type { DelegateKey } from '../data/fields.ts'
import { useDelegateKeys } from '../data/lists.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

/** Keys that can work on tasks: the reader's first, and for administrators all others. */
export function DelegatePicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const { person: me } = useSignedIn()
  const keys = useDelegateKeys()
  const choices: Choice<DelegateKey | null>[] = [
    {
      value: null,
      label: t.tasks.noDelegate,
      icon: <Face id="" name="–" kind="assistant" size={18} />,
      isChosen: rows.every((row) => row.delegate === undefined),
    },
    ...keys.map((key) => ({
      value: key,
      label: key.title,
      icon: <Face id={key.id} name={key.title} kind="assistant" size={18} />,
      hint: key.owner.id === me.id ? undefined : key.owner.title,
      isChosen: rows.every((row) => row.delegate?.id === key.id),
    })),
  ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick.delegate}
      choices={(query) => filterChoices(choices, query)}
      choose={(key) => void applyChange(ids, { field: 'delegate', key })}
    />
  )
}
