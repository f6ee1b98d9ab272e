import { useState, type FormEvent } from 'react'
import type { Input, Output } from '../../../api/client.ts'
import { useCall } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import styles from '../tasks.module.css'

const texts = t.tasks.views

interface ViewNameFormProps {
  input: Omit<Input<'create_saved_view'>, 'name' | 'shared'>
  /** Initial name. */
  name?: string
  action: string
  close: () => void
  onSaved?: (view: Output<'create_saved_view'>) => void
}

/** Saves a view under a name, privately or shared. */
export function ViewNameForm({
  input,
  name: initialName = '',
  action,
  close,
  onSaved,
}: ViewNameFormProps) {
  const [name, setName] = useState(initialName)
  const [isShared, setShared] = useState(false)
  const create = useCall('create_saved_view', ['list_saved_views'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { ...input, name: name.trim(), shared: isShared },
      {
        onSuccess: (view) => {
          onSaved?.(view)
          close()
        },
        onError: notifyProblem,
      },
    )
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <label>
        {texts.name}
        <input
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          required
          maxLength={100}
        />
      </label>
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        {texts.shared}
      </label>
      <button
        type="submit"
        className={styles.primary}
        disabled={name.trim() === '' || create.isPending}
      >
        {action}
      </button>
    </form>
  )
}
