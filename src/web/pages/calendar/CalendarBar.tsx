import { VisuallyHidden } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { runCommand } from '../../keys/commands.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import frame from '../inbox/inbox.module.css'
import styles from './calendar.module.css'
import { EventConflicts } from './EventConflicts.tsx'
import { spans, spanTitle, type Span } from './data/spans.ts'
import { calendarTexts as t } from './texts.ts'

interface CalendarBarProps {
  span: Span
  cursorDay: string
  today: string
  count: number
  go: (change: { span: Span }) => void
  children?: ReactNode
}

/** Title of the visible period, and navigation to other periods and views. */
export function CalendarBar({ span, cursorDay, today, count, go, children }: CalendarBarProps) {
  return (
    <header className={styles.bar}>
      <h1>{spanTitle(span, cursorDay)}</h1>
      <div className={styles.steps}>
        <button
          type="button"
          className={frame.tool}
          aria-label={t.calendar.previous}
          title={tooltipOf('period.previous')}
          onClick={() => runCommand('period.previous')}
        >
          <IconChevronLeft size={16} aria-hidden />
        </button>
        <button
          type="button"
          className={frame.tool}
          aria-label={t.calendar.next}
          title={tooltipOf('period.next')}
          onClick={() => runCommand('period.next')}
        >
          <IconChevronRight size={16} aria-hidden />
        </button>
        <button
          type="button"
          className={frame.tab}
          aria-current={cursorDay === today ? 'date' : undefined}
          title={tooltipOf('timeline.today')}
          onClick={() => runCommand('timeline.today')}
        >
          {t.calendar.today}
        </button>
      </div>
      {children}
      <EventConflicts span={span} day={cursorDay} />
      <nav className={styles.views} aria-label={t.calendar.which}>
        {spans.map((name) => (
          <button
            key={name}
            type="button"
            className={frame.tab}
            aria-current={name === span || undefined}
            title={tooltipOf(`calendar.${name}`)}
            onClick={() => go({ span: name })}
          >
            {t.calendar.spans[name]}
          </button>
        ))}
      </nav>
      <button type="button" className={styles.create} onClick={() => runCommand('calendar.create')}>
        <IconPlus size={14} aria-hidden />
        {t.calendar.create}
      </button>
      <VisuallyHidden role="status">{t.calendar.count(count)}</VisuallyHidden>
    </header>
  )
}
