import { dayLength } from '../../../kernel/time/times.ts'
import { eventFields, reminderLeads } from '../ical/event-fields.ts'
import {
  eventStartOf,
  nominalLength,
  type CalendarObject,
  type Component,
  type NominalDuration,
} from '../ical/objects.ts'
import { expand } from '../ical/occurrences.ts'
import { daysLater, wallSpanOf, type Occurrence } from '../ical/wall-spans.ts'
import type { Zone } from '../ical/zones.ts'

/** Notice before the start for events without reminders of their own. */
const defaultNotice: NominalDuration = { days: 0, exact: 10 * 60_000 }

/** Search windows for the next reminder, in days: usually it is near. */
const searchWindowsInDays = [3, 60, 800]
const maxLeadMs = 40 * dayLength

export interface DueReminder {
  occurrence: Occurrence
  /** Whether its owner requested a reminder; otherwise it is only an event for subscribers. */
  isRequested: boolean
}

interface Reader {
  zone: string
  ownAddresses: ReadonlySet<string>
}

/** The next moment after another at which an upcoming start is announced. */
export function nextReminder(
  object: CalendarObject,
  reader: Reader,
  after: number,
): number | undefined {
  const notices = noticesByComponent(object, reader)
  const leads = [...notices.values()].flatMap((notice) => notice.leads)
  if (leads.length === 0) return undefined
  const lead = Math.max(...leads.map(nominalLength)) + dayLength // clock changes can make a day longer
  for (const days of searchWindowsInDays) {
    const next = expand(object, after, after + days * dayLength + lead, reader.zone)
      .occurrences.flatMap((occurrence) => reminderTimesOf(occurrence, notices))
      .filter((at) => at > after)
    if (next.length > 0) return Math.min(...next)
  }
  return undefined
}

/** Occurrences that have a reminder at this moment. */
export function dueAt(object: CalendarObject, reader: Reader, at: number): DueReminder[] {
  const notices = noticesByComponent(object, reader)
  const dueOccurrences = expand(object, at, at + maxLeadMs, reader.zone).occurrences.filter(
    (occurrence) => reminderTimesOf(occurrence, notices).includes(at),
  )
  return dueOccurrences.map((occurrence) => ({
    occurrence,
    isRequested: notices.get(occurrence.component)!.isRequested,
  }))
}

/** Lead times of the reminders of an event. */
interface Notice {
  leads: NominalDuration[]
  zone: Zone
  isRequested: boolean
}

function noticesByComponent(
  object: CalendarObject,
  { ownAddresses, zone }: Reader,
): Map<Component, Notice> {
  const { master, exceptions } = object
  const all = master ? [master, ...exceptions] : exceptions
  return new Map(
    all.map((component) => {
      const { status, my_response } = eventFields(component, ownAddresses)
      const reminders = reminderLeads(component)
      const hasNoReminders = status === 'cancelled' || my_response === 'declined'
      const defaults = eventStartOf(component).isDay ? [] : [defaultNotice]
      const notices = reminders.length > 0 ? reminders : defaults
      return [
        component,
        {
          leads: hasNoReminders ? [] : notices,
          zone: wallSpanOf(object, component, zone).zone,
          isRequested: reminders.length > 0,
        },
      ]
    }),
  )
}

function reminderTimesOf(
  { component, starts_at }: Occurrence,
  notices: Map<Component, Notice>,
): number[] {
  const { leads, zone } = notices.get(component)!
  return leads.map(({ days, exact }) => {
    const from = days === 0 ? starts_at : zone.instant(daysLater(zone.wall(starts_at), -days))
    return from - exact
  })
}
