import { Badge } from '@mantine/core'
import styles from './activity.module.css'

/** State as a word with a colour beside it. */
export function CallState({
  color,
  children,
}: {
  color: 'green' | 'red' | 'yellow' | 'gray'
  children: string
}) {
  return (
    <Badge
      variant="default"
      tt="none"
      leftSection={
        <span className={styles.dot} style={{ background: `var(--mantine-color-${color}-6)` }} />
      }
    >
      {children}
    </Badge>
  )
}
