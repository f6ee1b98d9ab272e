import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import styles from '../tasks.module.css'
import { savedInput, useSavedViews } from './saved.ts'
import { emptyFilter, searchOf, useView, viewOf } from '../list/view.ts'
import { addressOf } from './ViewTabs.tsx'

/** Keeps the view under a name; a saved one can be deleted here. */
export function SaveView() {
  const { view, change } = useView()
  const [isOpen, setOpen] = useState(false)
  const remove = useCall('delete_saved_view', ['list_saved_views'])
  const here = addressOf(searchOf({ ...view, layout: 'list' }))
  const saved = useSavedViews().find((item) => addressOf(searchOf(viewOf(item.search))) === here)
  const input = savedInput(view)
  return (
    <>
      <button
        type="button"
        className={styles.button}
        data-plain
        onClick={() => change({ filter: emptyFilter })}
      >
        {t.tasks.clearFilter}
      </button>
      {saved && (
        <button
          type="button"
          className={styles.button}
          data-plain
          onClick={() => remove.mutate({ view_id: saved.id }, { onError: notifyProblem })}
        >
          {t.tasks.views.remove}
        </button>
      )}
      {!saved && input && (
        <button type="button" className={styles.button} onClick={() => setOpen(true)}>
          {t.tasks.views.save}
        </button>
      )}
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t.tasks.views.save}>
        {input && <NameForm input={input} close={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

interface NameFormProps {
  input: NonNullable<ReturnType<typeof savedInput>>
  close: () => void
}

function NameForm({ input, close }: NameFormProps) {
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const create = useCall('create_saved_view', ['list_saved_views'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { ...input, name: name.trim(), shared: isShared },
      { onSuccess: close, onError: notifyProblem },
    )
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <label>
        {t.tasks.views.name}
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
        {t.tasks.views.shared}
      </label>
      <button
        type="submit"
        className={styles.primary}
        disabled={name.trim() === '' || create.isPending}
      >
        {t.tasks.views.save}
      </button>
    </form>
  )
}
