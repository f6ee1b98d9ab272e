import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'

const shownKey = 'workspace.calendar-tasks'

interface TaskPanelOptions {
  /** The view shows hours, and there is space beside them. */
  hasHours: boolean
  /** Closes the event shown in its place. */
  closeEvent: (() => void) | undefined
}

/** Whether the tasks to plan are shown beside the hours; stored in this browser. */
export function useTaskPanel({ hasHours, closeEvent }: TaskPanelOptions) {
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const [choice, setChoice] = useState(() => localStorage.getItem(shownKey))
  const [takesFocus, setTakesFocus] = useState(false)
  const choose = (newChoice: 'on' | 'off') => {
    localStorage.setItem(shownKey, newChoice)
    setTakesFocus(newChoice === 'on')
    setChoice(newChoice)
  }
  const isChosen = choice === null ? isWide : choice === 'on'
  const show = () => {
    closeEvent?.()
    choose('on')
  }
  const isShown = hasHours && closeEvent === undefined && isChosen
  useCommands({ 'calendar.tasks': hasHours && !isShown ? show : undefined })
  return {
    isShown,
    takesFocus,
    onFocused: () => setTakesFocus(false),
    close: () => choose('off'),
  }
}

/** True if the panel has the focus: it then handles movement keys. */
export const isInTaskPanel = (): boolean =>
  Boolean(document.activeElement?.closest('[data-task-panel]'))
