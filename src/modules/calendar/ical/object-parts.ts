import { createHash } from 'node:crypto'
import {
  copyOf,
  newComponent,
  parseAll,
  parseAny,
  setText,
  propertyText,
  type Component,
} from './objects.ts'
import { pinFloatingTimes } from './file-zones.ts'

// Whole calendar files: split into objects by UID, and assembled from them.

/** One object of a file, or the reason why it is unreadable. */
export type CalendarFilePart =
  | { uid: string; root: Component }
  | { unreadable: string; title: string | undefined }

/** A component of a file other than events and zones. */
export interface OtherComponent {
  /** `VTODO`, `VJOURNAL` … */
  name: string
  title: string | undefined
}

/** To-dos, journal entries and the like in a file, which calendars do not store. */
export function othersIn(text: string): OtherComponent[] {
  const others: OtherComponent[] = []
  /** Components around a line, outermost first; undefined for those that are kept. */
  const around: (OtherComponent | undefined)[] = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    const edge = /^(BEGIN|END):([\w-]{1,50})[ \t]*$/i.exec(line)
    const inside = around.at(-1)
    if (!edge) {
      if (inside) inside.title ??= titleIn(line)
      continue
    }
    if (edge[1]?.toUpperCase() === 'END') {
      around.pop()
      continue
    }
    const name = edge[2]?.toUpperCase() ?? ''
    const isOther = around.length === 1 && !/^(VEVENT|VTIMEZONE)$/.test(name)
    const other = isOther ? { name, title: undefined } : undefined
    around.push(other)
    if (other) others.push(other)
  }
  return others
}

function titleIn(line: string): string | undefined {
  return /^SUMMARY[^:]*:(.*)$/i.exec(line)?.[1]?.trim().slice(0, 200)
}

/** The objects of a file. An unreadable one does not affect the others. */
export function takeApart(text: string): CalendarFilePart[] {
  return streamOf(text).flatMap(({ zones, events, broken, zoneName }) => {
    const byUid = Map.groupBy(events, (event) => propertyText(event, 'uid') ?? nameless(event))
    const parts = [...byUid].map(
      ([uid, own]): CalendarFilePart => ({ uid, root: rootOf(uid, own, zones, zoneName) }),
    )
    return [...parts, ...broken]
  })
}

interface Pieces {
  /** X-WR-TIMEZONE */
  zoneName: string | undefined
  zones: Component[]
  events: Component[]
  broken: { unreadable: string; title: string | undefined }[]
}

/** Splits a file into its calendars and their parts. */
function streamOf(text: string): Pieces[] {
  try {
    return parseAll(text).map((root) => ({
      zoneName: propertyText(root, 'x-wr-timezone'),
      zones: root.getAllSubcomponents('vtimezone'),
      events: root.getAllSubcomponents('vevent'),
      broken: [],
    }))
  } catch (error) {
    const calendars = blocks(text, 'VCALENDAR')
    if (calendars.length > 1) return calendars.flatMap((calendar) => streamOf(`${calendar}\r\n`))
    return [brokenPieces(text, (error as Error).message)]
  }
}

/** Recovers as many parts as possible from a damaged calendar. */
function brokenPieces(text: string, why: string): Pieces {
  const pieces: Pieces = {
    zoneName: /^X-WR-TIMEZONE(?:;[^:\r\n]*)?:(.*)$/im.exec(text)?.[1]?.trim(),
    zones: blocks(text, 'VTIMEZONE').flatMap((block) => readZoneBlock(block, 'vtimezone')),
    events: [],
    broken: [],
  }
  for (const block of blocks(text, 'VEVENT')) {
    try {
      pieces.events.push(...readBlock(block, 'vevent'))
    } catch (reason) {
      pieces.broken.push({
        unreadable: (reason as Error).message,
        title: /^SUMMARY[^:]*:(.*)$/im.exec(block)?.[1]?.trim().slice(0, 200),
      })
    }
  }
  return pieces.events.length + pieces.broken.length > 0
    ? pieces
    : { ...pieces, broken: [{ unreadable: why, title: undefined }] }
}

/** The lines from BEGIN to END of each component with a name. */
function blocks(text: string, name: string): string[] {
  const [begin, end] = [
    new RegExp(`^BEGIN:${name}[ \\t]*$`, 'i'),
    new RegExp(`^END:${name}[ \\t]*$`, 'i'),
  ]
  const blockTexts: string[] = []
  let open: string[] | undefined
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (begin.test(line)) open ??= []
    open?.push(line)
    if (open && end.test(line)) {
      blockTexts.push(open.join('\r\n'))
      open = undefined
    }
  }
  return blockTexts
}

function readBlock(block: string, name: string): Component[] {
  return parseAny(`BEGIN:VCALENDAR\r\n${block}\r\nEND:VCALENDAR\r\n`).getAllSubcomponents(name)
}

function readZoneBlock(block: string, name: string): Component[] {
  try {
    return readBlock(block, name)
  } catch {
    return [] // without it, the zone's name has to do
  }
}

/** A deterministic UID for an event, so that importing a file again changes nothing. */
function nameless(event: Component): string {
  return `${createHash('sha256').update(event.toString()).digest('hex').slice(0, 32)}@import`
}

function rootOf(
  uid: string,
  events: readonly Component[],
  zones: readonly Component[],
  zoneName: string | undefined,
): Component {
  const root = newComponent('vcalendar')
  root.addPropertyWithValue('version', '2.0')
  root.addPropertyWithValue('prodid', '-//Workspace//Calendar//EN')
  const usedZones = new Set([...events.flatMap(zonesNamed), ...(zoneName ? [zoneName] : [])])
  for (const zone of zones)
    if (usedZones.has(propertyText(zone, 'tzid') ?? '')) root.addSubcomponent(copyOf(zone))
  for (const event of events) {
    const copy = copyOf(event)
    setText(copy, 'uid', uid)
    root.addSubcomponent(copy)
  }
  setText(root, 'x-wr-timezone', zoneName)
  pinFloatingTimes(root)
  return root
}

function zonesNamed(event: Component): string[] {
  return event.getAllProperties().flatMap((property) => {
    const tzid: unknown = property.getParameter('tzid')
    return typeof tzid === 'string' ? [tzid] : []
  })
}

/** Combines many objects in one calendar. */
export function putTogether(name: string, roots: readonly Component[]): Component {
  const all = newComponent('vcalendar')
  all.addPropertyWithValue('version', '2.0')
  all.addPropertyWithValue('prodid', '-//Workspace//Calendar//EN')
  all.addPropertyWithValue('x-wr-calname', name)
  const zones = new Map<string, Component>()
  for (const root of roots) pinFloatingTimes(root)
  for (const zone of roots.flatMap((root) => root.getAllSubcomponents('vtimezone')))
    zones.set(propertyText(zone, 'tzid') ?? '', zone)
  for (const zone of zones.values()) all.addSubcomponent(copyOf(zone))
  for (const event of roots.flatMap((root) => root.getAllSubcomponents('vevent'))) {
    const copy = copyOf(event)
    copy.removeAllProperties('x-workspace-uninvited') // between us and those who have yet to be told
    all.addSubcomponent(copy)
  }
  return all
}
