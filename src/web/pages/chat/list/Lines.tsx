import { memo } from 'react'
import { t } from '../../../texts/index.ts'
import { formatDate } from '../../../ui/times.tsx'
import { dayKey, type MessageLine } from './lines.ts'
import styles from './list.module.css'
import { MessageRow } from '../message/MessageRow.tsx'

interface LinesProps {
  lines: readonly MessageLine[]
  currentId: string | undefined
  markedId: string | undefined
  isInThread?: boolean
}

/** Messages, with day separators and the line above new ones. */
export const Lines = memo(function Lines({ lines, currentId, markedId, isInThread }: LinesProps) {
  const lastId = lines.findLast((line) => line.kind === 'message')?.key
  const focusableId = lines.some((line) => line.key === currentId) ? currentId : lastId
  return lines.map((line, n) => {
    if (line.kind === 'day') return <Day key={line.key} timestamp={line.timestamp} />
    if (line.kind === 'unread') return <Unread key={line.key} />
    return (
      <MessageRow
        key={line.key}
        id={line.key}
        isJoined={line.isJoined}
        hasTools={line.key === currentId}
        isFocusable={line.key === focusableId}
        isMarked={line.key === markedId}
        isInThread={isInThread}
        index={n + 1}
      />
    )
  })
})

function Day({ timestamp }: { timestamp: string }) {
  return (
    <div className={styles.day} role="presentation">
      <time dateTime={dayKey(timestamp)}>{dayName(timestamp)}</time>
    </div>
  )
}

function Unread() {
  return (
    <div className={styles.unread} data-unread role="presentation">
      <span>{t.chat.newMessages}</span>
    </div>
  )
}

const dayMs = 86_400_000
const dayFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

function dayName(timestamp: string): string {
  const now = Date.now()
  const day = dayKey(timestamp)
  if (day === dayKey(new Date(now).toISOString())) return t.chat.today
  if (day === dayKey(new Date(now - dayMs).toISOString())) return t.chat.yesterday
  return now - Date.parse(timestamp) < 300 * dayMs
    ? dayFormat.format(new Date(timestamp))
    : formatDate(timestamp)
}
