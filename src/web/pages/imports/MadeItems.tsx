import { importTexts } from '../../texts/en/imports/imports.ts'
import { ItemLink, type Referred } from '../../ui/ItemLink.tsx'
import styles from './imports.module.css'

const maxItems = 10

interface MadeItemsProps {
  items: readonly Referred[]
  /** Total number; `of` contains the first of them. */
  count?: number
}

/** The first imported items. */
export function MadeItems({ items, count = items.length }: MadeItemsProps) {
  const listed = items.slice(0, maxItems)
  if (listed.length === 0) return null
  return (
    <ul className={styles.made}>
      {listed.map((item) => (
        <li key={item.id}>
          <ItemLink item={item} />
        </li>
      ))}
      {count > listed.length && <li>{importTexts.more(count - listed.length)}</li>}
    </ul>
  )
}
