import { momentsOf, type Component } from './objects.ts'
import { addZone } from './vtimezones.ts'
import { fileZoneName, ianaNameOf } from './zones.ts'

// X-WR-TIMEZONE: a file's default zone.

/** Time properties of an event. */
const timeProperties = ['dtstart', 'dtend', 'recurrence-id', 'exdate', 'rdate']

/**
 * Writes a calendar's default zone to its events' times without one, so that they keep their meaning in another
 * calendar.
 */
export function pinFloatingTimes(root: Component): void {
  const fileZone = fileZoneName(root)
  if (fileZone === undefined) return
  let first: string | undefined
  for (const event of root.getAllSubcomponents('vevent')) {
    for (const property of timeProperties.flatMap((name) => event.getAllProperties(name))) {
      const floating = momentsOf(property).filter(
        (when) => !when.isDay && !when.isUtc && !when.tzid,
      )
      if (floating.length === 0) continue
      property.setParameter('tzid', fileZone.tzid)
      first ??= floating[0]!.wall
    }
  }
  root.removeAllProperties('x-wr-timezone')
  if (first !== undefined && !fileZone.isDefinedInFile)
    addZone(root, fileZone.tzid, Date.parse(`${first}Z`))
}

/** The default zones named by a file, and unknown zone names. */
export function fileZonesIn(text: string): { known: string[]; unknown: string[] } {
  const names = new Set<string>()
  for (const [, name] of text.matchAll(/^X-WR-TIMEZONE(?:;[^:\r\n]*)?:(.*)$/gim))
    if (name?.trim()) names.add(name.trim().slice(0, 200))
  const definedZones = new Set(
    [...text.matchAll(/^TZID:(.*)$/gim)].map((match) => match[1]?.trim()),
  )
  const isKnown = (name: string) => definedZones.has(name) || ianaNameOf(name) !== undefined
  return {
    known: [...names].filter(isKnown).map((name) => ianaNameOf(name) ?? name),
    unknown: [...names].filter((name) => !isKnown(name)),
  }
}
