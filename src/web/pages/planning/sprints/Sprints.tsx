import { IconRun } from '@tabler/icons-react'
import { useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useListedRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { useProjectItems, type ProjectRow, type SprintRow } from '../data.ts'
import styles from '../planning.module.css'
import { PlanningBoard } from './PlanningBoard.tsx'
import { SprintForm } from './SprintForm.tsx'
import { SprintList } from './SprintList.tsx'

const compareByStart = (a: SprintRow, b: SprintRow) =>
  b.starts_on.localeCompare(a.starts_on) || a.name.localeCompare(b.name)

/** The sprints of a project: the planned one beside the backlog, and past ones. */
export function Sprints({ project }: { project: ProjectRow }) {
  const [isOpen, setOpen] = useState(false)
  const [selectedId, setSelectedId] = useState<string>()
  const loading = useListedRows('sprint', { project_id: project.id })
  const sprints = useProjectItems('sprint', project.id, compareByStart)
  useCommands({ 'plan.create': () => setOpen(true) })
  const openSprints = sprints.filter(({ status }) => status === 'active' || status === 'planned')
  const sprint =
    openSprints.find(({ id }) => id === selectedId) ??
    openSprints.find(({ status }) => status === 'active') ??
    openSprints.at(-1)
  const create = (
    <button type="button" className={styles.button} onClick={() => setOpen(true)}>
      {t.planning.sprint.create}
    </button>
  )
  if (!loading.isLoaded && sprints.length === 0)
    return (
      <div className={styles.padded}>
        {loading.error ? <Problem error={loading.error} retry={loading.retry} /> : <Loading />}
      </div>
    )
  return (
    <>
      <div className={styles.tools}>
        {openSprints.toReversed().map(({ id, name, status }) => (
          <button
            key={id}
            type="button"
            className={styles.button}
            data-plain
            aria-pressed={id === sprint?.id}
            onClick={() => setSelectedId(id)}
            dir="auto"
          >
            {name}
            {status === 'active' && (
              <span className={styles.note}>{t.planning.sprint.states.active}</span>
            )}
          </button>
        ))}
        {create}
      </div>
      {sprint ? (
        <PlanningBoard key={sprint.id} project={project} sprint={sprint} sprints={openSprints} />
      ) : (
        <EmptyState icon={IconRun} {...t.planning.empty.sprints} action={create} />
      )}
      <SprintList sprints={sprints.filter((other) => !openSprints.includes(other))} />
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t.planning.sprint.create}>
        <SprintForm
          project={project}
          sprints={sprints}
          close={(sprintId) => {
            setOpen(false)
            if (sprintId !== undefined) setSelectedId(sprintId)
          }}
        />
      </Dialog>
    </>
  )
}
