import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClockPause,
  IconHexagon,
  IconHexagonFilled,
  IconLoader,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import styles from './automations.module.css'
import type { AutomationRow } from './plan/plan.ts'

type RunStatus = NonNullable<AutomationRow['last_run']>['status']

/** An icon for whether an automation is on. */
export function AutomationIcon({ status }: { status: AutomationRow['status'] }) {
  const Shape = {
    enabled: IconHexagonFilled,
    disabled: IconHexagon,
    suspended: IconAlertTriangle,
  }[status]
  return (
    <Shape
      size={16}
      className={styles.state}
      data-state={status}
      role="img"
      aria-label={words.states[status]}
    />
  )
}

export function RunIcon({ status, label }: { status: RunStatus | 'waiting'; label: string }) {
  const Shape = {
    queued: IconLoader,
    running: IconLoader,
    waiting: IconClockPause,
    succeeded: IconCircleCheck,
    failed: IconCircleX,
    skipped: IconPlayerSkipForward,
  }[status]
  return (
    <Shape size={16} className={styles.state} data-state={status} role="img" aria-label={label} />
  )
}
