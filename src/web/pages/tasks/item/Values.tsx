import type { ReactNode } from 'react'
import { taskPage as texts } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { relativeDay } from '../../../ui/work/days.ts'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { delegateName } from '../data/field-text.ts'
import type { TaskRow } from '../data/rows.ts'
import { dueDay } from '../data/due.ts'
import { LabelChips } from '../list/chips.tsx'
import { openPicker } from '../pick/open.ts'
import type { PickField } from '../data/fields.ts'
import styles from './item.module.css'
import { NumberField } from './NumberField.tsx'
import { Provenance } from './Provenance.tsx'
import { lastChangesOf, useFieldChanges, type FieldChange, type FullTask } from './useTask.ts'

const Repeats = onDemand(() => import('./Repeats.tsx').then(({ Repeats }) => Repeats))

interface ValuesProps {
  task: FullTask
  row: TaskRow
}

/** The values of a task with labels, each with its picker and its author. */
export function Values({ task, row }: ValuesProps) {
  const changes = useFieldChanges(task.id)
  return (
    <dl className={styles.values} data-values>
      {visibleFields.map((field) => (
        <Value
          key={field}
          row={row}
          field={field}
          changes={lastChangesOf(changes, historyFields[field])}
        />
      ))}
      <PlainValue label={t.tasks.fields.estimate} isControl>
        <NumberField row={row} field="estimate" />
      </PlainValue>
      <PlainValue label={t.tasks.fields.points} isControl>
        <NumberField row={row} field="points" />
      </PlainValue>
      <PlainValue label={texts.repeats} isControl>
        <Repeats task={task} />
      </PlainValue>
      {task.time_spent_minutes > 0 && (
        <PlainValue label={t.tasks.fields.spent}>
          {t.items.minutes(task.time_spent_minutes)}
        </PlainValue>
      )}
      {task.source && (
        <PlainValue label={t.tasks.fields.source}>
          <ItemLink item={task.source} />
        </PlainValue>
      )}
    </dl>
  )
}

const visibleFields = [
  'status',
  'priority',
  'assignees',
  'delegate',
  'due',
  'start',
  'labels',
  'project',
  'sprint',
  'milestone',
] as const satisfies readonly PickField[]

/** Field names used in the history. */
const historyFields: Readonly<Record<PickField, readonly string[]>> = {
  status: ['status'],
  priority: ['priority'],
  assignees: ['assignees'],
  delegate: ['delegate_key'],
  due: ['due_at', 'due_on'],
  start: ['start_at', 'start_on'],
  labels: ['labels'],
  project: ['project'],
  sprint: ['sprint'],
  milestone: ['milestone'],
}

/** The displayed value; undefined if unset. */
function fieldContentOf(row: TaskRow, field: PickField): ReactNode {
  switch (field) {
    case 'status':
      return (
        <>
          <StatusIcon category={row.status_category} /> {row.status}
        </>
      )
    case 'priority':
      return (
        <>
          <PriorityIcon priority={row.priority} /> {t.tasks.priorities[row.priority]}
        </>
      )
    case 'assignees':
      return row.assignees.length === 0
        ? undefined
        : row.assignees.map((person) => <Person key={person.id} person={person} />)
    case 'delegate':
      return row.delegate && <Delegate delegate={row.delegate} />
    case 'due':
      return renderDay(dueDay(row))
    case 'start':
      return renderDay(row.start_on)
    case 'labels':
      return row.labels.length === 0 ? undefined : <LabelChips items={row.labels} showsAll />
    case 'project':
      return <span dir="auto">{row.project.title}</span>
    case 'sprint':
    case 'milestone':
      return row[field] && <span dir="auto">{row[field].title}</span>
  }
}

const renderDay = (day: string | undefined) =>
  day === undefined ? undefined : <time dateTime={day}>{relativeDay(day)}</time>

interface ValueProps {
  row: TaskRow
  field: PickField
  changes: readonly FieldChange[]
}

function Value({ row, field, changes }: ValueProps) {
  return (
    <div className={styles.value}>
      <dt>{t.tasks.fields[field]}</dt>
      <dd>
        <button
          type="button"
          className={styles.valueButton}
          onClick={(event) => openPicker({ field, ids: [row.id], anchor: event.currentTarget })}
        >
          {fieldContentOf(row, field) ?? <span className={styles.none}>{t.tasks.none}</span>}
        </button>
        <Provenance changes={changes} taskId={row.id} />
      </dd>
    </div>
  )
}

interface PlainValueProps {
  label: string
  /** True for a control, which brings its own spacing. */
  isControl?: boolean
  children: ReactNode
}

function PlainValue({ label, isControl = false, children }: PlainValueProps) {
  return (
    <div className={styles.value}>
      <dt>{label}</dt>
      <dd>{isControl ? children : <span className={styles.plain}>{children}</span>}</dd>
    </div>
  )
}

function Delegate({ delegate }: { delegate: NonNullable<TaskRow['delegate']> }) {
  const name = delegateName(delegate)
  return (
    <span className={styles.person}>
      <Face id={delegate.id ?? delegate.owner.id} name={name} kind="assistant" size={18} />
      <span dir="auto">{name}</span>
      {delegate.state !== 'active' && (
        <span className={styles.none}>{t.tasks.delegateStates[delegate.state]}</span>
      )}
    </span>
  )
}

function Person({ person }: { person: { id: string; title: string } }) {
  return (
    <span className={styles.person}>
      <Face id={person.id} name={person.title} size={18} />
      <span dir="auto">{person.title}</span>
    </span>
  )
}
