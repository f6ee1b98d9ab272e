import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { ProjectRow } from '../data.ts'
import planning from '../planning.module.css'
import { readProjectAgain } from './again.ts'
import styles from './settings.module.css'

const words = projectSettings.end

/** Archives, restores or deletes a project. */
export function EndProject({ project }: { project: ProjectRow }) {
  const [isDeleting, setDeleting] = useState(false)
  const isArchived = project.status === 'archived'
  return (
    <section>
      <h2 className={styles.heading}>{words.title}</h2>
      {!isArchived && <p className={styles.quiet}>{words.archiveText}</p>}
      <div className={styles.buttons}>
        <button
          type="button"
          className={planning.button}
          onClick={() => void archive(project, !isArchived)}
        >
          {isArchived ? words.restore : words.archive}
        </button>
        <button type="button" className={planning.button} onClick={() => setDeleting(true)}>
          {words.remove}
        </button>
      </div>
      <Dialog isOpen={isDeleting} close={() => setDeleting(false)} title={words.remove}>
        <DeleteForm project={project} />
      </Dialog>
    </section>
  )
}

function DeleteForm({ project }: { project: ProjectRow }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim().toUpperCase() === project.key
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    const { state } = await write(
      'delete_project',
      { project_id: project.id, confirm_key: project.key },
      {
        rows: [{ type: 'project', id: project.id, remove: true }],
        text: t.tasks.changed(project.key, words.removed),
      },
    )
    if (state === 'done') void navigate({ to: '/projects' })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <p className={styles.quiet}>{words.removeText(project.task_counts.total)}</p>
      <label>
        {words.confirm(project.key)}
        <input
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          maxLength={20}
        />
      </label>
      <button type="submit" className={planning.button} disabled={!isConfirmed}>
        {words.confirmed}
      </button>
    </form>
  )
}

async function archive(project: ProjectRow, archived: boolean): Promise<void> {
  await write(
    'archive_project',
    { project_id: project.id, archived },
    { text: t.tasks.changed(project.key, archived ? words.archived : words.restored) },
  )
  await readProjectAgain(project.id)
}
