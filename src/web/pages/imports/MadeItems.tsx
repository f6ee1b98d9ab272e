import { importTexts } from '../../texts/en/imports/imports.ts'
import { ItemLink, type Referred } from '../../ui/ItemLink.tsx'
import styles from './imports.module.css'

const most = 10

interface MadeItemsProps {
  of: readonly Referred[]
  /** How many there are in all; `of` has the first of them. */
  count?: number
}

/** The first items that an import has made. */
export function MadeItems({ of, count = of.length }: MadeItemsProps) {
  const shown = of.slice(0, most)
  if (shown.length === 0) return null
  return (
    <ul className={styles.made}>
      {shown.map((item) => (
        <li key={item.id}>
          <ItemLink item={item} />
        </li>
      ))}
      {count > shown.length && <li>{importTexts.more(count - shown.length)}</li>}
    </ul>
  )
}
