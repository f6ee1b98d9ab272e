import { VisuallyHidden } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { isLong, lastDay, timeOf, type EventRow } from '../data/events.ts'
import { hoursOf, stateTextsOf, describeTime, eventTitleOf } from '../event/words.ts'
import { useGrid } from './context.ts'
import styles from './grid.module.css'

interface EventButtonProps {
  row: EventRow
  /** Block: in the hours of a day; line: one line in a month or across days. */
  variant: 'block' | 'line'
  style?: CSSProperties
  /** The edges with resize handles. */
  edges?: readonly ('start' | 'end')[]
  /** True in a narrow column. */
  isTight?: boolean
  /** Starts a drag to another day: writes the event into the transfer. */
  onDragStart?: (transfer: DataTransfer) => void
}

/** An event in a day, week or month. */
export function EventButton(props: EventButtonProps) {
  const { row, variant, style, edges = [], isTight = false, onDragStart } = props
  const grid = useGrid()
  const time = timeOf(row)
  return (
    <button
      type="button"
      className={styles.event}
      data-event={row.id}
      data-look={variant}
      data-tight={isTight || undefined}
      data-long={isLong(row) || undefined}
      data-here={row.id === grid.cursorId || undefined}
      data-open={row.id === grid.openId || undefined}
      data-past={isPast(row, grid.now) || undefined}
      data-state={eventStateOf(row)}
      data-uninvited={row.invites_pending || undefined}
      tabIndex={row.id === grid.cursorId ? 0 : -1}
      style={{ ...style, ...calendarColorStyle(grid.colorById.get(row.calendar.id)) }}
      onFocus={() => grid.go(row.id)}
      onClick={() => grid.open(row)}
      onPointerDown={(event) => grid.grab?.(event, row, 'whole')}
      draggable={onDragStart !== undefined}
      onDragStart={(event) => onDragStart?.(event.dataTransfer)}
    >
      {variant === 'line' && !isLong(row) && <Clock>{time.starts.slice(11, 16)}</Clock>}{' '}
      <span
        className={styles.eventTitle}
        data-alone={variant === 'block' || undefined}
        data-off={eventStateOf(row) === 'off' || undefined}
        dir="auto"
      >
        {eventTitleOf(row)}
      </span>{' '}
      {variant === 'block' && <Clock>{hoursOf(time)}</Clock>}{' '}
      {variant === 'block' && row.location !== undefined && (
        <span className={styles.place} dir="auto">
          {row.location}
        </span>
      )}
      <VisuallyHidden>
        {[...(isLong(row) ? [describeTime(time)] : []), ...stateTextsOf(row)].join(', ')}
      </VisuallyHidden>
      {edges.map((edge) => (
        <span
          key={edge}
          className={styles.edge}
          data-edge={edge}
          aria-hidden
          onPointerDown={(event) => grid.grab?.(event, row, edge)}
        />
      ))}
    </button>
  )
}

function Clock({ children }: { children: ReactNode }) {
  return <span className={styles.clock}>{children}</span>
}

export const calendarColorStyle = (color: string | undefined): CSSProperties =>
  color === undefined ? {} : ({ '--calendar': color } as CSSProperties)

function isPast(row: EventRow, now: string): boolean {
  const { allDay, ends } = timeOf(row)
  return allDay ? lastDay(row) < now.slice(0, 10) : ends <= now
}

/** Visual state: events that do not take place are crossed out, unanswered ones have a dashed border. */
export function eventStateOf(row: EventRow): 'off' | 'open' | undefined {
  if (row.status === 'cancelled' || row.my_response === 'declined') return 'off'
  const isOpen =
    row.status === 'tentative' ||
    row.my_response === 'needs_action' ||
    row.my_response === 'tentative'
  return isOpen ? 'open' : undefined
}
