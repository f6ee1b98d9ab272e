import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { storeRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Problem } from '../../../ui/states.tsx'
import styles from '../planning.module.css'

/** The form for a new project, which is then opened. */
export function NewProject({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Dialog isOpen={isOpen} close={close} title={t.planning.newProject.title}>
      <ProjectForm close={close} />
    </Dialog>
  )
}

function ProjectForm({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const create = useCall('create_project', ['list_projects'])
  const [name, setName] = useState('')
  const [key, setKey] = useState('')
  const [endsOn, setEndsOn] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { name: name.trim(), ...(key && { key }), ...(endsOn && { ends_on: endsOn }) },
      {
        onSuccess: (project) => {
          storeRows('project', [project])
          close()
          void navigate({ to: `/projects/${project.key}` })
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label>
        {t.planning.fields.name}
        <input
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={500}
          dir="auto"
        />
      </label>
      <label>
        {t.planning.newProject.key}
        <input
          value={key}
          onChange={(event) => setKey(event.currentTarget.value.toUpperCase())}
          placeholder={t.planning.newProject.keyHint}
          maxLength={10}
        />
      </label>
      <label>
        {t.planning.fields.ends}
        <input
          type="date"
          value={endsOn}
          onChange={(event) => setEndsOn(event.currentTarget.value)}
        />
      </label>
      {create.error && <Problem error={create.error} />}
      <button
        type="submit"
        className={styles.primary}
        disabled={name.trim() === '' || create.isPending}
      >
        {t.planning.create}
      </button>
    </form>
  )
}
