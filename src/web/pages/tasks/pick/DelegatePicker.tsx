import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin, useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import type { DelegateKey } from './change.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

/** The keys that can work on tasks: one's own, and for administrators everybody's. One's own come first. */
export function DelegatePicker({ ids, rows, anchor, close }: FieldPickerProps) {
  const { person: me } = useSignedIn()
  const of = useIsAdmin() ? 'organization' : 'me'
  const { data } = useEndpoint('/web/api-keys', { of, limit: 200 })
  const keys = (data?.items ?? []).filter((key) => key.state === 'active')
  const choices: Choice<DelegateKey | null>[] = [
    {
      value: null,
      label: t.tasks.noDelegate,
      icon: <Face id="" name="–" kind="assistant" size={18} />,
      isChosen: rows.every((row) => row.delegate === undefined),
    },
    ...keys
      .toSorted((a, b) => Number(b.owner.id === me.id) - Number(a.owner.id === me.id))
      .map(({ id, name, owner }) => ({
        value: { id, title: name, owner: { id: owner.id, title: owner.name } },
        label: name,
        icon: <Face id={id} name={name} kind="assistant" size={18} />,
        hint: owner.id === me.id ? undefined : owner.name,
        isChosen: rows.every((row) => row.delegate?.id === id),
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
