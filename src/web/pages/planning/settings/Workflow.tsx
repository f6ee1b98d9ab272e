import { IconPlus } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { randomId, write } from '../../../store/index.ts'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import type { ProjectRow } from '../data.ts'
import planning from '../planning.module.css'
import { readProjectAgain } from './again.ts'
import { RemovedStatus } from './RemovedStatus.tsx'
import styles from './settings.module.css'
import { StatusLine } from './StatusLine.tsx'
import {
  areNamed,
  editedStatuses,
  moved,
  removedStatuses,
  defaultTarget,
  workflowOf,
  type EditedStatus,
} from './statuses.ts'

const words = projectSettings.workflow

interface WorkflowProps {
  project: ProjectRow
  mayEdit: boolean
}

/** The statuses of a project, edited and saved together. */
export function Workflow({ project, mayEdit }: WorkflowProps) {
  const workflow = useWorkflow(project)
  const { statuses, setStatuses, removed, change } = workflow
  const save = (event: FormEvent) => {
    event.preventDefault()
    void workflow.save()
  }
  return (
    <section>
      <h2 className={styles.heading}>{words.title}</h2>
      <p className={styles.quiet}>{words.text}</p>
      <form onSubmit={save}>
        <ol className={styles.list}>
          {statuses.map((status, index) => (
            <StatusLine
              key={status.key}
              status={status}
              mayEdit={mayEdit}
              change={(set) => change(status.key, set)}
              move={(step) => setStatuses([...moved(statuses, index, step)])}
              {...(statuses.length > 1 && {
                remove: () => setStatuses(statuses.toSpliced(index, 1)),
              })}
            />
          ))}
        </ol>
        {removed.map(({ name, to }) => (
          <RemovedStatus
            key={name}
            project={project}
            removed={name}
            statuses={statuses}
            to={to?.key ?? ''}
            choose={(key) => workflow.send(name, key)}
          />
        ))}
        {mayEdit && (
          <Buttons
            isWhole={areNamed(statuses)}
            isChanged={workflow.isChanged}
            add={() => setStatuses([...statuses, newStatus()])}
            reset={() => setStatuses(editedStatuses(project.statuses))}
          />
        )}
      </form>
    </section>
  )
}

interface ButtonsProps {
  isWhole: boolean
  isChanged: boolean
  add: () => void
  reset: () => void
}

function Buttons({ isWhole, isChanged, add, reset }: ButtonsProps) {
  return (
    <div className={styles.buttons}>
      <button type="button" className={planning.button} onClick={add}>
        <IconPlus size={14} aria-hidden /> {words.add}
      </button>
      {isChanged && (
        <>
          <button type="submit" className={planning.primary} disabled={!isWhole}>
            {words.save}
          </button>
          <button type="button" className={planning.button} onClick={reset}>
            {words.reset}
          </button>
        </>
      )}
      {!isWhole && <span className={styles.quiet}>{words.needs}</span>}
    </div>
  )
}

/** The statuses of a project during editing, and the new statuses for tasks of removed ones. */
function useWorkflow(project: ProjectRow) {
  const [statuses, setStatuses] = useState(() => editedStatuses(project.statuses))
  const [targets, setTargets] = useState<Readonly<Record<string, string>>>({})
  const removed = removedStatuses(project.statuses, statuses).map((status) => ({
    name: status.name,
    to: statuses.find(({ key }) => key === targets[status.name]) ?? defaultTarget(status, statuses),
  }))
  const initial = workflowOf(editedStatuses(project.statuses))
  return {
    statuses,
    setStatuses,
    removed,
    isChanged: JSON.stringify(workflowOf(statuses)) !== JSON.stringify(initial),
    send: (name: string, to: string) => setTargets({ ...targets, [name]: to }),
    change: (key: string, set: Partial<EditedStatus>) =>
      setStatuses(statuses.map((status) => (status.key === key ? { ...status, ...set } : status))),
    save: () =>
      saveWorkflow(
        project,
        statuses,
        Object.fromEntries(removed.map(({ name, to }) => [name, to?.name.trim() ?? ''])),
      ),
  }
}

const newStatus = (): EditedStatus => ({
  key: randomId(),
  was: undefined,
  name: '',
  category: 'in_progress',
  color: undefined,
  limit: undefined,
})

async function saveWorkflow(
  project: ProjectRow,
  statuses: readonly EditedStatus[],
  migrate: Record<string, string>,
): Promise<void> {
  await write(
    'set_project_workflow',
    { project_id: project.id, statuses: workflowOf(statuses), migrate },
    { text: t.tasks.changed(project.key, words.saved) },
  )
  await readProjectAgain(project.id)
}
