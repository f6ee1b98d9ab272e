import { IconCalendar } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { dayOf, relativeDay } from '../../../ui/work/days.ts'
import { Dot } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import work from '../../../ui/work/work.module.css'
import { dueDay, isClosed } from '../data/due.ts'
import { useLabels } from '../data/lists.ts'
import type { TaskRow } from '../data/rows.ts'
import styles from './list.module.css'

interface NamedRef {
  id: string
  title: string
}

/** The due day in words; red if it is past. */
export function DueChip({ row }: { row: TaskRow }) {
  const day = dueDay(row)
  if (day === undefined)
    return (
      <span className={styles.noDue}>
        <IconCalendar size={14} stroke={1.6} aria-hidden />
        <span className={styles.hidden}>{t.tasks.noDay}</span>
      </span>
    )
  const today = dayOf()
  return (
    <time
      className={styles.due}
      dateTime={day}
      data-due={isClosed(row.status_category) ? undefined : dueState(day, today)}
    >
      {relativeDay(day, today)}
    </time>
  )
}

function dueState(day: string, today: string): 'overdue' | 'today' | undefined {
  if (day < today) return 'overdue'
  return day === today ? 'today' : undefined
}

const maxFaces = 3

export function FaceStack({ items, size = 20 }: { items: readonly NamedRef[]; size?: number }) {
  if (items.length === 0) return <span className={styles.noFace} aria-hidden />
  return (
    <span className={styles.faces}>
      {items.slice(0, maxFaces).map((person) => (
        <Face key={person.id} id={person.id} name={person.title} size={size} />
      ))}
      {items.length > maxFaces && <span className={styles.count}>+{items.length - maxFaces}</span>}
    </span>
  )
}

const maxLabels = 2

interface LabelChipsProps {
  items: readonly NamedRef[]
  /** Shows all labels, instead of two and the number of others. */
  showsAll?: boolean
}

export function LabelChips(props: LabelChipsProps) {
  return props.items.length > 0 ? <Labels {...props} /> : null
}

function Labels({ items, showsAll = false }: LabelChipsProps) {
  const labels = useLabels()
  const visibleLabels = showsAll ? items : items.slice(0, maxLabels)
  return (
    <>
      {visibleLabels.map((label) => (
        <span key={label.id} className={work.label} dir="auto">
          <Dot color={labels.find((other) => other.id === label.id)?.color ?? 'var(--muted)'} />
          {label.title}
        </span>
      ))}
      {items.length > visibleLabels.length && (
        <span className={work.label}>+{items.length - visibleLabels.length}</span>
      )}
    </>
  )
}
