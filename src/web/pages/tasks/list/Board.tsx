import { memo, useEffect } from 'react'
import { t } from '../../../texts/index.ts'
import { BoardColumn, BoardFrame } from '../../../ui/work/board/Board.tsx'
import styles from '../../../ui/work/board/board.module.css'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { taskRowOf, useRow, type TaskRow } from '../data/rows.ts'
import { openRowMenuFor } from '../menu/open.ts'
import { delegateName } from '../data/field-text.ts'
import { dueDay } from '../data/due.ts'
import type { TaskGroup } from './arrange.ts'
import { DueChip, FaceStack, LabelChips } from './chips.tsx'
import { GroupMark, groupName } from './GroupMark.tsx'
import {
  setCursor,
  setOrder,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import { moveToGroup } from './move.ts'
import type { TaskView } from './view.ts'

interface BoardProps {
  groups: readonly TaskGroup[]
  view: TaskView
  open: (row: TaskRow) => void
  create: (group: TaskGroup) => void
}

/** The groups of a view side by side. A card is moved by dragging, by keyboard, or with its value pickers. */
export function Board({ groups, view, open, create }: BoardProps) {
  useEffect(() => setOrder(groups.flatMap((group) => group.ids)), [groups])
  return (
    <BoardFrame>
      {groups.map((group) => (
        <Column key={group.key} group={group} view={view} open={open} create={create} />
      ))}
    </BoardFrame>
  )
}

interface ColumnProps {
  group: TaskGroup
  view: TaskView
  open: (row: TaskRow) => void
  create: (group: TaskGroup) => void
}

const findCard = (id: string) =>
  document.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`)

const Column = memo(function Column({ group, view, open, create }: ColumnProps) {
  const name = groupName(group)
  return (
    <BoardColumn
      ids={group.ids}
      name={name}
      mark={<GroupMark group={group} />}
      dragType={dragType}
      onDropCard={(id) => {
        if (taskRowOf(id)) void moveToGroup([id], group, view)
      }}
      add={{ label: t.tasks.createIn(name), run: () => create(group) }}
      renderCard={(id) => <Card id={id} open={open} />}
      findCard={findCard}
    />
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
      onContextMenu={(event) => openRowMenuFor(id, event)}
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
          <FaceStack items={row.assignees} size={18} />
        </span>
      </span>
      <span className={styles.title} dir="auto">
        <StatusIcon category={row.status_category} />
        {row.title}
      </span>
      <span className={styles.facts}>
        <PriorityIcon priority={row.priority} />
        {dueDay(row) !== undefined && <DueChip row={row} />}
        <LabelChips items={row.labels} />
      </span>
    </button>
  )
})
