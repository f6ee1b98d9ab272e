import ICAL from 'ical.js'
import { exceptionKey } from './following-changes.ts'
import { copyOf as copy, parse, serializeCalendar } from './objects.ts'

/** Result of merging two edits of one object. */
export interface Merged {
  /** Their version, with our edits that do not conflict. */
  ics: string
  /** Descriptions of conflicting changes; in these the remote version wins. */
  overlaps: string[]
  /** Whether it contains any of our edits. */
  hasOurs: boolean
}

type Properties = Map<string, Map<string, string>>

/** Properties that belong together: changes to two parts of a group, one on each side, conflict. */
const groups: Record<string, string> = {
  dtstart: 'time',
  dtend: 'time',
  duration: 'time',
  rrule: 'time',
  valarm: 'reminders',
}
/** Lists with entries merged individually. */
const lists: Record<string, (property: ICAL.Property) => string> = {
  attendee: (property) => String(property.getFirstValue()).toLowerCase(),
  exdate: (property) =>
    JSON.stringify([property.getFirstParameter('tzid'), property.getValues().map(String)]),
  rdate: (property) =>
    JSON.stringify([property.getFirstParameter('tzid'), property.getValues().map(String)]),
  categories: (property) => JSON.stringify(property.getValues()),
  comment: (property) => JSON.stringify(property.getValues()),
  attach: (property) => JSON.stringify(property.getValues().map(String)),
}
/** Metadata of changes, which always differs and does not affect the event. */
const stamps = new Set(['dtstamp', 'last-modified', 'created', 'sequence'])
const groupLabels: Record<string, string> = {
  time: 'the time',
  summary: 'the title',
  location: 'the place',
  description: 'the description',
  status: 'the status',
  attendee: 'an attendee',
  exdate: 'which days are left out',
  rdate: 'which days are added',
  transp: 'whether it counts as busy',
}

/**
 * Merges two edits of the same object; `base` is the common original. Properties changed by one side are taken from
 * it; on a conflict, theirs wins. Exceptions of a series are merged individually.
 * @throws Unreadable
 */
export function merge(base: string, ours: string, theirs: string): Merged {
  const [original, local, result] = [base, ours, theirs].map(parse) as [
    ICAL.Component,
    ICAL.Component,
    ICAL.Component,
  ]
  const overlaps = new Set<string>()
  let hasOurs = false
  const keys = new Set([...eventsOf(local).keys(), ...eventsOf(original).keys()])
  for (const key of keys) {
    const [before, mine, other] = [
      eventsOf(original).get(key),
      eventsOf(local).get(key),
      eventsOf(result).get(key),
    ]
    if (!mine) {
      if (!before || !other) continue
      if (isSameComponent(before, other)) {
        result.removeSubcomponent(other)
        hasOurs = true
      } else overlaps.add('an occurrence that was removed here')
    } else if (!other) {
      if (before && isSameComponent(before, mine)) continue
      if (before) overlaps.add('an occurrence that was removed there')
      else {
        result.addSubcomponent(copy(mine))
        hasOurs = true
      }
    } else if (mergeEvent(before, mine, other, overlaps)) hasOurs = true
  }
  if (hasOurs) copyMissingZones(local, result)
  return {
    ics: serializeCalendar(result),
    overlaps: [...overlaps].map((overlap) => groupLabels[overlap] ?? overlap),
    hasOurs,
  }
}

/** Merges our changes of one event into theirs; returns whether there were any. */
function mergeEvent(
  base: ICAL.Component | undefined,
  mine: ICAL.Component,
  theirs: ICAL.Component,
  overlaps: Set<string>,
): boolean {
  const [was, own, other] = [
    base ? propertiesOf(base) : (new Map() as Properties),
    propertiesOf(mine),
    propertiesOf(theirs),
  ]
  const timeChangedOnOneSide = isChanged(was, own, 'time') !== isChanged(was, other, 'time')
  const datesChanged = ['exdate', 'rdate'].some(
    (name) => isChanged(was, own, name) || isChanged(was, other, name),
  )
  let hasChanges = false
  for (const group of new Set([...was.keys(), ...own.keys(), ...other.keys()])) {
    const [b, m, t] = [was, own, other].map(
      (side) => side.get(group) ?? new Map<string, string>(),
    ) as [Map<string, string>, Map<string, string>, Map<string, string>]
    for (const entry of new Set([...b.keys(), ...m.keys(), ...t.keys()])) {
      if (m.get(entry) === b.get(entry) || m.get(entry) === t.get(entry)) continue
      const isOverlap =
        t.get(entry) !== b.get(entry) ||
        (timeChangedOnOneSide && datesChanged && ['time', 'exdate', 'rdate'].includes(group))
      if (isOverlap) overlaps.add(group)
      else {
        replaceEntry(group, entry, mine, theirs)
        hasChanges = true
      }
    }
  }
  if (hasChanges) stamp(mine, theirs)
  return hasChanges
}

