import { LeftOutCounter, type LeftOut } from '../../../kernel/left-out.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { event } from '../access.ts'
import { indexSingleEvent, type ImportCounts } from './access-imports.ts'
import type { EventColumns } from '../ical/event-columns.ts'
import type { ReadEvent } from './file-reader.ts'
import { parse, readObject, type Component } from '../ical/objects.ts'
import { changeObject, remoteOf } from '../events/object-store.ts'

const maxProblems = 50

export const initialCounts = (left_out: LeftOut[], timezones: readonly string[]): ImportCounts => ({
  created: 0,
  changed: 0,
  unchanged: 0,
  unreadable: 0,
  problems: [],
  left_out,
  ...(timezones.length > 0 ? { timezones: [...timezones] } : {}),
})

/** Imports a file's events into a calendar while time remains. @returns the number done */
export async function importEvents(
  ctx: WriteContext,
  calendar: Row<'calendars'>,
  events: readonly ReadEvent[],
  counts: ImportCounts,
  milliseconds = Infinity,
): Promise<number> {
  const end = performance.now() + milliseconds
  const leftOut = new LeftOutCounter(counts.left_out)
  let done = 0
  for (const readEvent of events) {
    if ('columns' in readEvent) {
      counts[await importEvent(ctx, calendar, readEvent.columns)]++
      const { title, starts_at } = readEvent.columns
      for (const part of readEvent.unsupportedParts ?? [])
        leftOut.add(part, title || iso(starts_at))
    } else {
      counts.unreadable++
      leftOut.add(readEvent.reason, readEvent.title ?? 'without a title')
      if (counts.problems.length < maxProblems) counts.problems.push(readEvent)
    }
    done++
    if (performance.now() > end) break
  }
  counts.left_out = leftOut.kinds
  return done
}

async function importEvent(
  ctx: WriteContext,
  calendarRow: Row<'calendars'>,
  columns: EventColumns,
): Promise<'created' | 'changed' | 'unchanged'> {
  const existing = await event
    .visibleTo(ctx)
    .selectAll('events')
    .where('events.calendar_id', '=', calendarRow.id)
    .where('events.uid', '=', columns.uid)
    .executeTakeFirst()
  if (!existing) {
    const values = {
      trust: 'external',
      invites_pending: 0,
      ...columns,
      ...remoteOf(calendarRow, columns.uid),
    } as const
    const row = await ctx.add('events', {
      calendar_id: calendarRow.id,
      owner_id: calendarRow.owner_id,
      ...values,
      expanded_revision: 0,
    })
    if (row.is_series === 0) await indexSingleEvent(ctx, row) // ticks.ts builds the index of a series
    return 'created'
  }
  if (existing.raw_ics === columns.raw_ics) return 'unchanged'
  const root = parse(columns.raw_ics)
  if (haveSameEvents(existing, root)) return 'unchanged'
  await changeObject(ctx, calendarRow, existing, root, { trust: 'external' })
  return 'changed'
}

function haveSameEvents(row: Row<'events'>, root: Component): boolean {
  const text = (component: Component) =>
    component
      .getAllSubcomponents('vevent')
      .map((event) => event.toString())
      .join('\n')
  return row.unreadable === null && text(readObject(row.raw_ics).root) === text(root)
}
