import { IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useMediaQuery } from '@mantine/hooks'
import { t } from '../../../texts/index.ts'
import { GridCell, GridRoot, GridRow } from '../../../ui/work/grid.ts'
import type { TaskRow as Row } from '../data/rows.ts'
import type { TaskGroup } from './arrange.ts'
import { GroupMark, groupName } from './GroupMark.tsx'
import styles from './list.module.css'
import { setOrder, useCursor } from './selection.ts'
import { TaskRow } from './TaskRow.tsx'

type Line = { group: TaskGroup; isClosed: boolean } | { id: string }

interface TaskListProps {
  groups: readonly TaskGroup[]
  withHeads: boolean
  withProject: boolean
  peek: (row: Row) => void
  create: (group: TaskGroup) => void
}

/** The tasks of a view, line by line. Only what is in sight is drawn. */
export function TaskList({ groups, withHeads, withProject, peek, create }: TaskListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const lines = useMemo(() => linesOf(groups, withHeads, closed), [groups, withHeads, closed])
  useEffect(() => setOrder(lines.flatMap((line) => ('id' in line ? [line.id] : []))), [lines])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(lines[index], isNarrow),
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 12,
  })
  const measuredNarrow = useRef(isNarrow)
  useEffect(() => {
    if (measuredNarrow.current !== isNarrow) rows.measure()
    measuredNarrow.current = isNarrow
  }, [rows, isNarrow])
  useFollowCursor(lines, (index) => rows.scrollToIndex(index, { align: 'auto' }))
  const toggle = (key: string) => {
    const next = new Set(closed)
    if (!next.delete(key)) next.add(key)
    setClosed(next)
  }
  return (
    <div ref={scroller} className={styles.scroller}>
      <GridRoot
        aria-label={t.tasks.title}
        aria-rowcount={lines.length}
        aria-multiselectable
        className={styles.grid}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ key, index, start }) => {
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

interface GroupHeadProps {
  line: { group: TaskGroup; isClosed: boolean }
  index: number
  toggle: () => void
  create: () => void
}

function GroupHead({ line: { group, isClosed }, index, toggle, create }: GroupHeadProps) {
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

function linesOf(
  groups: readonly TaskGroup[],
  withHeads: boolean,
  closed: ReadonlySet<string>,
): Line[] {
  return groups.flatMap((group): Line[] => {
    const isClosed = closed.has(group.key)
    const rows = isClosed ? [] : group.ids.map((id) => ({ id }))
    return withHeads ? [{ group, isClosed }, ...rows] : rows
  })
}

const keyOf = (line: Line | undefined) =>
  line === undefined || 'id' in line ? (line?.id ?? '') : `group ${line.group.key}`

function heightOf(line: Line | undefined, isNarrow: boolean): number {
  if (line && 'group' in line) return isNarrow ? 44 : 36
  return isNarrow ? 56 : 34
}

/** Keeps the row that one is at in sight, and the focus on it where the list has the focus. */
function useFollowCursor(lines: readonly Line[], bring: (index: number) => void): void {
  const cursor = useCursor()
  const latest = useRef({ lines, bring })
  useEffect(() => {
    latest.current = { lines, bring }
  })
  useEffect(() => {
    if (cursor === undefined) return
    const index = latest.current.lines.findIndex((line) => 'id' in line && line.id === cursor)
    if (index === -1) return
    latest.current.bring(index)
    const frame = requestAnimationFrame(() => {
      const row = document.querySelector<HTMLElement>(`[data-task="${cursor}"]`)
      const active = document.activeElement
      const isInList = active === document.body || active?.closest('main') !== null
      if (row && isInList && !row.contains(active)) row.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [cursor])
}
