import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import styles from './page.module.css'

interface PageProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** Parent location in the bar: the title is then shown above the content, as with an item. */
  crumb?: ReactNode
  /** Replaces the title above the content, and contains the heading. */
  heading?: ReactNode
  isWide?: boolean
  children: ReactNode
}

/** A page of the app: a bar with its name and actions, and the content. */
export function Page({
  title,
  description,
  actions,
  crumb,
  heading,
  isWide = false,
  children,
}: PageProps) {
  useDocumentTitle(`${title} – ${t.app.name}`)
  return (
    <>
      <header className={styles.bar}>
        {crumb === undefined ? (
          <h1 className={styles.name} dir="auto" title={title}>
            {title}
          </h1>
        ) : (
          <div className={styles.crumb}>{crumb}</div>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles.content} data-wide={isWide || undefined}>
        {heading}
        {crumb !== undefined && heading === undefined && (
          <h1 className={styles.title} dir="auto">
            {title}
          </h1>
        )}
        {description && <div className={styles.about}>{description}</div>}
        {children}
      </div>
    </>
  )
}
