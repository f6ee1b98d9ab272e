import { t } from '../../../texts/index.ts'
import { formatDate, formatMoment } from '../../../ui/times.tsx'
import { relativeDay } from '../../../ui/work/days.ts'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { delegateName, durationText } from '../data/field-text.ts'
import { customName, isCustom } from '../data/fields.ts'
import type { TaskRow } from '../data/rows.ts'
import { DueChip, FaceStack, LabelChips } from '../list/chips.tsx'
import { cellText, lastChangeSummary } from './block.ts'
import type { ColumnId } from './columns.ts'
import styles from '../../../ui/work/table/table.module.css'

export function CellContent({ row, column }: { row: TaskRow; column: ColumnId }) {
  switch (column) {
    case 'title':
      return <Title row={row} />
    case 'status':
      return (
        <>
          <StatusIcon category={row.status_category} />
          <span className={styles.text}>{row.status}</span>
        </>
      )
    case 'priority':
      return (
        <>
          <PriorityIcon priority={row.priority} />
          <span className={row.priority === 'none' ? styles.hidden : styles.text}>
            {t.tasks.priorities[row.priority]}
          </span>
        </>
      )
    case 'assignees':
      return <AssigneesCell row={row} />
    case 'delegate':
      return row.delegate ? <Delegate delegate={row.delegate} /> : null
    case 'due':
      return row.due_on || row.due_at ? <DueChip row={row} /> : null
    case 'start':
      return row.start_on ? <time dateTime={row.start_on}>{relativeDay(row.start_on)}</time> : null
    case 'labels':
      return <LabelChips items={row.labels} showsAll />
    case 'changed':
      return <LastChange row={row} />
    default:
      return <span className={styles.text}>{plainCellText(row, column)}</span>
  }
}

function plainCellText(row: TaskRow, column: ColumnId): string {
  if (column === 'estimate') return durationText(row.estimate_minutes)
  if (column === 'created') return formatDate(row.created_at)
  const text = cellText(row, column)
  const value = isCustom(column) ? row.custom_fields[customName(column)] : undefined
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? relativeDay(value) : text
}

function Title({ row }: { row: TaskRow }) {
  return (
    <span className={styles.text} dir="auto">
      {row.title}
    </span>
  )
}

function AssigneesCell({ row }: { row: TaskRow }) {
  if (row.assignees.length === 0) return null
  return (
    <>
      <FaceStack items={row.assignees} size={18} />
      <span className={styles.text} dir="auto">
        {row.assignees.map((person) => person.title).join(', ')}
      </span>
    </>
  )
}

function Delegate({ delegate }: { delegate: NonNullable<TaskRow['delegate']> }) {
  const name = delegateName(delegate)
  return (
    <>
      <Face id={delegate.id ?? delegate.owner.id} name={name} kind="assistant" size={18} />
      <span className={styles.text} dir="auto">
        {name}
      </span>
    </>
  )
}

/** Last change, with the person and key: an assistant has a square face. */
function LastChange({ row }: { row: TaskRow }) {
  const change = row.last_change
  const { name, timeText } = lastChangeSummary(row)
  return (
    <>
      {change && (
        <Face id={change.actor.id} name={name} kind={changeSourceKind(change)} size={18} />
      )}
      <span className={styles.text} title={lastChangeText(row)}>
        {change ? t.tasks.table.changedBy(name, timeText) : timeText}
      </span>
    </>
  )
}

function changeSourceKind(change: NonNullable<TaskRow['last_change']>) {
  if (change.automation) return 'automation'
  return change.key ? 'assistant' : 'person'
}

function lastChangeText({ last_change: change, updated_at }: TaskRow): string {
  const moment = formatMoment(change?.at ?? updated_at)
  if (!change?.key) return moment
  const { title = change.actor.title, owner } = change.key
  return `${t.tasks.table.byKey(title, owner.title)}, ${moment}`
}
