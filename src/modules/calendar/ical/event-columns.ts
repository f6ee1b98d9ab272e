import type { NewRow } from '../../../records/row-changes.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { eventFields } from './event-fields.ts'
import { readObject, propertyText, Unreadable, type CalendarObject } from './objects.ts'
import { expand, isRepeating, isSeries } from './occurrences.ts'
import { followingChanges } from './following-changes.ts'
import { ruleText, scaleOf, untilOf } from './recurrence-rules.ts'
import { instantsOf, maxSpanLength, wallSpanOf } from './wall-spans.ts'
import { nextReminder } from '../events/reminders.ts'

/** Context for reading an iCalendar text. */
export interface ReadingContext {
  /** The calendar's default zone. */
  zone: string
  /** Owner's addresses, lower case. */
  ownAddresses: ReadonlySet<string>
  now: number
  /** Reminders after this moment are planned, so that a due one not yet sent stays due; default: now. */
  remindAfter?: number | undefined
}

/** Columns of an event derived from its text. */
export type EventColumns = Pick<
  NewRow<'events'>,
  | 'uid'
  | 'title'
  | 'starts_at'
  | 'ends_at'
  | 'timezone'
  | 'all_day'
  | 'attendees_json'
  | 'is_series'
  | 'kind'
  | 'status'
  | 'busy'
  | 'reminders_json'
  | 'sequence'
  | 'raw_ics'
> &
  Required<
    Pick<
      NewRow<'events'>,
      | 'ends_by'
      | 'location'
      | 'video_url'
      | 'description'
      | 'organizer_json'
      | 'rrule'
      | 'my_response'
      | 'remind_at'
      | 'unreadable'
    >
  >

/** Rules with COUNT are expanded to their end up to this duration. */
const maxCountedMs = 100 * 366 * dayLength
const maxCountedOccurrences = 5000

/**
 * Parses a text into its event's columns. An unreadable text gets columns, too, with the reason; it then has no
 * time and the given `uid`.
 */
export function eventColumns(text: string, reader: ReadingContext, uid: string): EventColumns {
  try {
    return columnsOfObject(readObject(text), text, reader)
  } catch (error) {
    return unreadable(
      text,
      uid,
      error instanceof Unreadable
        ? error.message
        : `it could not be read completely: ${String((error as Error).message).slice(0, 200)}`,
    )
  }
}

/** The same for a parsed object. @throws Unreadable */
export function columnsOfObject(
  object: CalendarObject,
  text: string,
  reader: ReadingContext,
): EventColumns {
  const mainComponent = object.master ?? object.exceptions[0]!
  const fields = eventFields(mainComponent, reader.ownAddresses)
  const span = wallSpanOf(object, mainComponent, reader.zone)
  const first = expand(
    { ...object, master: object.master ?? mainComponent, exceptions: [] },
    span.zone.instant(span.wall) - 1,
    span.zone.instant(span.wall) + 1,
    reader.zone,
    1,
  ).occurrences[0]
  const starts_at = span.zone.instant(span.wall)
  return {
    uid: object.uid.slice(0, 1000),
    title: fields.title,
    starts_at,
    ends_at: first?.starts_at === starts_at ? first.ends_at : instantsOf(span, span.wall).ends_at,
    ends_by: lastEndOf(object, reader.zone),
    timezone: span.zone.name,
    all_day: span.isDay ? 1 : 0,
    location: fields.location,
    video_url: fields.video_url,
    description: fields.description,
    organizer_json: fields.organizer && JSON.stringify(fields.organizer),
    attendees_json: JSON.stringify(fields.attendees),
    rrule: object.master?.getAllProperties('rrule').map(ruleText)[0] ?? null,
    is_series: isSeries(object) ? 1 : 0,
    kind: fields.kind,
    status: fields.status,
    busy: fields.busy ? 1 : 0,
    my_response: fields.my_response,
    reminders_json: JSON.stringify(fields.reminders),
    remind_at: nextReminder(object, reader, reader.remindAfter ?? reader.now) ?? null,
    sequence: Math.min(
      Number.parseInt(propertyText(mainComponent, 'sequence') ?? '0', 10) || 0,
      2 ** 31 - 1,
    ),
    raw_ics: text,
    unreadable: null,
  }
}

function unreadable(text: string, uid: string, why: string): EventColumns {
  const nothing = {
    location: null,
    video_url: null,
    description: null,
    organizer_json: null,
    rrule: null,
    my_response: null,
    remind_at: null,
  } as const
  return {
    ...nothing,
    uid,
    title: 'Unreadable event',
    starts_at: 0,
    ends_at: 0,
    ends_by: 0,
    timezone: 'UTC',
    all_day: 0,
    attendees_json: '[]',
    is_series: 0,
    kind: 'default',
    status: 'confirmed',
    busy: 0,
    reminders_json: '[]',
    sequence: 0,
    raw_ics: text,
    unreadable: why,
  }
}

/** The end of the last occurrence; null if there is none, or it cannot be determined. */
function lastEndOf(object: CalendarObject, zone: string): number | null {
  const { master } = object
  const others = expand(
    { ...object, master: undefined },
    -Infinity,
    Infinity,
    zone,
  ).occurrences.map((occurrence) => occurrence.ends_at)
  if (!master) return Math.max(...others, 0)
  const span = wallSpanOf(object, master, zone)
  const start = span.zone.instant(span.wall)
  const reach = Math.max(0, ...followingChanges(object, span, zone).map((change) => change.reach))
  const length = maxSpanLength(span, span.isDay) + (span.isDay ? dayLength : 0) + reach
  if (!isRepeating(master)) return Math.max(start + length, ...others)
  const rules = master.getAllProperties('rrule').map(ruleText)
  const limits = rules.map((rule) => untilOf(rule, span))
  if (limits.every((limit) => limit !== undefined)) {
    const dates = master.hasProperty('rdate')
      ? expand(object, -Infinity, Infinity, zone).occurrences.map(
          (occurrence) => occurrence.ends_at,
        )
      : []
    return Math.max(
      start + length,
      ...limits.map((limit) => span.zone.instant(limit!) + length),
      ...dates,
      ...others,
    )
  }
  if (
    !rules.every(
      (rule, i) =>
        limits[i] !== undefined || rule.includes('COUNT=') || scaleOf(rule) !== undefined,
    )
  )
    return null
  const all = expand(object, start - dayLength, start + maxCountedMs, zone, maxCountedOccurrences)
  return all.isComplete
    ? Math.max(start + length, ...all.occurrences.map((occurrence) => occurrence.ends_at))
    : null
}
