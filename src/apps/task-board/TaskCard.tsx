import { describeDate } from '../shared/dates.ts'
import { capitalized } from '../shared/fields.ts'
import type { BoardProps } from './props.ts'
import { TaskEditor } from './TaskEditor.tsx'
import type { BoardTask } from './tasks.ts'

interface TaskProps extends BoardProps {
  task: BoardTask
}

export function TaskCard({ task, board, host }: TaskProps) {
  const { changing, opened } = board.state
  const isOpen = opened?.key === task.key
  const isDraggable = host.canCall && !isOpen
  return (
    <li
      class="card"
      draggable={isDraggable}
      aria-busy={changing.has(task.key)}
      onDragStart={(event) => event.dataTransfer?.setData('text/plain', task.key)}
    >
      <p class="row between small muted">
        <span>{task.key}</span>
        <TaskBadges task={task} />
      </p>
      <TaskTitle task={task} board={board} host={host} />
      <Details task={task} locale={host.context.locale} />
      {isOpen && <TaskEditor task={opened} board={board} host={host} />}
      {!isOpen && host.canCall && <StatusField task={task} board={board} host={host} />}
    </li>
  )
}

function TaskTitle({ task, board, host }: TaskProps) {
  const isOpen = board.state.opened?.key === task.key
  const title = <span dir="auto">{task.title}</span>
  if (!host.canCall) return <h3>{title}</h3>
  return (
    <h3>
      <button
        type="button"
        class="plain"
        id={`title-${task.key}`}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? board.close() : board.open(task))}
      >
        {title}
      </button>
    </h3>
  )
}

function TaskBadges({ task: { priority, isBlocked } }: { task: BoardTask }) {
  return (
    <span class="row">
      {isBlocked && <span class="warning">Blocked</span>}
      {priority !== 'none' && (
        <span class={priority === 'urgent' ? 'danger' : ''}>{capitalized(priority)}</span>
      )}
    </span>
  )
}

function Details({ task, locale }: { task: BoardTask; locale: string | undefined }) {
  const { assignees, labels, due, category } = task
  const isOverdue = due && due.endMs < Date.now() && !['done', 'cancelled'].includes(category)
  if (assignees.length + labels.length === 0 && !due) return null
  return (
    <p class="row small muted">
      {due && (
        <span class={isOverdue ? 'danger' : ''}>
          {isOverdue ? 'Overdue: ' : 'Due '}
          {describeDate(due, locale)}
        </span>
      )}
      {assignees.length > 0 && <span dir="auto">{assignees.join(', ')}</span>}
      {labels.map((label) => (
        <span key={label} class="badge" dir="auto">
          {label}
        </span>
      ))}
    </p>
  )
}

function StatusField({ task, board }: TaskProps) {
  const statuses = board.statusesOf(task)
  return (
    <select
      aria-label={`Status of ${task.key}`}
      value={task.status}
      disabled={board.state.changing.has(task.key) || statuses.length < 2}
      onChange={(event) => board.move(task, event.currentTarget.value)}
    >
      {statuses.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
