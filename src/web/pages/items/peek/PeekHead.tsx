import { IconArrowsDiagonal, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { ItemViewers } from '../../../ui/work/Lookers.tsx'
import styles from './peek.module.css'

interface Props {
  /** Name of the panel, in a word. */
  children: ReactNode
  /** The item; undefined until loaded. */
  itemId: string | undefined
  /** Its page; undefined if it has none, or until loaded. */
  page: string | undefined
  close: () => void
}

/** The bar above an item beside a screen: its viewers, a link to its page, and a close button. */
export function PeekHead({ children, itemId, page, close }: Props) {
  const { openPage } = t.tasks
  return (
    <header className={styles.head}>
      {children}
      <span className={styles.tools}>
        {itemId !== undefined && <ItemViewers itemId={itemId} />}
        {page !== undefined && (
          <RouterLink to={page} className={styles.tool} aria-label={openPage} title={openPage}>
            <IconArrowsDiagonal size={15} aria-hidden />
          </RouterLink>
        )}
        <button
          type="button"
          className={styles.tool}
          onClick={close}
          aria-label={t.app.close}
          title={t.app.close}
        >
          <IconX size={15} aria-hidden />
        </button>
      </span>
    </header>
  )
}
