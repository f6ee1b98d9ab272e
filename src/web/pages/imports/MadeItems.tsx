import { importTexts } from '../../texts/en/imports/imports.ts'
import { ItemLink, type ItemReference } from '../../ui/ItemLink.tsx'
import styles from './imports.module.css'

const maxItems = 10

interface MadeItemsProps {
  items: readonly ItemReference[]
  /** Total number; `items` contains the first of them. */
  count?: number
}

/** The first imported items. */
export function ImportedItems({ items, count = items.length }: MadeItemsProps) {
  const visibleItems = items.slice(0, maxItems)
  if (visibleItems.length === 0) return null
  return (
    <ul className={styles.made}>
      {visibleItems.map((item) => (
        <li key={item.id}>
          <ItemLink item={item} />
        </li>
      ))}
      {count > visibleItems.length && <li>{importTexts.more(count - visibleItems.length)}</li>}
    </ul>
  )
}
