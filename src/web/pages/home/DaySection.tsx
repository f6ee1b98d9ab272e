import type { ReactNode } from 'react'
import styles from './day.module.css'

interface DaySectionProps {
  title: string
  more?: ReactNode
  children: ReactNode
}

/** A section of the day view. */
export function DaySection({ title, more, children }: DaySectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more && <span className={styles.more}>{more}</span>}
      </header>
      {children}
    </section>
  )
}
