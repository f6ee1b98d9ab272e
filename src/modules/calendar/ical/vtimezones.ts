import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { basicFormat, newComponent, type Component } from './objects.ts'

// RFC 5545 requires the rules of each zone that is used. Most programs use only its name; the rules are for the others.

/** Years examined to find the rule of a clock change. */
const years = 8
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

interface Change {
  /** Wall-clock time at the previous offset. */
  wall: Temporal.PlainDateTime
  before: string
  after: string
}

/** Adds a missing zone to a calendar, with its rules from a moment on. */
export function addZone(root: Component, name: string, from: number): void {
  if (
    root
      .getAllSubcomponents('vtimezone')
      .some((component) => component.getFirstPropertyValue('tzid') === name)
  )
    return
  const zone = newComponent('vtimezone')
  zone.addPropertyWithValue('tzid', name)
  for (const component of observances(name, from)) zone.addSubcomponent(component)
  const events = root.getAllSubcomponents('vevent')
  for (const event of events) root.removeSubcomponent(event)
  root.addSubcomponent(zone)
  for (const event of events) root.addSubcomponent(event)
}

function observances(name: string, from: number): Component[] {
  const start = Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO(name)
    .with({ month: 1, day: 1 })
    .subtract({ years: 1 })
    .startOfDay()
  const changes = offsetTransitions(start)
  const first = observance('STANDARD', start.toPlainDateTime(), start.offset, start.offset)
  const kinds = Map.groupBy(changes, (change) => `${change.before} ${change.after}`)
  return [first, ...[...kinds.values()].flatMap((sameChanges) => yearlyOrSingle(sameChanges))]
}

function offsetTransitions(start: Temporal.ZonedDateTime): Change[] {
  const changes: Change[] = []
  const end = start.add({ years })
  for (
    let at = start.getTimeZoneTransition('next');
    at && Temporal.ZonedDateTime.compare(at, end) < 0;
    at = at.getTimeZoneTransition('next')
  ) {
    const before = at.subtract({ nanoseconds: 1 })
    changes.push({
      wall: before.toPlainDateTime().round({ smallestUnit: 'second' }),
      before: before.offset,
      after: at.offset,
    })
  }
  return changes
}

/** Changes of one kind as a yearly rule if all match it, otherwise individually. */
function yearlyOrSingle(changes: readonly Change[]): Component[] {
  const [first] = changes as [Change]
  const name = offsetMinutes(first.after) > offsetMinutes(first.before) ? 'DAYLIGHT' : 'STANDARD'
  const rule =
    changes.length >= years - 1 ? yearlyRuleOf(changes.map((change) => change.wall)) : undefined
  const component = observance(name, first.wall, first.before, first.after)
  if (rule !== undefined) component.addProperty(ICAL.Property.fromString(`RRULE:${rule}`))
  return rule === undefined
    ? changes.map((change) => observance(name, change.wall, change.before, change.after))
    : [component]
}

function yearlyRuleOf(walls: readonly Temporal.PlainDateTime[]): string | undefined {
  const [first] = walls as [Temporal.PlainDateTime]
  const isSameTime = walls.every(
    (wall) =>
      wall.month === first.month &&
      wall.dayOfWeek === first.dayOfWeek &&
      wall.toPlainTime().equals(first.toPlainTime()),
  )
  if (!isSameTime) return undefined
  const nth = (wall: Temporal.PlainDateTime) => Math.ceil(wall.day / 7)
  const day = weekdays[first.dayOfWeek - 1]
  const ruleOn = (week: number) => `FREQ=YEARLY;BYMONTH=${first.month};BYDAY=${week}${day}`
  if (walls.every((wall) => wall.day + 7 > wall.daysInMonth)) return ruleOn(-1)
  return walls.every((wall) => nth(wall) === nth(first)) ? ruleOn(nth(first)) : undefined
}

function observance(
  name: string,
  wall: Temporal.PlainDateTime,
  before: string,
  after: string,
): Component {
  const text = [
    `BEGIN:${name}`,
    `DTSTART:${basicFormat(wall.toString({ smallestUnit: 'second' }))}`,
    `TZOFFSETFROM:${before.replace(':', '')}`,
    `TZOFFSETTO:${after.replace(':', '')}`,
    `END:${name}`,
  ].join('\r\n')
  return new ICAL.Component(ICAL.parse(text))
}

function offsetMinutes(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})/.exec(text)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
