import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { QueryContent } from '../../../ui/states.tsx'
import type { SprintRow } from '../data.ts'
import styles from '../planning.module.css'

interface CompleteSprintProps {
  sprint: SprintRow
  /** Planned sprints of the project for unfinished tasks. */
  plannedSprints: readonly SprintRow[]
  close: () => void
}

const maxListed = 8

/** The next planned sprint after another one. */
function nextSprintAfter(
  sprint: SprintRow,
  plannedSprints: readonly SprintRow[],
): SprintRow | undefined {
  return plannedSprints
    .filter(({ starts_on }) => starts_on > sprint.starts_on)
    .toSorted((a, b) => a.starts_on.localeCompare(b.starts_on))[0]
}

/** Shows the result of a sprint, asks where unfinished tasks go, and ends it. */
export function CompleteSprint({ sprint, plannedSprints, close }: CompleteSprintProps) {
  const [target, setTarget] = useState(
    () => nextSprintAfter(sprint, plannedSprints)?.id ?? 'backlog',
  )
  const preview = useOperation('complete_sprint', {
    sprint_id: sprint.id,
    carry_over_to: target,
    dry_run: true,
  })
  const finish = (carriedTasks: readonly { id: string }[]) => {
    const targetSprint = plannedSprints.find((other) => other.id === target)
    void write(
      'complete_sprint',
      { sprint_id: sprint.id, carry_over_to: target },
      {
        rows: [
          { type: 'sprint', id: sprint.id, set: { status: 'completed' } },
          ...carriedTasks.map(({ id }) => ({
            type: 'task' as const,
            id,
            set: { sprint: targetSprint && { id: targetSprint.id, title: targetSprint.name } },
          })),
        ],
        text: t.tasks.changed(sprint.name, t.planning.sprint.completed),
      },
    )
    close()
  }
  return (
    <QueryContent query={preview}>
      {({ counts, carried_over: carriedTasks }) => (
        <div className={styles.form}>
          <p className={styles.quiet}>
            {t.planning.sprint.summary(counts.completed, counts.carried_over)}
          </p>
          {carriedTasks.length > 0 && (
            <>
              <ul className={styles.preview}>
                {carriedTasks.slice(0, maxListed).map((task) => (
                  <li key={task.id} dir="auto">
                    <span className={styles.key}>{task.key}</span> {task.title}
                  </li>
                ))}
                {counts.carried_over > maxListed && (
                  <li>{t.planning.sprint.more(counts.carried_over - maxListed)}</li>
                )}
              </ul>
              <label>
                {t.planning.sprint.carryTo}
                <select value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
                  <option value="backlog">{t.planning.sprint.backlog}</option>
                  {plannedSprints.map((other) => (
                    <option key={other.id} value={other.id}>
                      {other.name}
                    </option>
                  ))}
                </select>
              </label>
            </>
          )}
          <button
            type="button"
            className={styles.primary}
            data-autofocus
            onClick={() => finish(carriedTasks)}
          >
            {t.planning.sprint.complete}
          </button>
        </div>
      )}
    </QueryContent>
  )
}
