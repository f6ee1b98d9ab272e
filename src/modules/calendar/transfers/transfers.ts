import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { detectAndDecode } from '../../../kernel/text/encoding.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { LeftOutKinds } from '../../../records/shapes.ts'
import { JobHandle, presentHandle } from '../../system/shapes.ts'
import { calendar } from '../access.ts'
import { calendarImportJob, startCalendarImport, readOptionsFor } from './access-imports.ts'
import { importers } from '../../import-sandbox.ts'
import type { CalendarFile } from './file-reader.ts'
import { initialCounts, importEvents } from './event-import.ts'

const maxBytes = 20 * 2 ** 20

export const importCalendar = operation({
  name: 'import_calendar',
  kind: 'write',
  idempotent: true,
  weight: 5,
  unlisted: true,
  startsJob: calendarImportJob,
  rest: 'POST /api/calendars/{calendar_id}/import',
  about:
    'Imports the events of an iCalendar file into a calendar; existing events with the same UID are updated. Large files are imported by a job',
  on: {
    calendar: calendar.edit,
    file: file.see.maybe.describe('a calendar file in the drive, instead of ics'),
  },
  input: {
    ics: secret(z.string().min(1).max(maxBytes))
      .optional()
      .describe('the text of the file, instead of file_id'),
  },
  output: z.strictObject({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    unreadable: z.int(),
    problems: z
      .array(z.strictObject({ title: z.string().optional(), reason: z.string() }))
      .describe('the first fifty that could not be read'),
    left_out: LeftOutKinds,
    timezones: z
      .array(z.string())
      .optional()
      .describe('that the file names for its times without a zone (X-WR-TIMEZONE)'),
    job: JobHandle.optional().describe('of a large file: its result has the counts at the end'),
  }),
  async compute({ calendar, file: driveFile, ics }, ctx): Promise<CalendarFile> {
    const bytes = calendarImportBytes(ctx, driveFile, ics)
    const fileInput = {
      bytes,
      isText: driveFile === undefined,
      ...(await readOptionsFor(ctx, calendar)),
    }
    return importers.run('fewEvents', fileInput, { owner: ctx.actor.id }).catch((error) => {
      throw error instanceof Refusal
        ? new Refusal(error.code, error.message, {
            ...error.more,
            field: driveFile ? 'file_id' : 'ics',
          })
        : error
    })
  },
  async handle({ calendar, file: from, ics }, ctx) {
    const { events, leftOut, zones } = ctx.prefetched as CalendarFile
    const counts = initialCounts(leftOut, zones)
    if (events) {
      await importEvents(ctx, calendar, events, counts)
      return counts
    }
    const import_id = await startCalendarImport(
      ctx,
      calendar,
      ics ?? detectAndDecode(calendarImportBytes(ctx, from, ics)).text,
      counts,
    )
    return {
      ...counts,
      job: presentHandle(
        ctx,
        await ctx.job(calendarImportJob, { import_id }, { uniqueKey: import_id }),
      ),
    }
  },
})

function calendarImportBytes(
  ctx: ReadContext,
  from: Row<'files'> | undefined,
  ics: string | undefined,
): Buffer {
  if (from && ics !== undefined) throw invalid('ics', 'send either file_id or ics, not both.')
  if (ics !== undefined) return Buffer.from(ics)
  if (from) return bytesOf(ctx, from, maxBytes)
  throw invalid(
    'ics',
    'there is nothing to import.',
    'Send ics, or file_id of a file in the drive.',
  )
}
