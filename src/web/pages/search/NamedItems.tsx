import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import type { NamedItem } from './named.ts'

/** Items whose names match the query; shown before those that contain the text. */
export function NamedItems({ items }: { items: readonly NamedItem[] }) {
  if (items.length === 0) return null
  return (
    <ul className="plain-list" aria-label={t.items.search.named}>
      {items.map((item) => (
        <li key={item.id}>
          <ItemLink item={item} />
        </li>
      ))}
    </ul>
  )
}
