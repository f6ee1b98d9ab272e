import { z } from 'zod'
import { datetime } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import type { ReadContext } from '../../../operations/context.ts'
import {
  argsOfLink,
  CalendarExport,
  CsvDownload,
  csvToken,
  inlineOrLink,
} from '../../../operations/exports/csv-exports.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { trustOf } from '../../../records/shapes.ts'
import { calendar, event } from '../access.ts'
import { requestedRange, occurrencesInRange } from '../events/occurrence-views.ts'
import { combineObjects } from '../ical/object-parts.ts'
import { readObject, serializeCalendar } from '../ical/objects.ts'

type CalendarExportShape = z.infer<typeof CalendarExport>

const tool = 'download_event_export'

export const exportEvents = operation({
  name: 'export_events',
  searchHint: 'download the calendar, ics file, iCalendar, events for another calendar program',
  kind: 'read',
  weight: 20,
  outbound: true,
  rest: 'GET /api/events/export',
  about:
    'Events of own calendars as an iCalendar file (ICS), series as series, inline or as a short-lived link',
  on: { calendar: calendar.see.maybe.describe('default: all your calendars') },
  input: {
    from: datetime().optional().describe('only what ends after it; send to as well'),
    to: datetime().optional().describe('only what begins before it; a date: the end of that day'),
  },
  output: CalendarExport,
  async handle({ calendar, from, to }, ctx) {
    if ((from === undefined) !== (to === undefined))
      throw invalid(from === undefined ? 'from' : 'to', 'send from and to together, or neither.')
    const range = { calendar: calendar?.id, from, to }
    const { text, counts } = await calendarFile(ctx, range)
    return { format: 'ics' as const, ...counts, ...inlineOrLink(ctx, text, tool, range) }
  },
})

/** The file of an export link, with the events visible to its reader at that time. */
export const downloadEventExport = operation({
  name: 'download_event_export',
  kind: 'read',
  weight: 20,
  rest: 'GET /api/event-exports/{token}',
  about: 'The file that export_events named',
  unlisted: true,
  input: csvToken,
  output: CsvDownload,
  async handle({ token }, ctx) {
    const { text } = await calendarFile(ctx, argsOfLink(ctx, tool, token) as ExportRange)
    return { download: icsDownload('events', text) }
  },
})

/** The calendar and the period of an export; without a period, all events. */
interface ExportRange {
  calendar?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

async function calendarFile(
  ctx: ReadContext,
  { calendar: id, from, to }: ExportRange,
): Promise<{
  text: string
  counts: Pick<CalendarExportShape, 'item_count' | 'unreadable' | 'trust'>
}> {
  const row = id === undefined ? undefined : await calendar.find(ctx, id)
  const all = await exportedRows(ctx, { calendar: id, from, to })
  const readable = all.filter((item) => item.unreadable === null)
  return {
    text: icsText(row?.name ?? 'Events', readable),
    counts: {
      item_count: readable.length,
      unreadable: all.length - readable.length,
      ...trustOf(readable.some((item) => item.trust === 'external')),
    },
  }
}

async function exportedRows(
  ctx: ReadContext,
  { calendar: id, from, to }: ExportRange,
): Promise<Pick<Row<'events'>, 'raw_ics' | 'unreadable' | 'trust'>[]> {
  const calendars = id === undefined ? undefined : [id as Id<'calendars'>]
  if (from !== undefined && to !== undefined) {
    const within = calendars === undefined ? {} : { calendars }
    const showings = await occurrencesInRange(ctx, requestedRange(ctx, from, to), within)
    return [...new Map(showings.map(({ row }) => [row.id, row])).values()]
  }
  const visibleEvents = event.visibleTo(ctx)
  const rows =
    calendars === undefined
      ? visibleEvents
      : visibleEvents.where('events.calendar_id', 'in', calendars)
  return rows
    .select(['events.raw_ics', 'events.unreadable', 'events.trust'])
    .orderBy('events.starts_at')
    .orderBy('events.id')
    .execute()
}

export const exportCalendar = operation({
  name: 'export_calendar',
  kind: 'read',
  weight: 20,
  outbound: true,
  unlisted: true,
  rest: 'GET /api/calendars/{calendar_id}/export.ics',
  about: 'A calendar as an iCalendar file',
  on: { calendar: calendar.see },
  output: z.strictObject({
    download: z.strictObject({
      name: z.string(),
      mime_type: z.string(),
      content_base64: z.string(),
    }),
  }),
  async handle({ calendar }, ctx) {
    const { text } = await calendarFile(ctx, { calendar: calendar.id })
    return { download: icsDownload(sanitizeFileName(calendar.name) || 'calendar', text) }
  },
})

function icsText(name: string, rows: readonly Pick<Row<'events'>, 'raw_ics'>[]): string {
  const roots = rows.map((row) => readObject(row.raw_ics).root)
  return serializeCalendar(combineObjects(name, roots))
}

function icsDownload(name: string, text: string) {
  return {
    name: `${name}.ics`,
    mime_type: 'text/calendar',
    content_base64: Buffer.from(text).toString('base64'),
  }
}
