import { LeftOutCounter, type LeftOut } from '../../../kernel/left-out.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { detectAndDecode } from '../../../kernel/text/encoding.ts'
import { eventColumns, type EventColumns, type ReadingContext } from '../ical/event-columns.ts'
import { fileZonesIn } from '../ical/file-zones.ts'
import { unsupportedComponents, splitFile, type CalendarFilePart } from '../ical/object-parts.ts'
import { objectOf, propertyText, serializeCalendar } from '../ical/objects.ts'
import { unsupportedParts } from '../ical/unread-parts.ts'

/** A calendar file with the zone and addresses needed to read it. All of it can be sent to a reader process. */
export interface CalendarFileInput {
  bytes: Uint8Array
  /** Whether the bytes are a text that was passed as an argument, and so UTF-8. */
  isText: boolean
  zone: string
  /** Calendar owner's addresses, lower case. */
  ownAddresses: readonly string[]
  now: number
}

/** One event or series of a file as columns of a row, or the reason why it is unreadable. */
export type ReadEvent =
  | {
      columns: EventColumns
      /** Parts of its properties that are not supported. */
      unsupportedParts?: string[]
    }
  | { reason: string; title?: string }

/** A batch of events from a reader process, and their number. */
export interface EventBatch {
  total: number
  events: ReadEvent[]
}

export const maxEvents = 50_000
/**
 * Larger files, and files with more events and series, are imported by a job: a single call would block other
 * writers.
 */
const maxPerCall = { bytes: 2 ** 20, events: 100 }
const batchSize = { characters: 2 ** 20, events: 200 }

/** A file as read by a single call. */
export interface CalendarFile {
  /** Its events; absent if a job has to import them. */
  events?: ReadEvent[]
  leftOut: LeftOut[]
  /** Default zones named in the file. */
  zones: string[]
}

/**
 * The events of a file that one call can import, and its other contents. Runs in a reader process.
 * @throws Refusal too_large if it has more events than any import accepts
 */
export function readSmallFile(question: CalendarFileInput): CalendarFile {
  const text = fileTextOf(question)
  requireMaxEvents(text)
  const { known: zones, unknown } = fileZonesIn(text)
  const leftOut = skippedContentOf(text, unknown)
  if (question.bytes.length > maxPerCall.bytes) return { leftOut, zones }
  const parts = splitFile(text)
  const reader = fileReaderOf(question)
  if (parts.length > maxPerCall.events) return { leftOut, zones }
  return { events: parts.map((part) => readEvent(part, reader)), leftOut, zones }
}

/** Maximum characters of an unreadable event's title in a report. */
const maxTitle = 200

const componentLabels: Record<string, string> = {
  VTODO: 'to-dos (VTODO)',
  VJOURNAL: 'journal entries (VJOURNAL)',
  VFREEBUSY: 'free and busy times (VFREEBUSY)',
  VALARM: 'reminders without an event (VALARM)',
}

/** Lists content that is not imported: a calendar stores only events. */
function skippedContentOf(text: string, unknownZones: readonly string[]): LeftOut[] {
  const counter = new LeftOutCounter()
  for (const name of unknownZones)
    counter.add('the time zone of the file, which is not known (X-WR-TIMEZONE)', name)
  for (const { name, title } of unsupportedComponents(text))
    counter.add(componentLabels[name] ?? `components ${name}`, title ?? 'without a title')
  return counter.kinds
}

/** The events of a file in batches. Runs in a reader process. @throws Refusal too_large */
export async function* eventBatches(
  question: CalendarFileInput,
): AsyncGenerator<EventBatch, number> {
  const text = fileTextOf(question)
  requireMaxEvents(text)
  const parts = splitFile(text)
  const reader = fileReaderOf(question)
  let batch: ReadEvent[] = []
  let characters = 0
  for (const part of parts) {
    const event = readEvent(part, reader)
    batch.push(event)
    characters += 'columns' in event ? event.columns.raw_ics.length : 0
    if (batch.length < batchSize.events && characters < batchSize.characters) continue
    yield { total: parts.length, events: batch }
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield { total: parts.length, events: batch }
  return parts.length
}

function fileTextOf({ bytes, isText }: CalendarFileInput): string {
  return isText ? new TextDecoder().decode(bytes) : detectAndDecode(bytes).text
}

/** Counts events before parsing. @throws Refusal too_large */
function requireMaxEvents(text: string): void {
  let count = 0
  for (const _ of text.matchAll(/^END:VEVENT/gim)) count++
  if (count > maxEvents) {
    const sentence = `The file has ${count} events; an import takes ${maxEvents} at most.`
    throw new Refusal('too_large', sentence, { hint: 'Split it into smaller files.' })
  }
}

function fileReaderOf({ zone, ownAddresses, now }: CalendarFileInput): ReadingContext {
  return { zone, ownAddresses: new Set(ownAddresses), now }
}

function readEvent(part: CalendarFilePart, reader: ReadingContext): ReadEvent {
  if (!('root' in part)) return omitNullish({ reason: part.unreadable, title: part.title })
  const columns = eventColumns(serializeCalendar(part.root), reader, part.uid)
  if (columns.unreadable !== null) {
    const event = part.root.getFirstSubcomponent('vevent')
    const title = event && propertyText(event, 'summary')?.slice(0, maxTitle)
    return omitNullish({ reason: columns.unreadable, title: title || undefined })
  }
  const unsupported = unsupportedParts(objectOf(part.root))
  return unsupported.length === 0 ? { columns } : { columns, unsupportedParts: unsupported }
}
