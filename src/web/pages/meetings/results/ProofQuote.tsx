import { OutsideBadge } from '../../../ui/Outside.tsx'
import { formatClock, type TranscriptLine } from './proof.ts'
import styles from './results.module.css'

/** The quoted source line. */
export function ProofQuote({ line }: { line: TranscriptLine }) {
  return (
    <blockquote className={styles.proof}>
      <OutsideBadge />{' '}
      {line.at_second !== undefined && (
        <span className={styles.clock}>{formatClock(line.at_second)}</span>
      )}
      <strong dir="auto">{line.speaker}:</strong> <span dir="auto">{line.text}</span>
    </blockquote>
  )
}
