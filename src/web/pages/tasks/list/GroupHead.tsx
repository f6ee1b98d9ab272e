import { IconChevronRight, IconPlus } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { GridCell, GridRow } from '../../../ui/work/grid.ts'
import type { TaskGroup } from './arrange.ts'
import { GroupMark, groupName } from './GroupMark.tsx'
import styles from './list.module.css'

interface GroupHeadProps {
  line: { group: TaskGroup; isClosed: boolean }
  index: number
  toggle: () => void
  create: () => void
}

/** The header of a group of rows, which collapses it. */
export function GroupHead({ line: { group, isClosed }, index, toggle, create }: GroupHeadProps) {
  const name = groupName(group)
  return (
    <GridRow aria-rowindex={index} className={styles.head}>
      <GridCell className={styles.headCell}>
        <button type="button" className={styles.toggle} aria-expanded={!isClosed} onClick={toggle}>
          <IconChevronRight size={14} aria-hidden />
          <GroupMark group={group} />
          <span dir="auto">{name}</span>
          <span className={styles.headCount}>{group.ids.length}</span>
        </button>
        <button
          type="button"
          className={styles.add}
          aria-label={t.tasks.createIn(name)}
          title={t.tasks.createIn(name)}
          onClick={create}
        >
          <IconPlus size={15} aria-hidden />
        </button>
      </GridCell>
    </GridRow>
  )
}
