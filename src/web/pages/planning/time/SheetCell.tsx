import { useState, type KeyboardEvent } from 'react'
import { useMe } from '../../../session/session.ts'
import styles from './time.module.css'
import { formatDuration, parseDuration } from './durations.ts'
import { setCell } from './entry-writes.ts'
import { minutesOf, type EntryRow, type SheetLine } from './sheet.ts'

interface SheetCellProps {
  line: SheetLine
  day: string
  label: string
  entries: readonly EntryRow[]
  position: { row: number; column: number }
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
}
/** Only in an empty cell: otherwise they move the cursor in the text. */
const sideSteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

const isBrowserKey = (event: KeyboardEvent) =>
  event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey

const cellAt = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)

/**
 * The time of a line on a day, entered as 1:30 or 1.5; leaving the cell saves it, Escape reverts it and then leaves.
 */
export function SheetCell({ line, day, label, entries, position }: SheetCellProps) {
  const me = useMe()
  const savedMinutes = minutesOf(entries)
  const [typedText, setTypedText] = useState<string>()
  const minutes = typedText === undefined ? savedMinutes : parseDuration(typedText)
  const save = () => {
    if (typedText === undefined || minutes === undefined) return
    setTypedText(undefined)
    if (minutes !== savedMinutes) setCell({ line, day, entries, minutes, me })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isBrowserKey(event)) return
    if (event.key === 'Escape')
      return typedText === undefined ? event.currentTarget.blur() : setTypedText(undefined)
    const step = steps[event.key] ?? (typedText === undefined ? sideSteps[event.key] : undefined)
    if (!step) return
    event.preventDefault()
    const nextCell = cellAt(position.row + step[0], position.column + step[1])
    if (nextCell)
      nextCell.focus() // the blur saves this cell, once
    else save()
  }
  const notes = entries.flatMap((entry) => entry.note ?? []).join('\n')
  return (
    <input
      className={styles.cell}
      data-cell={`${position.row} ${position.column}`}
      data-day={day}
      value={typedText ?? formatDuration(savedMinutes)}
      title={notes === '' ? undefined : notes}
      aria-label={label}
      aria-invalid={minutes === undefined}
      inputMode="text"
      autoComplete="off"
      maxLength={8}
      onChange={(event) => setTypedText(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}
