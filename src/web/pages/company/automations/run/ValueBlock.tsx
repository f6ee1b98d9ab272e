import { Copyable } from '../../../../ui/actions/Copyable.tsx'
import styles from '../automations.module.css'

/** Input or output of a step, collapsed. */
export function ValueBlock({ label, value }: { label: string; value: unknown }) {
  return (
    <details className={styles.block}>
      <summary>{label}</summary>
      <Copyable
        text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        label={label}
      />
    </details>
  )
}
