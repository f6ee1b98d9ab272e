import { useRef, useState, type PointerEvent, type RefObject } from 'react'
import { shiftedTime, timeOf, type EventRow, type EventTime } from '../data/events.ts'
import { shift } from '../event/actions.ts'

/** Times move in steps of this many minutes. */
const stepMinutes = 15
/** Distance up to which a movement counts as a click, in pixels. */
const maxClickPx = 4

/** Event being dragged, as it would be after the drop. */
export interface DraggedEvent {
  row: EventRow
  time: EventTime
}

/** The dragged part of an event: an edge resizes it. */
export type EventPart = 'whole' | 'start' | 'end'

interface Grab {
  row: EventRow
  part: EventPart
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
  const [dragged, setDragged] = useState<DraggedEvent>()
  const hasMoved = useRef(false)
  const grab = (event: PointerEvent, row: EventRow, part: EventPart) => {
    const width = columns.current?.getBoundingClientRect().width
    hasMoved.current = false
    if (event.button !== 0 || event.pointerType === 'touch' || width === undefined) return
    event.stopPropagation()
    const start = { row, part, x: event.clientX, y: event.clientY }
    trackDrag({ ...start, dayWidth: width / dayCount, hourHeight }, { hasMoved, setDragged })
  }
  /** True if the click at the end of a drag must be ignored. */
  const wasDrag = () => hasMoved.current
  return { dragged, grab, wasDrag }
}

interface DragHandlers {
  hasMoved: RefObject<boolean>
  setDragged: (dragged: DraggedEvent | undefined) => void
}

function trackDrag(grab: Grab, { hasMoved, setDragged }: DragHandlers): void {
  const controller = new AbortController()
  const { signal } = controller
  let change: ReturnType<typeof shiftOf> | undefined
  const stop = () => {
    controller.abort()
    setDragged(undefined)
  }
  window.addEventListener(
    'pointermove',
    (event) => {
      const distancePx = Math.hypot(event.clientX - grab.x, event.clientY - grab.y)
      if (!hasMoved.current && distancePx < maxClickPx) return
      hasMoved.current = true
      change = shiftOf(grab, event)
      const time = shiftedTime(timeOf(grab.row), change) ?? timeOf(grab.row)
      setDragged({ row: grab.row, time })
    },
    { signal },
  )
  window.addEventListener(
    'pointerup',
    () => {
      stop()
      if (change) void shift(grab.row, change)
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
  { row, part, x, y, dayWidth, hourHeight }: Grab,
  pointer: { clientX: number; clientY: number },
) {
  const days = Math.round((pointer.clientX - x) / dayWidth)
  const steps = Math.round(((pointer.clientY - y) / hourHeight) * (60 / stepMinutes))
  const minutes = row.all_day ? 0 : steps * stepMinutes
  if (part === 'start') return { startMinutes: minutes }
  return part === 'end' ? { endMinutes: minutes } : { days, minutes }
}
