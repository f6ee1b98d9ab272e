import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'
import { useMediaQuery } from '@mantine/hooks'
import { t } from '../../../texts/index.ts'
import { GridRoot } from '../../../ui/work/grid.ts'
import type { TaskRow as Row } from '../data/rows.ts'
import type { TaskGroup } from './arrange.ts'
import { GroupHead } from './GroupHead.tsx'
import { scrollToLine, useFollowCursor, useRemeasure } from '../../../ui/work/table/follow.ts'
import { keyOfLine, useLines, type ListLine } from './lines.ts'
import styles from './list.module.css'
import { TaskRow } from './TaskRow.tsx'

interface TaskListProps {
  groups: readonly TaskGroup[]
  withHeads: boolean
  withProject: boolean
  peek: (row: Row) => void
  create: (group: TaskGroup) => void
}

/** The tasks of a view as lines. Renders only visible ones. */
export function TaskList({ groups, withHeads, withProject, peek, create }: TaskListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const { lines, toggle } = useLines(groups, withHeads)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => listLineHeight(lines[index], isNarrow),
    getItemKey: useCallback((index: number) => keyOfLine(lines[index]), [lines]),
    overscan: 6,
  })
  useRemeasure(virtualizer, isNarrow)
  useFollowCursor({
    lines,
    scrollTo: (index) => scrollToLine(virtualizer, index),
    findElement: (id) => document.querySelector<HTMLElement>(`[data-task="${id}"]`),
  })
  return (
    <div ref={scroller} className={styles.scroller}>
      <GridRoot
        aria-label={t.tasks.title}
        aria-rowcount={lines.length}
        aria-multiselectable
        className={styles.grid}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <div
              key={key}
              role="presentation"
              className={styles.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              {'id' in line ? (
                <TaskRow id={line.id} index={index + 1} peek={peek} withProject={withProject} />
              ) : (
                <GroupHead
                  line={line}
                  index={index + 1}
                  toggle={() => toggle(line.group.key)}
                  create={() => create(line.group)}
                />
              )}
            </div>
          )
        })}
      </GridRoot>
    </div>
  )
}

function listLineHeight(line: ListLine | undefined, isNarrow: boolean): number {
  if (line && 'group' in line) return isNarrow ? 44 : 36
  return isNarrow ? 56 : 34
}
