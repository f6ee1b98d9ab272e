import { IconPlus } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { randomId, write } from '../../../store/index.ts'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import type { ProjectRow } from '../data.ts'
import planning from '../planning.module.css'
import { reloadProject } from './again.ts'
import { RemovedStatus } from './RemovedStatus.tsx'
import styles from './settings.module.css'
import { StatusLine } from './StatusLine.tsx'
import {
  haveUniqueNames,
  editedStatuses,
  moveByStep,
  removedStatuses,
  defaultTarget,
  workflowOf,
  type EditedStatus,
} from './statuses.ts'

const texts = projectSettings.workflow

interface WorkflowProps {
  project: ProjectRow
  canEdit: boolean
}

/** The statuses of a project, edited and saved together. */
export function Workflow({ project, canEdit }: WorkflowProps) {
  const workflow = useWorkflow(project)
  const { statuses, setStatuses, removed, change } = workflow
  const save = (event: FormEvent) => {
    event.preventDefault()
    void workflow.save()
  }
  return (
    <section>
      <h2 className={styles.heading}>{texts.title}</h2>
      <p className={styles.quiet}>{texts.text}</p>
      <form onSubmit={save}>
        <ol className={styles.list}>
          {statuses.map((status, index) => (
            <StatusLine
              key={status.key}
              status={status}
              canEdit={canEdit}
              change={(changes) => change(status.key, changes)}
              move={(step) => setStatuses([...moveByStep(statuses, index, step)])}
              {...(statuses.length > 1 && {
                remove: () => setStatuses(statuses.toSpliced(index, 1)),
              })}
            />
          ))}
        </ol>
        {removed.map(({ name, target }) => (
          <RemovedStatus
            key={name}
            project={project}
            removedName={name}
            statuses={statuses}
            targetKey={target?.key ?? ''}
            choose={(key) => workflow.setTarget(name, key)}
          />
        ))}
        {canEdit && (
          <Buttons
            isValid={haveUniqueNames(statuses)}
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
  isValid: boolean
  isChanged: boolean
  add: () => void
  reset: () => void
}

function Buttons({ isValid, isChanged, add, reset }: ButtonsProps) {
  return (
    <div className={styles.buttons}>
      <button type="button" className={planning.button} onClick={add}>
        <IconPlus size={14} aria-hidden /> {texts.add}
      </button>
      {isChanged && (
        <>
          <button type="submit" className={planning.primary} disabled={!isValid}>
            {texts.save}
          </button>
          <button type="button" className={planning.button} onClick={reset}>
            {texts.reset}
          </button>
        </>
      )}
      {!isValid && <span className={styles.quiet}>{texts.needs}</span>}
    </div>
  )
}

/** The statuses of a project during editing, and the new statuses for tasks of removed ones. */
function useWorkflow(project: ProjectRow) {
  const [statuses, setStatuses] = useState(() => editedStatuses(project.statuses))
  const [targets, setTargets] = useState<Readonly<Record<string, string>>>({})
  const removed = removedStatuses(project.statuses, statuses).map((status) => ({
    name: status.name,
    target:
      statuses.find(({ key }) => key === targets[status.name]) ?? defaultTarget(status, statuses),
  }))
  const initial = workflowOf(editedStatuses(project.statuses))
  return {
    statuses,
    setStatuses,
    removed,
    isChanged: JSON.stringify(workflowOf(statuses)) !== JSON.stringify(initial),
    setTarget: (name: string, targetKey: string) => setTargets({ ...targets, [name]: targetKey }),
    change: (key: string, changes: Partial<EditedStatus>) =>
      setStatuses(
        statuses.map((status) => (status.key === key ? { ...status, ...changes } : status)),
      ),
    save: () =>
      saveWorkflow(
        project,
        statuses,
        Object.fromEntries(removed.map(({ name, target }) => [name, target?.name.trim() ?? ''])),
      ),
  }
}

const newStatus = (): EditedStatus => ({
  key: randomId(),
  previousName: undefined,
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
    { text: t.tasks.changed(project.key, texts.saved) },
  )
  await reloadProject(project.id)
}
