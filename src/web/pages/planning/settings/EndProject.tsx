import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { ProjectRow } from '../data.ts'
import planning from '../planning.module.css'
import { reloadProject } from './again.ts'
import styles from './settings.module.css'

const texts = projectSettings.end

/** Archives, restores or deletes a project. */
export function EndProject({ project }: { project: ProjectRow }) {
  const [isDeleting, setDeleting] = useState(false)
  const isArchived = project.status === 'archived'
  return (
    <section>
      <h2 className={styles.heading}>{texts.title}</h2>
      {!isArchived && <p className={styles.quiet}>{texts.archiveText}</p>}
      <div className={styles.buttons}>
        <button
          type="button"
          className={planning.button}
          onClick={() => void archive(project, !isArchived)}
        >
          {isArchived ? texts.restore : texts.archive}
        </button>
        <button type="button" className={planning.button} onClick={() => setDeleting(true)}>
          {texts.remove}
        </button>
      </div>
      <Dialog isOpen={isDeleting} close={() => setDeleting(false)} title={texts.remove}>
        <DeleteForm project={project} />
      </Dialog>
    </section>
  )
}

function DeleteForm({ project }: { project: ProjectRow }) {
  const navigate = useNavigate()
  const [typedKey, setTypedKey] = useState('')
  const isConfirmed = typedKey.trim().toUpperCase() === project.key
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    const { state } = await write(
      'delete_project',
      { project_id: project.id, confirm_key: project.key },
      {
        rows: [{ type: 'project', id: project.id, remove: true }],
        text: t.tasks.changed(project.key, texts.removed),
      },
    )
    if (state === 'done') void navigate({ to: '/projects' })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <p className={styles.quiet}>{texts.removeText(project.task_counts.total)}</p>
      <label>
        {texts.confirm(project.key)}
        <input
          data-autofocus
          value={typedKey}
          onChange={(event) => setTypedKey(event.currentTarget.value)}
          autoComplete="off"
          maxLength={20}
        />
      </label>
      <button type="submit" className={planning.button} disabled={!isConfirmed}>
        {texts.confirmed}
      </button>
    </form>
  )
}

async function archive(project: ProjectRow, archived: boolean): Promise<void> {
  await write(
    'archive_project',
    { project_id: project.id, archived },
    { text: t.tasks.changed(project.key, archived ? texts.archived : texts.restored) },
  )
  await reloadProject(project.id)
}
