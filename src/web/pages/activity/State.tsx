import { Badge } from '@mantine/core'
import styles from './activity.module.css'

/** A badge with a status and a colored dot. */
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
