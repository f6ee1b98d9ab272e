import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import type { IncidentRow, Severity } from './data.ts'
import styles from './incidents.module.css'

const barCounts: Readonly<Record<Severity, number>> = { sev1: 4, sev2: 3, sev3: 2, sev4: 1 }

interface SeverityMarkProps {
  severity: Severity
  /** Omitted if there is text beside it. */
  label?: string
}

/** Severity of an incident, as bars and a color. */
export function SeverityMark({ severity, label }: SeverityMarkProps) {
  return (
    <span
      className={styles.severity}
      data-severity={severity}
      {...(label !== undefined && { role: 'img', 'aria-label': label })}
    >
      <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden>
        {[0, 1, 2, 3].map((n) => (
          <rect
            key={n}
            x={n * 3.5 + 0.5}
            y={10 - n * 3}
            width={2.5}
            height={4 + n * 3}
            rx={0.8}
            fill="currentColor"
            opacity={n < barCounts[severity] ? 1 : 0.25}
          />
        ))}
      </svg>
    </span>
  )
}

/** The severity in a word, with its mark. */
export function SeverityWord({ severity }: { severity: Severity }) {
  return (
    <span className={styles.marked}>
      <SeverityMark severity={severity} />
      {words.severities[severity]}
    </span>
  )
}

/** Status of an incident, as a word in its color. */
export function StatusWord({ status }: { status: IncidentRow['status'] }) {
  return (
    <span className={styles.status} data-status={status}>
      {words.statuses[status]}
    </span>
  )
}
