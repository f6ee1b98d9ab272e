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

// Splits calendar files into objects by UID, and combines objects into files.

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
export function unsupportedComponents(text: string): OtherComponent[] {
  const others: OtherComponent[] = []
  /** Components that contain the current line, outermost first; undefined for supported ones. */
  const openComponents: (OtherComponent | undefined)[] = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    const edge = /^(BEGIN|END):([\w-]{1,50})[ \t]*$/i.exec(line)
    const inside = openComponents.at(-1)
    if (!edge) {
      if (inside) inside.title ??= titleIn(line)
      continue
    }
    if (edge[1]?.toUpperCase() === 'END') {
      openComponents.pop()
      continue
    }
    const name = edge[2]?.toUpperCase() ?? ''
    const isOther = openComponents.length === 1 && !/^(VEVENT|VTIMEZONE)$/.test(name)
    const other = isOther ? { name, title: undefined } : undefined
    openComponents.push(other)
    if (other) others.push(other)
  }
  return others
}

function titleIn(line: string): string | undefined {
  return /^SUMMARY[^:]*:(.*)$/i.exec(line)?.[1]?.trim().slice(0, 200)
}

/** The objects of a file. An unreadable one does not affect the others. */
export function splitFile(text: string): CalendarFilePart[] {
  return calendarsIn(text).flatMap(({ zones, events, broken, zoneName }) => {
    const byUid = Map.groupBy(events, (event) => propertyText(event, 'uid') ?? generatedUid(event))
    const parts = [...byUid].map(
      ([uid, eventsOfUid]): CalendarFilePart => ({
        uid,
        root: rootOf(uid, eventsOfUid, zones, zoneName),
      }),
    )
    return [...parts, ...broken]
  })
}

interface CalendarPieces {
  /** X-WR-TIMEZONE */
  zoneName: string | undefined
  zones: Component[]
  events: Component[]
  broken: { unreadable: string; title: string | undefined }[]
}

/** Splits a file into its calendars and their parts. */
function calendarsIn(text: string): CalendarPieces[] {
  try {
    return parseAll(text).map((root) => ({
      zoneName: propertyText(root, 'x-wr-timezone'),
      zones: root.getAllSubcomponents('vtimezone'),
      events: root.getAllSubcomponents('vevent'),
      broken: [],
    }))
  } catch (error) {
    const calendars = blocks(text, 'VCALENDAR')
    if (calendars.length > 1) return calendars.flatMap((calendar) => calendarsIn(`${calendar}\r\n`))
    return [brokenPieces(text, (error as Error).message)]
  }
}

/** Recovers as many parts as possible from a damaged calendar. */
function brokenPieces(text: string, why: string): CalendarPieces {
  const pieces: CalendarPieces = {
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
  let currentBlock: string[] | undefined
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (begin.test(line)) currentBlock ??= []
    currentBlock?.push(line)
    if (currentBlock && end.test(line)) {
      blockTexts.push(currentBlock.join('\r\n'))
      currentBlock = undefined
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
    return [] // without a definition, the zone's name is used
  }
}

/** A deterministic UID for an event, so that importing a file again changes nothing. */
function generatedUid(event: Component): string {
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
  const usedZones = new Set([...events.flatMap(zoneNamesIn), ...(zoneName ? [zoneName] : [])])
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

function zoneNamesIn(event: Component): string[] {
  return event.getAllProperties().flatMap((property) => {
    const tzid: unknown = property.getParameter('tzid')
    return typeof tzid === 'string' ? [tzid] : []
  })
}

/** Combines many objects in one calendar. */
export function combineObjects(name: string, roots: readonly Component[]): Component {
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
    copy.removeAllProperties('x-workspace-uninvited') // internal: who has not been invited yet
    all.addSubcomponent(copy)
  }
  return all
}
