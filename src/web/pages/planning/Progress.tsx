import type { CSSProperties } from 'react'
import { t } from '../../texts/index.ts'
import type { Amounts } from './data.ts'
import styles from './planning.module.css'

const percentOf = (part: number, total: number) => (total === 0 ? 0 : (100 * part) / total)

/** Progress of work as a bar: done, in progress, and the rest. */
export function Progress({ amounts, isWide = false }: { amounts: Amounts; isWide?: boolean }) {
  const { total, done, in_progress } = amounts
  const widths = {
    '--done': `${percentOf(done, total)}%`,
    '--going': `${percentOf(in_progress, total)}%`,
  } as CSSProperties
  return (
    <span className={styles.progress} data-wide={isWide || undefined}>
      <span className={styles.track} style={widths} aria-hidden>
        <span className={styles.doneBar} />
        <span className={styles.goingBar} />
      </span>
      <span className={styles.percent}>
        {total === 0 ? t.planning.noTasks : t.planning.percent(Math.floor(percentOf(done, total)))}
      </span>
    </span>
  )
}