function isChanged(base: Properties, side: Properties, group: string): boolean {
  return (
    JSON.stringify([...(base.get(group) ?? [])]) !== JSON.stringify([...(side.get(group) ?? [])])
  )
}

/** Properties by group and entry, as text. */
function propertiesOf(event: ICAL.Component): Properties {
  const all: Properties = new Map()
  const put = (group: string, entry: string, value: string) => {
    const entries = all.get(group) ?? new Map<string, string>()
    all.set(group, entries.set(entry, (entries.get(entry) ?? '') + value))
  }
  for (const property of event.getAllProperties()) {
    if (stamps.has(property.name)) continue
    const group = groups[property.name] ?? property.name
    put(group, lists[property.name]?.(property) ?? '', JSON.stringify(property.toJSON()))
  }
  for (const part of event.getAllSubcomponents())
    put(groups[part.name] ?? part.name, '', JSON.stringify(part.toJSON()))
  return all
}

/** Replaces their entry of a group by ours. */
function replaceEntry(
  group: string,
  entry: string,
  mine: ICAL.Component,
  theirs: ICAL.Component,
): void {
  const matching = (event: ICAL.Component) =>
    event
      .getAllProperties()
      .filter(
        (property) =>
          !stamps.has(property.name) &&
          (groups[property.name] ?? property.name) === group &&
          (lists[property.name]?.(property) ?? '') === entry,
      )
  const parts = (event: ICAL.Component) =>
    event.getAllSubcomponents().filter((part) => (groups[part.name] ?? part.name) === group)
  for (const property of matching(theirs)) theirs.removeProperty(property)
  for (const property of matching(mine))
    theirs.addProperty(new ICAL.Property(structuredClone(property.toJSON())))
  for (const part of parts(theirs)) theirs.removeSubcomponent(part)
  for (const part of parts(mine)) theirs.addSubcomponent(copy(part))
}

function stamp(mine: ICAL.Component, theirs: ICAL.Component): void {
  const sequence = Math.max(
    ...[mine, theirs].map((component) => Number(component.getFirstPropertyValue('sequence') ?? 0)),
  )
  if (sequence > 0) theirs.updatePropertyWithValue('sequence', sequence)
  for (const name of ['dtstamp', 'last-modified']) {
    const ownStamp = mine.getFirstProperty(name)
    const theirStamp = theirs.getFirstPropertyValue(name)
    if (ownStamp && (!theirStamp || String(ownStamp.getFirstValue()) > String(theirStamp))) {
      theirs.removeAllProperties(name)
      theirs.addProperty(new ICAL.Property(structuredClone(ownStamp.toJSON())))
    }
  }
}

/** Copies the local time zones that the merged object refers to. */
function copyMissingZones(local: ICAL.Component, result: ICAL.Component): void {
  const zoneIds = new Set(
    result.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid')),
  )
  for (const zone of local.getAllSubcomponents('vtimezone'))
    if (!zoneIds.has(zone.getFirstPropertyValue('tzid'))) result.addSubcomponent(copy(zone))
}

/** Events of an object by RECURRENCE-ID and its RANGE; the master or a single event has neither. */
function eventsOf(object: ICAL.Component): Map<string, ICAL.Component> {
  return new Map(object.getAllSubcomponents('vevent').map((event) => [exceptionKey(event), event]))
}

function isSameComponent(a: ICAL.Component, b: ICAL.Component): boolean {
  return (
    JSON.stringify(
      [...propertiesOf(a)].map(([name, entries]) => [name, [...entries].sort()]).sort(),
    ) ===
    JSON.stringify(
      [...propertiesOf(b)].map(([name, entries]) => [name, [...entries].sort()]).sort(),
    )
  )
}

/**
 * Our version of an object that could not be merged, as a separate object: without invitations, reminders and busy
 * time.
 * @throws Unreadable
 */
export function conflictCopy(ours: string, uid: string, label: string): string {
  const object = parse(ours)
  for (const event of object.getAllSubcomponents('vevent')) {
    for (const name of ['attendee', 'organizer', 'transp', 'x-moz-lastack'])
      event.removeAllProperties(name)
    event.removeAllSubcomponents('valarm')
    event.updatePropertyWithValue('uid', uid)
    event.updatePropertyWithValue('transp', 'TRANSPARENT')
    event.updatePropertyWithValue(
      'summary',
      `${String(event.getFirstPropertyValue('summary') ?? '')} (${label})`.trim(),
    )
  }
  return serializeCalendar(object)
}
