import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { PriorityIcon } from '../../../ui/work/states.tsx'
import { Tool } from '../../inbox/Pane.tsx'
import { dueDay } from '../../tasks/data/due.ts'
import { DueChip } from '../../tasks/list/chips.tsx'
import { calendarTexts as t } from '../texts.ts'
import { useTasksToPlan } from './data.ts'
import { dragTask } from './drag.ts'
import type { PlannableTask } from './plannable.ts'
import styles from './tasks.module.css'
import { isInTaskPanel } from './useTaskPanel.ts'

interface TaskPanelProps {
  today: string
  /** True if it was opened by its command, for keyboard use. */
  takesFocus: boolean
  /** Called once it has received the focus. */
  onFocused: () => void
  plan: (task: PlannableTask) => void
  close: () => void
}

const words = t.calendar.tasks

/** The reader's tasks without planned time: drag them to an hour, or plan them in the focus time form. */
export function TaskPanel(props: TaskPanelProps) {
  const { today, takesFocus, onFocused, plan, close } = props
  const tasksQuery = useTasksToPlan(today)
  const panel = useRef<HTMLElement>(null)
  const isLoaded = tasksQuery.data !== undefined
  useEffect(() => {
    if (!takesFocus || !isLoaded) return
    focusPanel(panel.current)
    onFocused()
  }, [takesFocus, isLoaded, onFocused])
  usePanelKeys(panel, close)
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label={words.title}
      tabIndex={-1}
      data-task-panel
    >
      <header className={styles.head}>
        <h2>{words.title}</h2>
        <Tool icon={IconX} label={words.close} onClick={close} />
      </header>
      <QueryContent query={tasksQuery}>
        {(tasks) =>
          tasks.length === 0 ? (
            <p className={styles.hint}>{words.none}</p>
          ) : (
            <>
              <p className={styles.hint}>{words.hint}</p>
              <ul className={styles.list}>
                {tasks.map((task) => (
                  <li key={task.id}>
                    <button
                      type="button"
                      className={styles.task}
                      data-row
                      draggable
                      onDragStart={(event) => dragTask(task, event.dataTransfer)}
                      onClick={() => plan(task)}
                    >
                      <PriorityIcon priority={task.priority} />
                      <span className={styles.name} dir="auto">
                        {task.title}
                      </span>
                      {dueDay(task) !== undefined && <DueChip row={task} />}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryContent>
    </aside>
  )
}

const panelRowsOf = (panel: HTMLElement | null) => [
  ...(panel?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
]

/** Focuses the first task, or the panel if there is none. */
function focusPanel(panel: HTMLElement | null): void {
  const target = panelRowsOf(panel)[0] ?? panel
  target?.focus()
}

/** While the panel has the focus, keys move within it; elsewhere they belong to the calendar. */
function usePanelKeys(panel: { current: HTMLElement | null }, close: () => void): void {
  const move = (step: number) => () => {
    if (!isInTaskPanel()) return false
    const rows = panelRowsOf(panel.current)
    const index = rows.findIndex((row) => row.contains(document.activeElement))
    rows[Math.min(rows.length - 1, Math.max(0, index + step))]?.focus()
    return true
  }
  useCommands({
    'list.next': move(1),
    'list.previous': move(-1),
    'list.back': () => {
      if (!isInTaskPanel()) return false
      close()
      return true
    },
    'calendar.tasks': () => (isInTaskPanel() ? close() : focusPanel(panel.current)),
  })
}
