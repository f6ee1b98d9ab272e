import { memo } from 'react'
import { t } from '../../../texts/index.ts'
import { date } from '../../../ui/times.tsx'
import { dayKey, type MessageLine } from './lines.ts'
import styles from './list.module.css'
import { MessageRow } from '../message/MessageRow.tsx'

interface LinesProps {
  lines: readonly MessageLine[]
  current: string | undefined
  marked: string | undefined
  isInThread?: boolean
}

/** Messages, with day separators and the line above new ones. */
export const Lines = memo(function Lines({ lines, current, marked, isInThread }: LinesProps) {
  const last = lines.findLast((line) => line.kind === 'message')?.key
  const focusable = lines.some((line) => line.key === current) ? current : last
  return lines.map((line, n) => {
    if (line.kind === 'day') return <Day key={line.key} at={line.at} />
    if (line.kind === 'unread') return <Unread key={line.key} />
    return (
      <MessageRow
        key={line.key}
        id={line.key}
        isJoined={line.isJoined}
        hasTools={line.key === current}
        isFocusable={line.key === focusable}
        isMarked={line.key === marked}
        isInThread={isInThread}
        index={n + 1}
      />
    )
  })
})

function Day({ at }: { at: string }) {
  return (
    <div className={styles.day} role="presentation">
      <time dateTime={dayKey(at)}>{dayName(at)}</time>
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
const weekday = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

function dayName(at: string): string {
  const now = Date.now()
  const day = dayKey(at)
  if (day === dayKey(new Date(now).toISOString())) return t.chat.today
  if (day === dayKey(new Date(now - dayMs).toISOString())) return t.chat.yesterday
  return now - Date.parse(at) < 300 * dayMs ? weekday.format(new Date(at)) : date(at)
}
