import { calendarAddressOf } from './event-fields.ts'
import { rangeOf } from './following-changes.ts'
import {
  type CalendarObject,
  type Component,
  durationOf,
  parseMoment,
  propertyText,
  nominalLength,
  momentsOf,
} from './objects.ts'
import { ruleText, scaleOf } from './recurrence-rules.ts'
import { isKnownZone } from './zones.ts'

/** Descriptions of properties that are stored in an object's text but not supported here. */
export function unsupportedParts({ root, master, exceptions }: CalendarObject): string[] {
  const events = master ? [master, ...exceptions] : exceptions
  const parts = events.flatMap((event) => [
    ...unreadRange(event),
    ...event.getAllProperties('rrule').flatMap((property) => unreadRule(ruleText(property))),
    ...unreadDates(event),
    ...unreadZones(event, root),
    ...event.getAllSubcomponents('valarm').flatMap(unreadAlarm),
    ...unreadPeople(event),
  ])
  return [...new Set(parts)]
}

function unreadRange(event: Component): string[] {
  const id = event.getFirstProperty('recurrence-id')
  if (!id) return []
  if (momentsOf(id).length === 0) return ['a changed occurrence whose RECURRENCE-ID cannot be read']
  const range = rangeOf(event)
  if (range === undefined || range === 'THISANDFUTURE') return []
  return [`RANGE=${range.slice(0, 40)} of a RECURRENCE-ID, which counts for one occurrence`]
}

const knownParts =
  /^(FREQ|UNTIL|COUNT|INTERVAL|WKST|RSCALE|BY(SECOND|MINUTE|HOUR|DAY|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS))$/

function unreadRule(rule: string): string[] {
  const scale = scaleOf(rule)
  if (scale !== undefined) return [`a rule that counts in the calendar ${scale} (RSCALE)`]
  return rule.split(';').flatMap((part) => {
    const [name = '', value = ''] = part.split('=')
    if (part === '' || part === 'SKIP=OMIT') return []
    if (!knownParts.test(name)) return [`${part.slice(0, 60)} of a rule (RRULE)`]
    return name === 'UNTIL' && !parseMoment(value)
      ? ['UNTIL of a rule, which is not a valid time']
      : []
  })
}

function unreadDates(event: Component): string[] {
  const unread = ['rdate', 'exdate', 'dtend'].filter((name) =>
    event
      .getAllProperties(name)
      .some((property) => momentsOf(property).length < property.toJSON().length - 3),
  )
  const duration = propertyText(event, 'duration')
  return [
    ...unread.map((name) => `times of ${name.toUpperCase()} that cannot be read`),
    ...(duration !== undefined && !durationOf(duration) ? ['a DURATION that cannot be read'] : []),
  ]
}

function unreadZones(event: Component, root: Component): string[] {
  const names = event.getAllProperties().flatMap((property) => {
    const tzid: unknown = property.getParameter('tzid')
    return typeof tzid === 'string' && !isKnownZone(tzid, root) ? [tzid] : []
  })
  return names.map((name) => `the time zone ${name.slice(0, 100)}, which is not known`)
}

function unreadAlarm(alarm: Component): string[] {
  if (propertyText(alarm, 'action')?.toUpperCase() === 'NONE') return []
  const trigger = alarm.getFirstProperty('trigger')
  const lead = durationOf(propertyText(alarm, 'trigger') ?? '')
  if (lead && nominalLength(lead) <= 0 && trigger?.getParameter('related') !== 'END') return []
  return ['reminders at a time of their own, or after the start (TRIGGER)']
}

function unreadPeople(event: Component): string[] {
  const names = ['attendee', 'organizer'].filter((name) =>
    event.getAllProperties(name).some((property) => calendarAddressOf(property) === undefined),
  )
  return names.map((name) => `${name.toUpperCase()} without an email address`)
}
