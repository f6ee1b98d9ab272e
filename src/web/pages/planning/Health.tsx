import { t } from '../../texts/index.ts'
import styles from './planning.module.css'

export type HealthState = 'on_track' | 'at_risk' | 'off_track'
export const healthStates: readonly HealthState[] = ['on_track', 'at_risk', 'off_track']

/** Health of a project, as a distinct shape for each state; the colour only repeats it. */
export function HealthIcon({
  health,
  size = 14,
}: {
  health: HealthState | undefined
  size?: number
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      className={styles.health}
      data-health={health}
      aria-hidden
    >
      <HealthShape health={health} />
    </svg>
  )
}

function HealthShape({ health }: { health: HealthState | undefined }) {
  if (health === 'on_track') return <circle cx="7" cy="7" r="5" fill="currentColor" />
  if (health === 'at_risk') return <path d="M7 1.5 13 12H1z" fill="currentColor" />
  if (health === 'off_track') return <path d="M7 .8 13.2 7 7 13.2.8 7z" fill="currentColor" />
  return <circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.4" />
}

/** The health state with its name. */
export function Health({ health }: { health: HealthState | undefined }) {
  return (
    <span className={styles.marked}>
      <HealthIcon health={health} />
      {health === undefined ? t.planning.noHealth : t.planning.health[health]}
    </span>
  )
}
