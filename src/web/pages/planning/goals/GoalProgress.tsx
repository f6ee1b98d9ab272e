import type { CSSProperties } from 'react'
import { t } from '../../../texts/index.ts'
import styles from './goals.module.css'

interface GoalProgressProps {
  percent: number
  /** Elapsed share of the period, for comparison. */
  elapsed?: number | undefined
  isAtRisk?: boolean
  isWide?: boolean
}

/** Progress of a goal, as a bar with a mark at the expected progress. */
export function GoalProgress({ percent, elapsed, isAtRisk, isWide }: GoalProgressProps) {
  const widths = { '--done': `${percent}%`, '--elapsed': `${elapsed ?? 0}%` } as CSSProperties
  return (
    <span className={styles.progress} data-wide={isWide || undefined}>
      <span
        className={styles.track}
        style={widths}
        data-risk={isAtRisk || undefined}
        title={elapsed === undefined ? undefined : t.planning.goal.elapsed(elapsed)}
        aria-hidden
      >
        <span className={styles.done} />
        {elapsed !== undefined && elapsed > 0 && elapsed < 100 && (
          <span className={styles.elapsed} />
        )}
      </span>
      <span className={styles.percent}>{t.planning.percent(Math.floor(percent))}</span>
    </span>
  )
}
