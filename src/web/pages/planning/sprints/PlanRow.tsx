import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import type { TaskRow } from '../../tasks/data/rows.ts'
import { FaceStack } from '../../tasks/list/chips.tsx'
import {
  setCursor,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import styles from '../planning.module.css'

export const taskDragType = 'text/x-workspace-task'

interface PlanRowProps {
  row: TaskRow
  move: () => void
  moveLabel: string
  direction: 'left' | 'right'
}

/** A task of the plan on one line, with a button to move it to the other side. */
export function PlanRow({ row, move, moveLabel, direction }: PlanRowProps) {
  const isCursor = useIsCursor(row.id)
  const isPicked = useIsPicked(row.id)
  const isTabStop = useIsTabStop(row.id)
  const Arrow = direction === 'right' ? IconArrowRight : IconArrowLeft
  return (
    <div
      className={styles.planRow}
      data-cursor={isCursor || undefined}
      data-picked={isPicked || undefined}
    >
      <PriorityIcon priority={row.priority} />
      <StatusIcon category={row.status_category} />
      <span className={styles.key}>{row.key}</span>
      <RouterLink
        to={`/tasks/${row.key}`}
        className={styles.planName}
        data-task={row.id}
        data-anchor
        tabIndex={isTabStop ? 0 : -1}
        onFocus={() => setCursor(row.id)}
        onDragStart={(event) => {
          event.dataTransfer.setData(taskDragType, row.id)
          event.dataTransfer.effectAllowed = 'move'
        }}
        dir="auto"
      >
        {row.title}
      </RouterLink>
      {isPicked && <span className={styles.hidden}>{t.planning.sprint.picked}</span>}
      {row.points !== undefined && (
        <span className={styles.points} title={t.tasks.fields.points}>
          {row.points}
        </span>
      )}
      {row.points === undefined && row.estimate_minutes !== undefined && (
        <span className={styles.points} title={t.tasks.fields.estimate}>
          {t.items.minutes(row.estimate_minutes)}
        </span>
      )}
      <FaceStack items={row.assignees} size={18} />
      <button
        type="button"
        className={styles.tick}
        tabIndex={-1}
        aria-label={moveLabel}
        title={moveLabel}
        onClick={move}
      >
        <Arrow size={15} stroke={1.8} aria-hidden />
      </button>
    </div>
  )
}
