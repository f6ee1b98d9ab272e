// Wall-clock times as text, 2026-11-25T09:00: the format that a calendar displays and changes. A zone turns it into a
// moment.

const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached) return cached
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  formats.set(zone, format)
  return format
}

/** Local time in a zone at a moment. */
export function wallOf(instant: number, zone: string): string {
  return formatOf(zone).format(instant).replace(' ', 'T')
}

const parseAsUtc = (wall: string) => Date.parse(`${wall}Z`)

/** The moment of a wall-clock time; the first one if ambiguous, and shifted by the clock change if skipped. */
export function instantOf(wall: string, zone: string): number {
  const local = parseAsUtc(wall)
  const utcOffsetMs = (instant: number) => parseAsUtc(wallOf(instant, zone)) - instant
  const dayMs = 1440 * minuteMs
  const [offsetBefore, offsetAfter] = [utcOffsetMs(local - dayMs), utcOffsetMs(local + dayMs)]
  return (
    [local - offsetBefore, local - offsetAfter].find(
      (instant) => utcOffsetMs(instant) === local - instant,
    ) ?? local - offsetBefore
  )
}

/** Minutes since midnight. */
export const minuteOf = (wall: string): number =>
  Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))

/** Minute 1440 of a day is midnight of the next one. */
export function wallAt(day: string, minute: number): string {
  return addMinutes(`${day}T00:00`, minute)
}

/** In wall-clock time: a day always has 1440 minutes. */
export function addMinutes(wall: string, minutes: number): string {
  return new Date(parseAsUtc(wall) + minutes * minuteMs).toISOString().slice(0, 16)
}

/** Difference in minutes, in wall-clock time. */
export function minutesBetween(from: string, to: string): number {
  return Math.round((parseAsUtc(to) - parseAsUtc(from)) / minuteMs)
}

/** All zones of the browser, plus this one. */
export function zonesWith(zone: string): string[] {
  const all = Intl.supportedValuesOf('timeZone')
  return all.includes(zone) ? all : [zone, ...all]
}

/** `America/New_York` in readable form. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')
