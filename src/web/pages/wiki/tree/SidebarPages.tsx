import { wiki } from '../../../texts/en/wiki.ts'
import { Shown } from '../../../ui/states.tsx'
import { FilteredTree } from './FilteredTree.tsx'
import { usePageTree } from './reading.ts'
import styles from './tree.module.css'

/** The page tree beside the current page. */
export function SidebarPages({ pageId }: { pageId: string }) {
  const tree = usePageTree()
  return (
    <section className={styles.side} aria-label={wiki.tree.title}>
      <Shown query={tree}>{(roots) => <FilteredTree roots={roots} pageId={pageId} />}</Shown>
    </section>
  )
}
