import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { TaskRow } from '../../tasks/data/rows.ts'
import { amountsOf, type SprintRow } from '../data.ts'
import styles from '../planning.module.css'
import { Progress } from '../Progress.tsx'
import { CompleteSprint } from './CompleteSprint.tsx'
import { Days } from './Days.tsx'

interface SprintHeadProps {
  sprint: SprintRow
  sprints: readonly SprintRow[]
  tasks: readonly TaskRow[]
}

/** Sprint with its progress, and its next step: start or completion. */
export function SprintHead({ sprint, sprints, tasks }: SprintHeadProps) {
  const [isOpen, setOpen] = useState(false)
  const start = () =>
    void write(
      'start_sprint',
      { sprint_id: sprint.id },
      {
        rows: [{ type: 'sprint', id: sprint.id, set: { status: 'active' } }],
        text: t.tasks.changed(sprint.name, t.planning.sprint.started),
      },
    )
  const advance = sprint.status === 'active' ? () => setOpen(true) : start
  useCommands({ 'sprint.advance': advance })
  return (
    <div className={styles.sprintHead}>
      <RouterLink to={`/sprints/${sprint.id}`} className={styles.sprintName} dir="auto">
        {sprint.name}
      </RouterLink>
      <span className={styles.fact}>
        <Days sprint={sprint} />
      </span>
      {sprint.goal !== undefined && (
        <span className={styles.goalText} dir="auto">
          {sprint.goal}
        </span>
      )}
      <span className={styles.spring} />
      <Velocity sprint={sprint} />
      <Progress amounts={amountsOf(tasks)} />
      <button type="button" className={styles.button} onClick={advance}>
        {sprint.status === 'active' ? t.planning.sprint.complete : t.planning.sprint.start}
      </button>
      <Dialog
        isOpen={isOpen}
        close={() => setOpen(false)}
        title={t.planning.sprint.completeOf(sprint.name)}
      >
        <CompleteSprint
          sprint={sprint}
          plannedSprints={sprints.filter((other) => other.status === 'planned')}
          close={() => setOpen(false)}
        />
      </Dialog>
    </div>
  )
}

/** Velocity of the last completed sprint: about as much fits into this one. */
function Velocity({ sprint }: { sprint: SprintRow }) {
  const { data } = useOperation('list_sprints', {
    project_id: sprint.project.id,
    status: ['completed'],
    limit: 100,
  })
  const lastSprint = data?.items.toSorted((a, b) => b.ends_on.localeCompare(a.ends_on))[0]
  if (!lastSprint) return null
  const { points, tasks } = lastSprint.done
  return (
    <span className={styles.fact} data-optional>
      {t.planning.sprint.lastDone(points > 0 ? t.planning.points(points) : t.tasks.count(tasks))}
    </span>
  )
}
