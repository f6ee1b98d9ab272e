import styles from '../mail.module.css'
import { mailTexts as t } from '../texts.ts'

interface LabelChipsProps {
  labels: readonly string[]
  /** Number of labels shown by name; the others are counted. */
  maxShown?: number
}

/** The labels of a conversation. */
export function LabelChips({ labels, maxShown = labels.length }: LabelChipsProps) {
  const hiddenCount = labels.length - maxShown
  return (
    <>
      {labels.slice(0, maxShown).map((label) => (
        <span key={label} className={styles.label} dir="auto">
          {label}
        </span>
      ))}
      {hiddenCount > 0 && (
        <span className={styles.label} title={labels.slice(maxShown).join(', ')}>
          {t.handling.labels.more(hiddenCount)}
        </span>
      )}
    </>
  )
}
