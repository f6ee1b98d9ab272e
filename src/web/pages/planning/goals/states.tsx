import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconTargetArrow,
  type Icon,
} from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import styles from './goals.module.css'
import type { GoalRow } from './tree.ts'

type GoalStatus = GoalRow['status']

/** The possible next states of a goal. */
export const nextGoalStates: Readonly<Record<GoalStatus, readonly GoalStatus[]>> = {
  draft: ['active'],
  active: ['achieved', 'missed', 'cancelled'],
  achieved: ['active'],
  missed: ['active'],
  cancelled: ['active'],
}

export const isOpenGoal = ({ status }: Pick<GoalRow, 'status'>) =>
  status === 'draft' || status === 'active'

const icons: Readonly<Record<GoalStatus, Icon>> = {
  draft: IconCircleDashed,
  active: IconTargetArrow,
  achieved: IconCircleCheck,
  missed: IconCircleX,
  cancelled: IconCircleX,
}

/** The state of a goal as an icon, with a text alternative. */
export function GoalIcon({ goal }: { goal: Pick<GoalRow, 'status' | 'at_risk'> }) {
  const Shape = goal.at_risk ? IconAlertTriangle : icons[goal.status]
  const label = goal.at_risk ? t.planning.goal.atRisk : t.planning.goal.states[goal.status]
  return (
    <Shape
      size={16}
      stroke={1.7}
      role="img"
      aria-label={label}
      className={styles.state}
      data-state={goal.at_risk ? 'risk' : goal.status}
    />
  )
}

export const confidences = ['high', 'medium', 'low'] as const

/** A value of a key result with its unit. */
export function resultValue(
  { metric, unit }: { metric: string; unit?: string | undefined },
  value: number,
): string {
  if (metric === 'boolean') return value >= 1 ? t.planning.goal.yes : t.planning.goal.no
  if (metric === 'percent') return t.planning.percent(value)
  if (metric === 'currency' && unit !== undefined)
    return new Intl.NumberFormat('en', {
      style: 'currency',
      currency: unit,
      maximumFractionDigits: 2,
    }).format(value)
  return [t.items.number(value), unit].filter((part) => part !== undefined).join(' ')
}
