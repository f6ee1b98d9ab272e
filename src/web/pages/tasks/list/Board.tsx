import { IconPlus } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useRef, useState, type DragEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { rowOf, useRow, type TaskRow } from '../data/rows.ts'
import { rowMenuOf } from '../menu/open.ts'
import { delegateName } from '../data/field-text.ts'
import { dueDay } from '../data/due.ts'
import type { TaskGroup } from './arrange.ts'
import styles from './board.module.css'
import { DueChip, FaceStack, LabelChips } from './chips.tsx'
import { GroupMark, groupName } from './GroupMark.tsx'
import { bringLine } from './lines.ts'
import {
  setCursor,
  setOrder,
  useCursor,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from './selection.ts'
import { moveToGroup } from './move.ts'
import type { TaskView } from './view.ts'

interface BoardProps {
  groups: readonly TaskGroup[]
  view: TaskView
  open: (row: TaskRow) => void
  create: (group: TaskGroup) => void
}

/** The groups of a view beside each other. A card is moved by dragging, by its keys or by its menu of values. */
export function Board({ groups, view, open, create }: BoardProps) {
  useEffect(() => setOrder(groups.flatMap((group) => group.ids)), [groups])
  return (
    <div className={styles.board}>
      {groups.map((group) => (
        <Column key={group.key} group={group} view={view} open={open} create={create} />
      ))}
    </div>
  )
}

interface ColumnProps {
  group: TaskGroup
  view: TaskView
  open: (row: TaskRow) => void
  create: (group: TaskGroup) => void
}

const cardHeight = 96

const Column = memo(function Column({ group, view, open, create }: ColumnProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const { ids } = group
  const name = groupName(group)
  const cards = useVirtualizer({
    count: group.ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: 2,
  })
  useBringCursor(group.ids, (index) => bringLine(cards, index))
  const dropped = (event: DragEvent) => {
    setOver(false)
    const id = event.dataTransfer.getData(dragType)
    if (id !== '' && rowOf(id)) void moveToGroup([id], group, view)
  }
  return (
    <section
      className={styles.column}
      data-over={isOver || undefined}
      aria-label={name}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={dropped}
    >
      <header className={styles.head}>
        <GroupMark group={group} />
        <h2 dir="auto">{name}</h2>
        <span className={styles.count}>{group.ids.length}</span>
        <button
          type="button"
          className={styles.add}
          aria-label={t.tasks.createIn(name)}
          title={t.tasks.createIn(name)}
          onClick={() => create(group)}
        >
          <IconPlus size={15} aria-hidden />
        </button>
      </header>
      <div ref={scroller} className={styles.scroller}>
        <ul className={styles.cards} style={{ height: cards.getTotalSize() }}>
          {cards.getVirtualItems().map(({ key, index, start }) => {
            const id = group.ids[index]
            return (
              id !== undefined && (
                <li
                  key={key}
                  ref={cards.measureElement}
                  data-index={index}
                  className={styles.place}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Card id={id} open={open} />
                </li>
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
})

const dragType = 'text/x-workspace-task'

const Card = memo(function Card({ id, open }: { id: string; open: (row: TaskRow) => void }) {
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  const isPicked = useIsPicked(id)
  if (!row) return null
  return (
    <button
      type="button"
      className={styles.card}
      data-task={id}
      data-cursor={isCursor || undefined}
      data-picked={isPicked || undefined}
      tabIndex={isTabStop ? 0 : -1}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, id)
        event.dataTransfer.effectAllowed = 'move'
        setCursor(id)
      }}
      onFocus={() => setCursor(id)}
      onClick={() => open(row)}
      onContextMenu={(event) => rowMenuOf(id, event)}
    >
      <span className={styles.about}>
        <span className={styles.key}>{row.key}</span>
        <span className={styles.faces}>
          {row.delegate && (
            <Face
              id={row.delegate.id ?? row.delegate.owner.id}
              name={delegateName(row.delegate)}
              kind="assistant"
              size={18}
              label={t.tasks.fieldIs(t.tasks.fields.delegate, delegateName(row.delegate))}
            />
          )}
          <FaceStack of={row.assignees} size={18} />
        </span>
      </span>
      <span className={styles.title} dir="auto">
        <StatusIcon category={row.status_category} />
        {row.title}
      </span>
      <span className={styles.facts}>
        <PriorityIcon priority={row.priority} />
        {dueDay(row) !== undefined && <DueChip row={row} />}
        <LabelChips of={row.labels} />
      </span>
    </button>
  )
})

/** Brings the card that one is at into view, and the focus to it. */
function useBringCursor(ids: readonly string[], bring: (index: number) => void): void {
  const cursor = useCursor()
  const latest = useRef({ ids, bring })
  useEffect(() => {
    latest.current = { ids, bring }
  })
  useEffect(() => {
    const index = cursor === undefined ? -1 : latest.current.ids.indexOf(cursor)
    if (index === -1) return
    latest.current.bring(index)
    const frame = requestAnimationFrame(() => {
      const card = document.querySelector<HTMLElement>(`[data-task="${cursor}"]`)
      if (document.activeElement?.closest('dialog') === null) card?.focus({ preventScroll: true })
      card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [cursor])
}
