import type { LeftOut } from '../../../kernel/left-out.ts'
import type { DateOrder } from '../../../kernel/time/date-orders.ts'
import { truncate } from '../../../kernel/text/truncate.ts'
// Tasks as export files of other programs describe them. Pure: it runs in the process that reads imports (formats.ts).

export const importFormats = ['csv', 'jira', 'linear', 'trello', 'todoist'] as const
export type ImportFormat = (typeof importFormats)[number]

/** A task as a file describes it. Dates are `2026-11-30` or `2026-11-30T18:00`, with an offset where the file has one. */
export interface TaskRecord {
  /** Line of a CSV file, or index among the cards of a board, from 1. */
  line: number
  /**
   * Identifier in the other program (`ENG-42`): other records refer to it, and a second import recognizes the task by
   * it.
   */
  ref?: string
  title: string
  description?: string
  status?: string
  /** Set if the program provides more than a name. */
  category?: 'backlog' | 'todo' | 'in_progress' | 'done' | 'cancelled'
  /** Its heading in the file: used as a status if the project has one of that name, else as a label. */
  section?: string
  priority?: 'urgent' | 'high' | 'medium' | 'low'
  /** Addresses or names. */
  assignees: string[]
  labels: string[]
  due?: string
  start?: string
  estimateMinutes?: number
  points?: number
  parent?: string
  blockedBy: string[]
  comments: { author: string; at?: string; text: string }[]
  /** Its project in the other program. */
  project?: string
  url?: string
}

export interface ParsedTasks {
  format: ImportFormat
  records: TaskRecord[]
  /** Records that cannot become a task. */
  refused: { line: number; reason: string }[]
  warnings: string[]
  /** Columns and item types that were skipped. */
  leftOut: LeftOut[]
  /** CSV: field of each column; null if it is skipped. */
  columns?: { column: string; field: string | null }[]
  delimiter?: string
}

/** An empty record. */
export function emptyRecord(line: number): TaskRecord {
  return { line, title: '', assignees: [], labels: [], blockedBy: [], comments: [] }
}

/** Longer texts are truncated to the limits of tasks. */
const maxTitle = 500
const maxDescription = 400_000

/** A record with texts that fit a task; undefined if it has no title. */
export function fitToLimits(record: TaskRecord): TaskRecord | undefined {
  const title = record.title
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
  if (title === '') return undefined
  const long = title.length > maxTitle
  const description = (record.description ?? '').toWellFormed().trim()
  const fullDescription = long ? `${title}\n\n${description}`.trim() : description
  return {
    ...record,
    title: truncate(title, maxTitle),
    description: fullDescription.slice(0, maxDescription).toWellFormed(),
    labels: unique(record.labels),
    assignees: unique(record.assignees),
    blockedBy: unique(record.blockedBy),
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))].slice(0, 50)
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Parses a date; undefined if the text is no date or is ambiguous (`3/4/2026` while the order is unknown). */
export function readDate(text: string, order?: DateOrder): string | undefined {
  const trimmed = text.trim()
  return (
    readIsoDate(trimmed) ??
    readJiraDate(trimmed) ??
    readEnglishDate(trimmed) ??
    readNumericDate(trimmed, order)
  )
}

function readIsoDate(text: string): string | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2})?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2}|UTC)?)?$/i.exec(
      text,
    )
  if (!match) return undefined
  const [, year, month, day, hour, minute, zone] = match
  const offset = /^(z|utc)$/i.test(zone ?? '') ? 'Z' : zone
  return formatDate(Number(year), Number(month), Number(day), hour, minute, offset)
}

/** Parses 15/Mar/24 12:00 AM, the format of Jira. */
function readJiraDate(text: string): string | undefined {
  const match =
    /^(\d{1,2})[/\- .]([A-Za-z]{3})[a-z]*[/\- .,]+(\d{2}|\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::\d{2})?\s*(AM|PM)?)?$/.exec(
      text,
    )
  if (!match) return undefined
  const [, day, month, year, hour, minute, meridiem] = match
  return formatDate(
    fullYear(year!),
    monthOf(month!),
    Number(day),
    ...timeParts(hour, minute, meridiem),
  )
}

