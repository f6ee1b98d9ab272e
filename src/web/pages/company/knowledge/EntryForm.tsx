import { useState, type FormEvent } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import incidents from '../incidents/incidents.module.css'
import planning from '../../planning/planning.module.css'
import { EntityField } from './EntityField.tsx'

/** A field of a small form; an empty field is an empty text, a checkbox is `yes` or empty. */
export interface EntryField {
  name: string
  label: string
  kind?: 'text' | 'long' | 'date' | 'entity' | 'tick'
  isRequired?: boolean
  /** Maximum number of characters; default: 500. */
  limit?: number
}

export type EntryValues = Readonly<Record<string, string>>

/** Form for a new entry, and its submission. */
export interface Entry {
  title: string
  action: string
  fields: readonly EntryField[]
  values?: EntryValues
  submit: (entries: EntryValues) => void
}

/** A dialog with the form of an entry; `undefined` closes it. */
export function EntryDialog({ entry, close }: { entry: Entry | undefined; close: () => void }) {
  return (
    <Dialog isOpen={entry !== undefined} close={close} title={entry?.title ?? ''}>
      {entry && (
        <EntryForm
          entry={{
            ...entry,
            submit: (entries) => {
              close()
              entry.submit(entries)
            },
          }}
        />
      )}
    </Dialog>
  )
}

/** A small form whose fields are described as data. */
export function EntryForm({ entry }: { entry: Entry }) {
  const [entries, setEntries] = useState<EntryValues>(entry.values ?? {})
  const isComplete = entry.fields.every(
    ({ name, isRequired }) => isRequired !== true || (entries[name] ?? '').trim() !== '',
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = entry.fields.map(({ name }) => [name, (entries[name] ?? '').trim()] as const)
    if (isComplete) entry.submit(Object.fromEntries(trimmed))
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      {entry.fields.map((field, n) => (
        <Field
          key={field.name}
          field={field}
          isFirst={n === 0}
          value={entries[field.name] ?? ''}
          set={(value) => setEntries((previous) => ({ ...previous, [field.name]: value }))}
        />
      ))}
      <button type="submit" className={planning.primary} disabled={!isComplete}>
        {entry.action}
      </button>
    </form>
  )
}

interface FieldProps {
  field: EntryField
  isFirst: boolean
  value: string
  set: (value: string) => void
}

function Field({ field, isFirst, value, set }: FieldProps) {
  const { label, kind = 'text', isRequired = false, limit = 500 } = field
  if (kind === 'tick')
    return (
      <label className={incidents.tick}>
        <input
          type="checkbox"
          checked={value !== ''}
          onChange={(event) => set(event.currentTarget.checked ? 'yes' : '')}
        />
        {label}
      </label>
    )
  if (kind === 'entity')
    return <EntityField {...{ label, isRequired, limit, isFirst, value, set }} />
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in the component
    <label>
      {label}
      <Control
        kind={kind}
        set={set}
        inputProps={{
          value,
          required: isRequired,
          maxLength: limit,
          dir: 'auto',
          'data-autofocus': isFirst || undefined,
        }}
      />
    </label>
  )
}

interface ControlProps {
  kind: 'text' | 'long' | 'date'
  set: (value: string) => void
  inputProps: {
    value: string
    required: boolean
    maxLength: number
    dir: 'auto'
    'data-autofocus': true | undefined
  }
}

function Control({ kind, set, inputProps }: ControlProps) {
  if (kind === 'long')
    return (
      <textarea {...inputProps} rows={4} onChange={(event) => set(event.currentTarget.value)} />
    )
  return (
    <input
      {...inputProps}
      type={kind === 'date' ? 'date' : 'text'}
      autoComplete="off"
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
