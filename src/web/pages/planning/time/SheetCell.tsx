import { useState, type KeyboardEvent } from 'react'
import { useMe } from '../../../session/session.ts'
import styles from './time.module.css'
import { shownMinutes, typedMinutes } from './durations.ts'
import { setCell } from './entry-writes.ts'
import { minutesOf, type EntryRow, type SheetLine } from './sheet.ts'

interface SheetCellProps {
  line: SheetLine
  day: string
  label: string
  entries: readonly EntryRow[]
  place: { row: number; column: number }
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

const isForBrowser = (event: KeyboardEvent) =>
  event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey

const cellAt = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)

/**
 * The time of a line on a day, entered as 1:30 or 1.5; leaving the cell saves it, Escape reverts it and then leaves.
 */
export function SheetCell({ line, day, label, entries, place }: SheetCellProps) {
  const me = useMe()
  const saved = minutesOf(entries)
  const [typed, setTyped] = useState<string>()
  const minutes = typed === undefined ? saved : typedMinutes(typed)
  const save = () => {
    if (typed === undefined || minutes === undefined) return
    setTyped(undefined)
    if (minutes !== saved) setCell({ line, day, entries, minutes, me })
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isForBrowser(event)) return
    if (event.key === 'Escape')
      return typed === undefined ? event.currentTarget.blur() : setTyped(undefined)
    const step = steps[event.key] ?? (typed === undefined ? sideSteps[event.key] : undefined)
    if (!step) return
    event.preventDefault()
    const next = cellAt(place.row + step[0], place.column + step[1])
    if (next)
      next.focus() // leaving this one saves it, once
    else save()
  }
  const notes = entries.flatMap((entry) => entry.note ?? []).join('\n')
  return (
    <input
      className={styles.cell}
      data-cell={`${place.row} ${place.column}`}
      data-day={day}
      value={typed ?? shownMinutes(saved)}
      title={notes === '' ? undefined : notes}
      aria-label={label}
      aria-invalid={minutes === undefined}
      inputMode="text"
      autoComplete="off"
      maxLength={8}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={save}
      onKeyDown={pressed}
    />
  )
}
