import { IconCheck, IconDots, IconMessage, IconSubtask } from '@tabler/icons-react'
import { memo, useDeferredValue, type MouseEvent, type ReactNode } from 'react'
import { t } from '../../../texts/index.ts'
import { RowLink } from '../../../ui/AppLink.tsx'
import { GridCell, GridRow } from '../../../ui/work/grid.ts'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { delegateName } from '../data/field-text.ts'
import { useRow, type TaskRow as Row } from '../data/rows.ts'
import { openRowMenuFor } from '../menu/open.ts'
import { openPicker } from '../pick/open.ts'
import type { PickField } from '../data/fields.ts'
import { DueChip, FaceStack, LabelChips } from './chips.tsx'
import {
  pickRangeTo,
  setCursor,
  togglePicked,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import styles from './list.module.css'

interface TaskRowProps {
  id: string
  /** Its position in the whole list, for screen readers. */
  index: number
  /** Opens it beside the list. */
  peek: (row: Row) => void
  withProject: boolean
}

/**
 * A task on one line, editable in place. A row that appears during scrolling is rendered with key and title first,
 * and completed when there is time.
 */
export const TaskRow = memo(function TaskRow({ id, index, peek, withProject }: TaskRowProps) {
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  const isPicked = useIsPicked(id)
  const isComplete = useDeferredValue(true, false)
  if (!row) return null
  const handleClick = (event: MouseEvent) => {
    if (event.shiftKey) pickRangeTo(id)
    else if (event.ctrlKey || event.metaKey) togglePicked(id)
    else if (event.target instanceof Element && event.target.closest('a,button')) return
    else {
      setCursor(id)
      peek(row)
    }
    if (event.shiftKey || event.ctrlKey || event.metaKey) event.preventDefault()
  }
  return (
    <GridRow
      aria-rowindex={index}
      aria-selected={isPicked}
      data-task={id}
      data-cursor={isCursor || undefined}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.row}
      onFocus={() => setCursor(id)}
      onClick={handleClick}
      onContextMenu={(event) => openRowMenuFor(id, event)}
    >
      <GridCell className={styles.lead} data-brief={!isComplete || undefined}>
        {isComplete ? (
          <Lead row={row} isPicked={isPicked} />
        ) : (
          <span className={styles.key}>{row.key}</span>
        )}
      </GridCell>
      <GridCell className={styles.title} data-anchor>
        <RowLink to={`/tasks/${row.key}`} tabIndex={-1} className={styles.name} dir="auto">
          {row.title}
        </RowLink>
        {row.parent && (
          <span className={styles.parent} dir="auto">
            › {row.parent.title}
          </span>
        )}
      </GridCell>
      <GridCell className={styles.facts}>
        {isComplete && <RowFacts row={row} withProject={withProject} />}
      </GridCell>
    </GridRow>
  )
})

/** Start of a row: selection, priority, key and status. */
function Lead({ row, isPicked }: { row: Row; isPicked: boolean }) {
  const { id } = row
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className={styles.check}
        aria-label={t.tasks.pickTask(row.key)}
        aria-pressed={isPicked}
        onClick={(event) => (event.shiftKey ? pickRangeTo(id) : togglePicked(id))}
      >
        {isPicked && <IconCheck size={12} stroke={3} aria-hidden />}
      </button>
      <FieldButton row={row} field="priority" label={t.tasks.priorities[row.priority]}>
        <PriorityIcon priority={row.priority} />
      </FieldButton>
      <span className={styles.key}>{row.key}</span>
      <FieldButton row={row} field="status" label={row.status}>
        <StatusIcon category={row.status_category} />
      </FieldButton>
    </>
  )
}

/** Further values, at the end of a row. */
function RowFacts({ row, withProject }: { row: Row; withProject: boolean }) {
  const people = row.assignees.map((person) => person.title)
  return (
    <>
      {row.blocked && <span className={styles.blocked}>{t.tasks.blocked}</span>}
      {row.subtask_counts.total > 0 && (
        <span className={styles.count} title={t.tasks.subtasks}>
          <IconSubtask size={14} stroke={1.6} aria-hidden />
          {row.subtask_counts.done}/{row.subtask_counts.total}
        </span>
      )}
      {row.comment_count > 0 && (
        <span className={styles.count} title={t.tasks.comments(row.comment_count)}>
          <IconMessage size={14} stroke={1.6} aria-hidden />
          {row.comment_count}
        </span>
      )}
      <LabelChips items={row.labels} />
      {withProject && <span className={styles.project}>{row.project.title}</span>}
      <FieldButton row={row} field="due" label={t.tasks.pick.due} isText>
        <DueChip row={row} />
      </FieldButton>
      <DelegateButton row={row} />
      <FieldButton
        row={row}
        field="assignees"
        label={people.length === 0 ? t.tasks.nobody : people.join(', ')}
      >
        <FaceStack items={row.assignees} />
      </FieldButton>
      <MoreButton row={row} />
    </>
  )
}

/** The assistant that works on a task, if any. */
function DelegateButton({ row }: { row: Row }) {
  if (!row.delegate) return null
  const name = delegateName(row.delegate)
  return (
    <FieldButton row={row} field="delegate" label={name}>
      <Face id={row.delegate.id ?? row.delegate.owner.id} name={name} kind="assistant" />
    </FieldButton>
  )
}

/** Opens the menu of a row. */
function MoreButton({ row }: { row: Row }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.more}
      aria-label={t.tasks.actionsOf(row.key)}
      aria-haspopup="dialog"
      onClick={(event) => openRowMenuFor(row.id, event)}
    >
      <IconDots size={15} aria-hidden />
    </button>
  )
}

interface FieldButtonProps {
  row: Row
  field: PickField
  label: string
  /** True if the content is text, and so needs no label. */
  isText?: boolean
  children: ReactNode
}

/** A value in a row; opens its picker in place. */
function FieldButton({ row, field, label, isText = false, children }: FieldButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.field}
      data-field={field}
      {...(isText ? {} : { 'aria-label': t.tasks.fieldIs(t.tasks.fields[field], label) })}
      title={t.tasks.fieldIs(t.tasks.fields[field], label)}
      onClick={(event) => openPicker({ field, ids: [row.id], anchor: event.currentTarget })}
    >
      {children}
    </button>
  )
}
