import { z } from 'zod'
import type { WriteContext } from '../../core/context.ts'
import { secret } from '../../core/fields.ts'
import { cleanName } from '../../core/file-names.ts'
import { operation } from '../../core/operation.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Row } from '../../core/resource.ts'
import { calendar, event } from './access.ts'
import { columnsOf, type EventColumns } from './event-columns.ts'
import { putTogether, takeApart } from './files.ts'
import { readObject, write, type Component } from './ical.ts'
import { isRepeating } from './occurrences.ts'
import { addObject, changeObject, readerOf } from './writing.ts'

const longestFile = 5_000_000
/** Everybody else who writes waits for an import: a few seconds at most. */
const mostObjects = 2000
const mostSeries = 250
const namedAtMost = 50

export const exportCalendar = operation({
  name: 'export_calendar',
  kind: 'read',
  weight: 20,
  outbound: true,
  unlisted: true,
  rest: 'GET /api/calendars/{calendar_id}/export.ics',
  about: 'A calendar as an iCalendar file',
  on: { calendar: calendar.see },
  output: z.strictObject({ download: z.strictObject({ name: z.string(), mime_type: z.string(), content_base64: z.string() }) }),
  async handle({ calendar: of }, ctx) {
    const rows = await event.seen(ctx).select(['events.raw_ics']).where('events.calendar_id', '=', of.id).where('events.unreadable', 'is', null).orderBy('events.starts_at').orderBy('events.id').execute()
    const text = write(putTogether(of.name, rows.map(row => readObject(row.raw_ics).root)))
    return { download: { name: `${cleanName(of.name) || 'calendar'}.ics`, mime_type: 'text/calendar', content_base64: Buffer.from(text).toString('base64') } }
  },
})

export const importCalendar = operation({
  name: 'import_calendar',
  kind: 'write',
  idempotent: true,
  weight: 5,
  unlisted: true,
  rest: 'POST /api/calendars/{calendar_id}/import',
  about: 'Puts the events of an iCalendar file into a calendar; those that it has already, by their UID, become what the file says',
  on: { calendar: calendar.edit },
  input: { ics: secret(z.string().min(1).max(longestFile)).describe('the text of the file') },
  output: z.strictObject({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    unreadable: z.int(),
    problems: z.array(z.strictObject({ title: z.string().optional(), reason: z.string() })).describe('of what could not be read, the first fifty'),
  }),
  async handle({ calendar: of, ics }, ctx) {
    const count = ics.match(/^END:VEVENT/gim)?.length ?? 0 // before anything is parsed
    if (count > mostObjects) throw new Refusal('too_large', `The file has ${count} events; ${mostObjects} are taken at once.`, { field: 'ics', hint: 'Import it in parts.' })
    const parts = takeApart(ics)
    const series = parts.filter(part => 'root' in part && part.root.getAllSubcomponents('vevent').some(isRepeating)).length
    if (parts.length > mostObjects || series > mostSeries) throw new Refusal('too_large', `The file has ${parts.length} events, ${series} of them repeating; ${mostObjects} are taken at once, and ${mostSeries} repeating ones.`, { field: 'ics', hint: 'Import it in parts.' })
    const reader = await readerOf(ctx, of)
    const done = { created: 0, changed: 0, unchanged: 0, unreadable: 0 }
    const problems: { title?: string; reason: string }[] = []
    for (const part of parts) {
      const columns = 'root' in part ? columnsOf(write(part.root), reader, part.uid) : undefined
      const why = columns ? columns.unreadable : (part as { unreadable: string }).unreadable
      if ('root' in part && columns && why === null) done[await take(ctx, of, part.root, columns)]++
      else {
        done.unreadable++
        const title = 'root' in part ? undefined : part.title
        if (problems.length < namedAtMost) problems.push({ ...(title === undefined ? {} : { title }), reason: why! })
      }
    }
    return { ...done, problems }
  },
})

async function take(ctx: WriteContext, of: Row<'calendars'>, root: Component, columns: EventColumns): Promise<'created' | 'changed' | 'unchanged'> {
  const there = await event.seen(ctx).selectAll('events').where('events.calendar_id', '=', of.id).where('events.uid', '=', columns.uid).executeTakeFirst()
  if (!there) {
    await addObject(ctx, of, root, { trust: 'external' }, { later: true, columns })
    return 'created'
  }
  if (sameEvents(there, root)) return 'unchanged'
  await changeObject(ctx, of, there, root, { trust: 'external' })
  return 'changed'
}

function sameEvents(row: Row<'events'>, root: Component): boolean {
  const text = (of: Component) => of.getAllSubcomponents('vevent').map(one => one.toString()).join('\n')
  return row.unreadable === null && text(readObject(row.raw_ics).root) === text(root)
}
