import styles from '../mail.module.css'
import { mailTexts as t } from '../texts.ts'

interface LabelChipsProps {
  labels: readonly string[]
  /** Number of labels shown by name; the others are counted. */
  most?: number
}

/** The labels of a conversation. */
export function LabelChips({ labels, most = labels.length }: LabelChipsProps) {
  const more = labels.length - most
  return (
    <>
      {labels.slice(0, most).map((label) => (
        <span key={label} className={styles.label} dir="auto">
          {label}
        </span>
      ))}
      {more > 0 && (
        <span className={styles.label} title={labels.slice(most).join(', ')}>
          {t.handling.labels.more(more)}
        </span>
      )}
    </>
  )
}
