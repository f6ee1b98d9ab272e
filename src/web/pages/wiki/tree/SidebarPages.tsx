import { wiki } from '../../../texts/en/wiki.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { FilteredTree } from './FilteredTree.tsx'
import { usePageTree } from './reading.ts'
import styles from './tree.module.css'

/** The page tree beside the current page. */
export function SidebarPages({ pageId }: { pageId: string }) {
  const tree = usePageTree()
  return (
    <section className={styles.side} aria-label={wiki.tree.title}>
      <QueryContent query={tree}>
        {(roots) => <FilteredTree roots={roots} pageId={pageId} />}
      </QueryContent>
    </section>
  )
}
