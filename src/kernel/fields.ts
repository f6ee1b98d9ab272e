import { z } from 'zod'

/** zod pieces shared by operations, so that limits and formats are the same everywhere. */

/**
 * Fields whose value the call log keeps only as length and hash. (A zod registry: fields described afterwards stay
 * marked.)
 */
const bodies = z.registry<{ body: true }>()

function markAsBody<T extends z.ZodType>(type: T): T {
  bodies.add(type, { body: true })
  return type
}

/** Whether a field of an operation holds a body, so that the call log must not keep it. */
export function isBody(type: z.ZodType): boolean {
  if (bodies.get(type)) return true
  const inner = (type as { def: { innerType?: z.ZodType } }).def.innerType
  return inner ? isBody(inner) : false
}

const names = z.registry<{ name: true }>()

/** A name or title: one line of 1 to 500 characters, not only white space. */
export function title() {
  const type = z
    .string()
    .min(1)
    .max(500)
    .regex(/\S/, 'must not be blank')
    .refine(isOneLine, 'must be one line, without control characters or bidirectional overrides')
  names.add(type, { name: true })
  return type
}

/** Whether a field of an operation is a name or title. */
export function isName(type: z.ZodType): boolean {
  if (names.get(type)) return true
  const inner = (type as { def: { innerType?: z.ZodType } }).def.innerType
  return inner ? isName(inner) : false
}

/** Line breaks, other control characters, and direction overrides: they make a name look different from what it is. */
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

function isOneLine(text: string): boolean {
  return !controls.test(text)
}

/** External text (an answer, the subject of a mail) as a name. */
export function asOneLine(text: string): string {
  return text.replace(new RegExp(`\\s*${controls.source}+\\s*`, 'g'), ' ').trim()
}

export const shortText = (max = 500) => z.string().max(max)

/** Markdown, stored unchanged. */
export const markdown = () => markAsBody(z.string().max(500_000))

const loggedByTypeOnly = z.registry<{ typeOnlyInLog: true }>()

/**
 * Content of which the call log keeps nothing at all, not even a length or hash: with few possible values, a hash
 * reveals them.
 */
export function typeOnlyInLog<T extends z.ZodType>(type: T): T {
  loggedByTypeOnly.add(type, { typeOnlyInLog: true })
  return type
}

export function isLoggedByTypeOnly(type: z.ZodType): boolean {
  if (loggedByTypeOnly.get(type)) return true
  const inner = (type as { def: { innerType?: z.ZodType } }).def.innerType
  return inner ? isLoggedByTypeOnly(inner) : false
}

/** Content that the call log must not repeat. */
export const secret = <T extends z.ZodType>(type: T) => markAsBody(type)

export const datePattern = '^\\d{4}-\\d{2}-\\d{2}$'

/** A day, `2026-11-20`. */
export const date = () =>
  z
    .string()
    .regex(
      new RegExp(datePattern),
      'must be a date such as 2026-11-20; get_current_time(phrase) turns words such as "tomorrow" into one',
    )
    .refine(isDay, 'is not a calendar date')

export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

export const instantPattern =
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Years outside this range are typos, or stand for "never". */
const [firstYear, lastYear] = [1900, 2199]

/** Accepted formats of a moment, for the descriptions of arguments. */
export const dayOrTime = 'ISO day or time'

/** A moment: ISO 8601; without an offset it is in the caller's time zone, and a date alone is the start or the end of that day (times.ts). */
export const datetime = () =>
  z
    .string()
    .max(40)
    .regex(
      instantPattern,
      'must be a time such as 2026-11-20T15:00:00Z, or a date; get_current_time(phrase) turns words such as "tomorrow" into one',
    )
    .refine((text) => isDay(text.slice(0, 10)), 'is not a calendar date')
    .refine(
      (text) => text >= `${firstYear}` && text < `${lastYear + 1}`,
      `must be in the years ${firstYear} to ${lastYear}`,
    )
    .describe(dayOrTime)

export const timezone = () =>
  z.string().max(100).refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin')

const zones = new Map<string, boolean>()

export function isTimezone(text: string): boolean {
  let isKnown = zones.get(text)
  if (isKnown === undefined) {
    isKnown = canFormatIn(text)
    if (zones.size < 1000) zones.set(text, isKnown)
  }
  return isKnown
}

function canFormatIn(zone: string): boolean {
  if (/^[+-]\d/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

export const color = () => z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #3b82f6')

/** A web address with http or https, without a name or password in it. */
export const webUrl = () =>
  z
    .string()
    .max(2000)
    .refine(isWebUrl, 'must be a web address (http or https), without a password in it')

function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  )
}

/** An object with arbitrary keys; its size is limited by the request. */
export const freeObject = () => z.record(z.string().max(200), z.unknown())

/** The description of `cursor`. */
export const cursorDescription = 'next_cursor of the previous page'

/** limit and cursor of a list. */
export const paging = {
  limit: z.int().min(1).max(100).default(25),
  cursor: z.string().min(1).max(2000).optional().describe(cursorDescription),
}

/**
 * Fields to include for each item of a list; id is always included. `*` selects all, also over MCP, where lists are
 * lean.
 */
export const fields = () =>
  z.array(z.string().max(60)).max(60).optional().describe('of each item; * = all')

/** A page of items. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    next_cursor: z.string().optional(),
    has_more: z.boolean(),
    total: z.int().optional(),
    truncated: z
      .strictObject({ reason: z.string(), bytes: z.int(), how_to_continue: z.string() })
      .optional(),
  })
}

/** Field in the answer of an operation that saves a text: its mentions that matched no reader. */
export const unresolvedMentionsField = () =>
  z.array(z.string()).optional().describe('@names that match no reader')

/** A moment in an answer: ISO 8601 in UTC. */
export const datetimeString = () => z.iso.datetime()
export const day = () => z.iso.date()
