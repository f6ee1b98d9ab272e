import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Shown } from '../../../ui/states.tsx'
import type { SprintRow } from '../data.ts'
import styles from '../planning.module.css'

interface CompleteSprintProps {
  sprint: SprintRow
  /** Planned sprints of the project for unfinished tasks. */
  others: readonly SprintRow[]
  close: () => void
}

const maxShown = 8

/** The next planned sprint after another one. */
function nextAfter(sprint: SprintRow, others: readonly SprintRow[]): SprintRow | undefined {
  return others
    .filter(({ starts_on }) => starts_on > sprint.starts_on)
    .toSorted((a, b) => a.starts_on.localeCompare(b.starts_on))[0]
}

/** Shows the result of a sprint, asks where unfinished tasks go, and ends it. */
export function CompleteSprint({ sprint, others, close }: CompleteSprintProps) {
  const [target, setTarget] = useState(() => nextAfter(sprint, others)?.id ?? 'backlog')
  const preview = useOperation('complete_sprint', {
    sprint_id: sprint.id,
    carry_over_to: target,
    dry_run: true,
  })
  const finish = (carried: readonly { id: string }[]) => {
    const to = others.find((other) => other.id === target)
    void write(
      'complete_sprint',
      { sprint_id: sprint.id, carry_over_to: target },
      {
        rows: [
          { type: 'sprint', id: sprint.id, set: { status: 'completed' } },
          ...carried.map(({ id }) => ({
            type: 'task' as const,
            id,
            set: { sprint: to && { id: to.id, title: to.name } },
          })),
        ],
        text: t.tasks.changed(sprint.name, t.planning.sprint.completed),
      },
    )
    close()
  }
  return (
    <Shown query={preview}>
      {({ counts, carried_over: carried }) => (
        <div className={styles.form}>
          <p className={styles.quiet}>
            {t.planning.sprint.summary(counts.completed, counts.carried_over)}
          </p>
          {carried.length > 0 && (
            <>
              <ul className={styles.preview}>
                {carried.slice(0, maxShown).map((task) => (
                  <li key={task.id} dir="auto">
                    <span className={styles.key}>{task.key}</span> {task.title}
                  </li>
                ))}
                {counts.carried_over > maxShown && (
                  <li>{t.planning.sprint.more(counts.carried_over - maxShown)}</li>
                )}
              </ul>
              <label>
                {t.planning.sprint.carryTo}
                <select value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
                  <option value="backlog">{t.planning.sprint.backlog}</option>
                  {others.map((other) => (
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
            onClick={() => finish(carried)}
          >
            {t.planning.sprint.complete}
          </button>
        </div>
      )}
    </Shown>
  )
}