/** Parses Mar 15, 2024 and Tue Mar 12 2024 15:04:05 GMT+0000 (Greenwich Mean Time). */
function readEnglishDate(text: string): string | undefined {
  const match =
    /^(?:[A-Za-z]{3},?\s+)?([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::\d{2})?\s*(AM|PM)?(?:\s*GMT([+-]\d{4}))?(?:\s*\(.*\))?)?$/.exec(
      text,
    )
  if (!match) return undefined
  const [, month, day, year, hour, minute, meridiem, zone] = match
  return formatDate(
    Number(year),
    monthOf(month!),
    Number(day),
    ...timeParts(hour, minute, meridiem),
    zone,
  )
}

function readNumericDate(text: string, order: DateOrder | undefined): string | undefined {
  const match =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::\d{2})?\s*(AM|PM)?)?$/i.exec(
      text,
    )
  if (!match) return undefined
  const [, first, separator, second, year, hour, minute, meridiem] = match
  const [a, b] = [Number(first), Number(second)]
  const dateOrder = separator === '.' ? 'dmy' : (inferDateOrder(a, b) ?? order)
  if (dateOrder === undefined) return undefined
  const [day, month] = dateOrder === 'dmy' ? [a, b] : [b, a]
  return formatDate(fullYear(year!), month, day, ...timeParts(hour, minute, meridiem))
}

/** The only possible order of two numbers; if they are equal, either will do. */
function inferDateOrder(a: number, b: number): DateOrder | undefined {
  if (a > 12) return 'dmy'
  if (b > 12) return 'mdy'
  return a === b ? 'dmy' : undefined
}

const monthOf = (name: string) => months.indexOf(name.toLowerCase()) + 1

/** Finds date orders that unambiguous dates prove: `24/12/2027` is day first. */
export function dateOrdersIn(texts: Iterable<string>): Set<DateOrder> {
  const orders = new Set<DateOrder>()
  for (const text of texts) {
    const [a, b] = numbersOf(text)
    if (a > 12 && b <= 12) orders.add('dmy')
    if (b > 12 && a <= 12) orders.add('mdy')
  }
  return orders
}

/** True if a date can be read as two different days. */
export function isAmbiguousDate(text: string): boolean {
  const [a, b] = numbersOf(text)
  return a <= 12 && b <= 12 && a !== b
}

/** The first two numbers of `3/4/2027`; NaN if it is no such date. */
function numbersOf(text: string): [number, number] {
  const [, a, b] = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}/.exec(text) ?? []
  return [Number(a), Number(b)]
}

function fullYear(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text)
}

function timeParts(
  hour: string | undefined,
  minute: string | undefined,
  meridiem: string | undefined,
): [string | undefined, string | undefined] {
  if (hour === undefined) return [undefined, undefined]
  const hours =
    meridiem === undefined
      ? Number(hour)
      : (Number(hour) % 12) + (meridiem.toUpperCase() === 'PM' ? 12 : 0)
  return [String(hours).padStart(2, '0'), minute]
}

function formatDate(
  year: number,
  month: number,
  day: number,
  hour?: string,
  minute?: string,
  zone?: string,
): string | undefined {
  const text = [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day).padStart(2, '0'),
  ].join('-')
  const at = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text) || year < 1900)
    return undefined
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return text
  const offset = zone?.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : (zone ?? '')
  return `${text}T${hour}:${minute}${offset}`
}

/** A date without its time if that is midnight: Jira exports days that way. */
export function dayIfMidnight(date: string): string {
  return date.replace(/T00:00(:00)?(Z|[+-]\d{2}:\d{2})?$/, '')
}

/** Parses the priority names of various programs. */
export function readPriority(text: string): TaskRecord['priority'] {
  const name = text.trim().toLowerCase()
  if (/^(urgent|highest|critical|blocker|p0|sehr hoch|dringend)$/.test(name)) return 'urgent'
  if (/^(high|major|p1|hoch)$/.test(name)) return 'high'
  if (/^(medium|normal|p2|mittel)$/.test(name)) return 'medium'
  if (/^(low|lowest|minor|trivial|p3|p4|niedrig|gering)$/.test(name)) return 'low'
  return undefined
}
