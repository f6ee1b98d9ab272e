import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { findIana } from 'windows-iana'
import { isTimezone } from '../../../kernel/fields.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { Component, IcalMoment } from './objects.ts'
import { zoneOfDisplayName } from './windows-zones.ts'

/** A zone that converts between wall-clock times and instants. */
export interface Zone {
  /** IANA zone name; for a zone defined only in its file, the IANA zone that its name is mapped to. */
  readonly name: string
  instant(wall: string): number
  wall(at: number): string
}

const zoneCache = new Map<string, Zone>()

/**
 * An IANA zone. Skipped hours become those after the gap, and of repeated ones the first counts, as RFC 5545
 * specifies.
 */
export function ianaZone(name: string): Zone {
  let zone = zoneCache.get(name)
  if (!zone) {
    zone = cachedOffsetZone(name)
    if (zoneCache.size < 1000) zoneCache.set(name, zone)
  }
  return zone
}

/** A period without a clock change in a zone. */
interface OffsetPeriod {
  from: number
  until: number
  offset: number
}

/** Far from clock changes, and in these years, a cached offset is used; otherwise Temporal. */
const [cacheStart, cacheEnd] = [Date.UTC(1970, 0, 1), Date.UTC(2100, 0, 1)]
const margin = 2 * dayLength

function cachedOffsetZone(name: string): Zone {
  const times: OffsetPeriod[] = []
  const periodAt = (at: number): OffsetPeriod | undefined => {
    if (at < cacheStart || at > cacheEnd) return undefined
    let steady = times.find((time) => time.from <= at && at < time.until)
    if (!steady) times.push((steady = offsetPeriodAt(name, at)))
    return steady
  }
  return {
    name,
    instant(wall) {
      const utc = Date.parse(`${wall.slice(0, 19)}Z`)
      const time = periodAt(utc)
      if (time && utc > time.from + margin && utc < time.until - margin) return utc - time.offset
      return Temporal.PlainDateTime.from(wall).toZonedDateTime(name).epochMilliseconds
    },
    wall(at) {
      const time = periodAt(at)
      if (time) return new Date(at + time.offset).toISOString().slice(0, 19)
      return Temporal.Instant.fromEpochMilliseconds(at)
        .toZonedDateTimeISO(name)
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' })
    },
  }
}

function offsetPeriodAt(name: string, at: number): OffsetPeriod {
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name)
  const before = now.add({ milliseconds: 1 }).getTimeZoneTransition('previous') // includes a change at this very moment
  const after = now.getTimeZoneTransition('next')
  return {
    from: before?.epochMilliseconds ?? -Infinity,
    until: after?.epochMilliseconds ?? Infinity,
    offset: now.offsetNanoseconds / 1e6,
  }
}

/**
 * The zone of a TZID in its calendar: an IANA zone, also after a vendor's prefix; a Windows name; else the file's own
 * VTIMEZONE; else a Windows display text; else the fallback.
 */
export function zoneNamed(tzid: string | undefined, root: Component, fallback: string): Zone {
  if (tzid === undefined) return ianaZone(fallback)
  const name = ianaName(tzid)
  if (name !== undefined) return ianaZone(name)
  const definition = root
    .getAllSubcomponents('vtimezone')
    .find((component) => component.getFirstPropertyValue('tzid') === tzid)
  const locationName = definition?.getFirstPropertyValue('x-lic-location')
  if (typeof locationName === 'string' && isTimezone(locationName)) return ianaZone(locationName)
  return definition
    ? zoneOfDefinition(definition, fallback)
    : ianaZone(zoneOfDisplayName(tzid) ?? fallback)
}

/** Whether a TZID is known from a list or its calendar; others use the fallback. */
export function isKnownZone(tzid: string, root: Component): boolean {
  if (ianaNameOf(tzid) !== undefined) return true
  return root
    .getAllSubcomponents('vtimezone')
    .some((zone) => zone.getFirstPropertyValue('tzid') === tzid)
}

/** The zone of a moment of an object. */
export function zoneOfWhen(when: IcalMoment, root: Component, fallback: string): Zone {
  if (when.isUtc) return ianaZone('UTC')
  if (when.isDay) return ianaZone(fallback)
  return zoneNamed(when.tzid ?? fileZoneName(root)?.tzid, root, fallback)
}

/** A calendar's default zone, if known; `isDefinedInFile`: its VTIMEZONE is included. */
export function fileZoneName(
  root: Component,
): { tzid: string; isDefinedInFile: boolean } | undefined {
  const value: unknown = root.getFirstPropertyValue('x-wr-timezone')
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') return undefined
  const isDefinedInFile = root
    .getAllSubcomponents('vtimezone')
    .some((zone) => zone.getFirstPropertyValue('tzid') === text)
  const tzid = isDefinedInFile ? text : ianaNameOf(text)
  return tzid === undefined ? undefined : { tzid, isDefinedInFile }
}

/** The IANA name for a program's zone name. */
export function ianaNameOf(text: string): string | undefined {
  return ianaName(text) ?? zoneOfDisplayName(text)
}

/** The IANA name for TZID values of programs: `/mozilla.org/20050126_1/Europe/Berlin`, `W. Europe Standard Time`. */
function ianaName(tzid: string): string | undefined {
  const text = tzid.trim().replace(/^"|"$/g, '')
  if (/^(utc|gmt|z|zulu)$/i.test(text)) return 'UTC'
  if (isTimezone(text)) return text
  const parts = text.split('/')
  for (const count of [3, 2]) {
    const tail = parts.slice(-count).join('/')
    if (parts.length > count && isTimezone(tail)) return tail
  }
  return findIana(text)[0]
}

/**
 * Whether an instant is in the second pass of a repeated hour: by default, its wall-clock time means the earlier
 * instant.
 */
export function isRepeated(zone: Zone, at: number): boolean {
  return zone.instant(zone.wall(at)) !== at
}

/** A zone in which one wall-clock time means the later of its two instants. */
export function zoneWithInstant(zone: Zone, at: number): Zone {
  const wall = zone.wall(at)
  return { ...zone, instant: (text) => (text.slice(0, 19) === wall ? at : zone.instant(text)) }
}

function zoneOfDefinition(component: Component, fallback: string): Zone {
  const zone = new ICAL.Timezone(component)
  const offset = (wall: string) =>
    zone.utcOffset(ICAL.Time.fromDateTimeString(wall.slice(0, 19))) * 1000
  const utc = (wall: string) => Date.parse(`${wall.slice(0, 19)}Z`)
  const text = (at: number) => new Date(at).toISOString().slice(0, 19)
  return {
    name: fallback,
    instant: (wall) => utc(wall) - offset(wall),
    // The offset is first taken as for UTC; a second step corrects it near changes.
    wall: (at) => text(at + offset(text(at + offset(text(at))))),
  }
}
