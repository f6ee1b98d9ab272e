import { useRef, useState, type PointerEvent, type RefObject } from 'react'
import { shiftedTime, timeOf, type EventRow, type EventTime } from '../data/events.ts'
import { shift } from '../event/actions.ts'

/** Times move in steps of this many minutes. */
const stepMinutes = 15
/** Distance up to which a movement counts as a click, in pixels. */
const clickPx = 4

/** Event being dragged, as it would be after the drop. */
export interface Dragged {
  row: EventRow
  time: EventTime
}

/** The dragged part of an event: an edge resizes it. */
export type EventPart = 'whole' | 'start' | 'end'

interface Grab {
  row: EventRow
  by: EventPart
  x: number
  y: number
  dayWidth: number
  hourHeight: number
}

/** Moves and resizes events with the pointer. Touch scrolls instead. */
export function useDrag(
  columns: RefObject<HTMLElement | null>,
  hourHeight: number,
  dayCount: number,
) {
  const [dragged, setDragged] = useState<Dragged>()
  const hasMoved = useRef(false)
  const grab = (event: PointerEvent, row: EventRow, by: EventPart) => {
    const width = columns.current?.getBoundingClientRect().width
    hasMoved.current = false
    if (event.button !== 0 || event.pointerType === 'touch' || width === undefined) return
    event.stopPropagation()
    const from = { row, by, x: event.clientX, y: event.clientY }
    trackDrag({ ...from, dayWidth: width / dayCount, hourHeight }, { hasMoved, setDragged })
  }
  /** True if the click at the end of a drag must be ignored. */
  const wasDrag = () => hasMoved.current
  return { dragged, grab, wasDrag }
}

interface Following {
  hasMoved: RefObject<boolean>
  setDragged: (dragged: Dragged | undefined) => void
}

function trackDrag(grab: Grab, { hasMoved, setDragged }: Following): void {
  const end = new AbortController()
  const { signal } = end
  let by: ReturnType<typeof shiftOf> | undefined
  const stop = () => {
    end.abort()
    setDragged(undefined)
  }
  window.addEventListener(
    'pointermove',
    (event) => {
      const far = Math.hypot(event.clientX - grab.x, event.clientY - grab.y)
      if (!hasMoved.current && far < clickPx) return
      hasMoved.current = true
      by = shiftOf(grab, event)
      const time = shiftedTime(timeOf(grab.row), by) ?? timeOf(grab.row)
      setDragged({ row: grab.row, time })
    },
    { signal },
  )
  window.addEventListener(
    'pointerup',
    () => {
      stop()
      if (by) void shift(grab.row, by)
    },
    { signal },
  )
  window.addEventListener('pointercancel', stop, { signal })
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      stop()
    },
    { signal, capture: true },
  )
}

function shiftOf(
  { row, by, x, y, dayWidth, hourHeight }: Grab,
  to: { clientX: number; clientY: number },
) {
  const days = Math.round((to.clientX - x) / dayWidth)
  const steps = Math.round(((to.clientY - y) / hourHeight) * (60 / stepMinutes))
  const minutes = row.all_day ? 0 : steps * stepMinutes
  if (by === 'start') return { start: minutes }
  return by === 'end' ? { longer: minutes } : { days, minutes }
}
