import { IconPlayerStopFilled } from '@tabler/icons-react'
import { t } from '../../texts/index.ts'
import { stopTimer } from '../planning/time/entry-writes.ts'
import { Elapsed, useRunningTimer } from '../planning/time/RunningTimer.tsx'
import { lineName } from '../planning/time/sheet.ts'
import styles from './day.module.css'

/** Running timer, with a button to stop it. */
export function Timer() {
  const running = useRunningTimer()
  if (!running) return null
  return (
    <div className={styles.timer}>
      <span className={styles.time}>
        <Elapsed since={running.running_since} />
      </span>
      <span className={styles.name} dir="auto">
        {lineName(running)}
      </span>
      <button type="button" className={styles.small} onClick={() => stopTimer(running)}>
        <IconPlayerStopFilled size={13} aria-hidden /> {t.home.stop}
      </button>
    </div>
  )
}
