import type { CSSProperties, ReactNode } from 'react'
import styles from './work.module.css'

export type StatusCategory = 'triage' | 'backlog' | 'todo' | 'in_progress' | 'done' | 'cancelled'
export type Priority = 'urgent' | 'high' | 'medium' | 'low' | 'none'

/** Status of a task, as a shape; the colour only repeats it. */
export function StatusIcon({ category, size = 14 }: { category: StatusCategory; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      className={styles.status}
      data-category={category}
      aria-hidden
    >
      {shapes[category]}
    </svg>
  )
}

const ring = <circle cx="7" cy="7" r="5.6" stroke="currentColor" strokeWidth="1.5" />
const dashedRing = (
  <circle
    cx="7"
    cy="7"
    r="5.6"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeDasharray="1.8 1.72"
  />
)

const shapes: Readonly<Record<StatusCategory, ReactNode>> = {
  triage: (
    <>
      {dashedRing}
      <circle cx="7" cy="7" r="1.8" fill="currentColor" />
    </>
  ),
  backlog: dashedRing,
  todo: ring,
  in_progress: (
    <>
      {ring}
      <path d="M7 3.6a3.4 3.4 0 0 1 0 6.8z" fill="currentColor" />
    </>
  ),
  done: (
    <>
      <circle cx="7" cy="7" r="6.35" fill="currentColor" />
      <path
        d="m4.3 7.2 1.9 1.9 3.5-3.9"
        stroke="var(--bg)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  cancelled: (
    <>
      <circle cx="7" cy="7" r="6.35" fill="currentColor" />
      <path d="m5 5 4 4m0-4-4 4" stroke="var(--bg)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
}

const filledBars: Readonly<Record<Exclude<Priority, 'urgent' | 'none'>, number>> = {
  low: 1,
  medium: 2,
  high: 3,
}

/** Priority as bars. */
export function PriorityIcon({ priority, size = 14 }: { priority: Priority; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      className={styles.priority}
      data-priority={priority}
      aria-hidden
    >
      {drawPriority(priority)}
    </svg>
  )
}

function drawPriority(priority: Priority) {
  if (priority === 'none')
    return <path d="M2 6.25h2.4v1.5H2zm3.8 0h2.4v1.5H5.8zm3.8 0H12v1.5H9.6z" />
  if (priority === 'urgent')
    return (
      <path
        fillRule="evenodd"
        d="M3 1h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2m3.2 2.4.2 4.4h1.2l.2-4.4zM7 9a.9.9 0 1 0 0 1.8A.9.9 0 0 0 7 9"
      />
    )
  const filledCount = filledBars[priority]
  return [1, 2, 3].map((bar) => (
    <rect
      key={bar}
      x={1.5 + (bar - 1) * 4}
      y={11.5 - bar * 3}
      width="3"
      height={bar * 3}
      rx="0.8"
      opacity={bar <= filledCount ? 1 : 0.28}
    />
  ))
}

/** A dot in the colour of a label, beside its name. */
export function Dot({ color }: { color: string }) {
  return <span className={styles.dot} style={{ '--dot': color } as CSSProperties} aria-hidden />
}
