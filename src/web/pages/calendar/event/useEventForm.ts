import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { queries } from '../../../api/queries.ts'
import type { EventRow } from '../data/events.ts'
import { useCalendars } from '../data/calendars.ts'
import { randomId } from '../../../store/index.ts'
import type { PlannableTask } from '../tasks/plannable.ts'
import { linkTask } from '../tasks/link.ts'
import { createEvent } from './actions.ts'
import type { GuestChange } from './EventForm.tsx'
import { saveEvent, type SaveResult } from './save.ts'
import {
  createInputOf,
  newValues,
  timeOfValues,
  eventValuesOf,
  type EventStart,
  type EventValues,
} from './values.ts'

interface OpenForm {
  /** Unique: the React key that resets the form each time it opens. */
  serial: number
  row: EventRow | undefined
  /** Initial values. */
  start: EventValues
  /** Shown instead of `start`: the values of a save that was refused or canceled. */
  initial?: EventValues
  hasDescription: boolean
  problem: string | undefined
}

let lastSerial = 0
const noGuests: GuestChange = { all: [], added: [], removed: [] }

interface FormOptions {
  zone: string
  now: string
  /** Shows a new event whose guests should be notified. */
  open: (id: string) => void
  /** Called when the server has assigned an id to a new event. */
  follow: (temporaryId: string, assignedId: string) => void
}

/** The event form: opened for a new or existing event, and reopened with the typed values after a refusal. */
export function useEventForm({ zone, now, open, follow }: FormOptions) {
  const [form, setForm] = useState<OpenForm>()
  const { writable } = useCalendars()
  const show = (fields: Omit<OpenForm, 'serial'>) => setForm({ serial: ++lastSerial, ...fields })
  const openNew = (start: EventStart) =>
    show({
      row: undefined,
      start: newValues(start, now, zone),
      hasDescription: true,
      problem: undefined,
    })
  const openEdit = async (row: EventRow) => {
    const fullEvent = await fetchFullEvent(row)
    show({
      row,
      start: eventValuesOf({ ...row, ...(fullEvent?.content && { content: fullEvent.content }) }),
      hasDescription: fullEvent !== undefined,
      problem: undefined,
    })
  }
  const save = async (openForm: OpenForm, values: EventValues, guests: GuestChange) => {
    setForm(undefined)
    const result = openForm.row
      ? await saveEvent({ row: openForm.row, before: openForm.start, after: values, guests })
      : await makeEvent(values, guests)
    if (result.state === 'kept') show({ ...openForm, initial: values })
    if (result.state === 'refused')
      show({ ...openForm, initial: values, problem: result.error.message })
  }
  const makeEvent = async (values: EventValues, guests: GuestChange): Promise<SaveResult> => {
    const id = `new ${randomId()}`
    const calendar = writable.find(({ id }) => id === values.calendarId) ?? writable[0]
    const result = await createEvent({
      id,
      input: createInputOf(values, guests.all),
      time: timeOfValues(values),
      zone,
      fromZone: values.zone,
      calendar: { id: calendar?.id ?? '', title: calendar?.name ?? '' },
    })
    if (result.state === 'refused') return result
    const createdEvent = result.state === 'done' ? result.value : undefined
    if (createdEvent) follow(id, createdEvent.id)
    if (createdEvent && values.kind === 'focus' && values.taskId !== '')
      await linkTask({
        eventId: createdEvent.id,
        title: createdEvent.title,
        taskId: values.taskId,
        group: id,
      })
    if (createdEvent && guests.all.length > 0 && !createdEvent.rrule) open(createdEvent.id)
    return { state: 'saved' }
  }
  /** Creates focus time for a task, without the form. */
  const plan = (task: PlannableTask, slot: { day: string; from: number }) =>
    void makeEvent(newValues({ task, ...slot }, now, zone), noGuests)
  return { form, openNew, openEdit, plan, save, close: () => setForm(undefined) }
}

/** An event with its description; undefined if it cannot be loaded now. */
async function fetchFullEvent({ id }: EventRow) {
  try {
    return await queries.fetchQuery({
      queryKey: ['call', 'get_event', { event_id: id }],
      queryFn: ({ signal }) => call('get_event', { event_id: id }, signal),
      retry: false,
    })
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
