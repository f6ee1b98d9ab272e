import { useState, type PointerEvent } from 'react'

const slotMinutes = 30

interface DrawnRange {
  day: string
  from: number
  until: number
}

/** Creates an event by dragging over the hours of a day, or by a double click. */
export function useDraw(day: string, hourHeight: number, create: (drawn: DrawnRange) => void) {
  const [drawn, setDrawn] = useState<DrawnRange>()
  const minuteAt = (event: PointerEvent) => {
    const top = event.currentTarget.getBoundingClientRect().top
    return ((event.clientY - top) / hourHeight) * 60
  }
  const slotStart = (minute: number) => Math.floor(minute / slotMinutes) * slotMinutes
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch') return
      const isFree = event.target === event.currentTarget
      if (!isFree) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const from = slotStart(minuteAt(event))
      setDrawn({ day, from, until: from })
    },
    onPointerMove: (event: PointerEvent) => {
      if (!drawn) return
      const until = slotStart(minuteAt(event)) + slotMinutes
      setDrawn({ ...drawn, until: Math.min(1440, Math.max(drawn.from, until)) })
    },
    onPointerUp: () => {
      setDrawn(undefined)
      if (drawn && drawn.until - drawn.from >= 2 * slotMinutes) create(drawn)
    },
    onPointerCancel: () => setDrawn(undefined),
    onDoubleClick: (event: { clientY: number; target: unknown; currentTarget: Element }) => {
      if (event.target !== event.currentTarget) return
      const top = event.currentTarget.getBoundingClientRect().top
      const from = slotStart(((event.clientY - top) / hourHeight) * 60)
      create({ day, from, until: Math.min(1440, from + 60) })
    },
  }
  return { drawn: drawn && drawn.until > drawn.from ? drawn : undefined, on: handlers }
}
