import { useState, type DragEvent } from 'react'
import { minutesFor, type PlannableTask } from './plannable.ts'

const dragType = 'text/x-workspace-task-to-plan'
const stepMinutes = 15
/** Task being dragged: the transfer cannot be read before the drop. */
let draggedTask: PlannableTask | undefined

/** Starts dragging a task to plan it. */
export function dragTask(task: PlannableTask, transfer: DataTransfer): void {
  draggedTask = task
  transfer.setData(dragType, task.id)
  transfer.effectAllowed = 'copy'
}

interface Slot {
  from: number
  until: number
}

/** Accepts a task dropped on the hours of a day; `slot` is its target, in minutes of the day. */
export function useTaskDrop(hourHeight: number, plan: (task: PlannableTask, slot: Slot) => void) {
  const [slot, setSlot] = useState<Slot>()
  const slotAt = (event: DragEvent, task: PlannableTask): Slot => {
    const top = event.currentTarget.getBoundingClientRect().top
    const minute = ((event.clientY - top) / hourHeight) * 60
    const from = Math.max(0, Math.floor(minute / stepMinutes) * stepMinutes)
    return { from, until: from + minutesFor(task) }
  }
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!draggedTask || !event.dataTransfer.types.includes(dragType)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      const next = slotAt(event, draggedTask)
      setSlot((previous) => (previous?.from === next.from ? previous : next))
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setSlot(undefined)
    },
    onDrop: (event: DragEvent) => {
      setSlot(undefined)
      if (!draggedTask || !event.dataTransfer.types.includes(dragType)) return
      event.preventDefault()
      plan(draggedTask, slotAt(event, draggedTask))
      draggedTask = undefined
    },
  }
  return { slot: slot && { ...slot, until: Math.min(1440, slot.until) }, on: handlers }
}
