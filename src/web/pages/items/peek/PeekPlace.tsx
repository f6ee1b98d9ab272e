import type { ReactNode } from 'react'
import { onDemand } from '../../../ui/on-demand.tsx'
import styles from './peek.module.css'

const ItemPeek = onDemand(() => import('./ItemPeek.tsx').then((part) => part.ItemPeek))

/** A screen with the item opened by one of its links beside it. */
export function PeekLayout({
  peek: { id, close },
  children,
}: {
  peek: { id: string | undefined; close: () => void }
  children: ReactNode
}) {
  return (
    <div className={styles.place}>
      <div className={styles.main}>{children}</div>
      {id !== undefined && <ItemPeek key={id} id={id} close={close} />}
    </div>
  )
}
