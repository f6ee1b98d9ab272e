// Stores the content and progress of calendar imports that a job runs.
import type { LeftOut } from '../../../kernel/left-out.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { type Id, newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { ownAddressesOf } from '../access.ts'
import type { CalendarFileInput } from './file-reader.ts'

/** Results of importing the events of a file. */
export interface ImportCounts {
  created: number
  changed: number
  unchanged: number
  unreadable: number
  problems: { title?: string; reason: string }[]
  left_out: LeftOut[]
  timezones?: string[]
}

type Import = Row<'calendar_imports'>

export const calendarImportJob = 'import_calendar_file'

/** Options for reading a file into a calendar: its time zone, its owner's addresses and the current time. */
export async function readOptionsFor(
  ctx: ReadContext | TickContext,
  calendar: Pick<Row<'calendars'>, 'owner_id' | 'timezone'>,
): Promise<Omit<CalendarFileInput, 'bytes' | 'isText'>> {
  const { all, now } = 'actor' in ctx ? accessScopeOf(ctx) : ctx
  const { email } = await all
    .selectFrom('users')
    .select('email')
    .where('id', '=', calendar.owner_id)
    .executeTakeFirstOrThrow()
  return {
    zone: calendar.timezone,
    ownAddresses: [...(await ownAddressesOf(all, calendar.owner_id, email))],
    now,
  }
}

export async function startCalendarImport(
  ctx: WriteContext,
  calendarRow: Row<'calendars'>,
  content: string,
  counts: ImportCounts,
): Promise<string> {
  const { all, actor, now } = accessScopeOf(ctx)
  const id = newId<'calendar_imports'>('cli', now)
  await all
    .insertInto('calendar_imports')
    .values({
      id,
      org_id: actor.org_id,
      owner_id: actor.id,
      calendar_id: calendarRow.id,
      content,
      done: 0,
      result_json: JSON.stringify(counts),
      created_at: now,
      finished_at: null,
    })
    .execute()
  return id
}

/** An import and its target calendar. */
export async function calendarImport(
  { all }: TickContext,
  id: string,
): Promise<{ importRow: Import; calendar: Row<'calendars'> } | undefined> {
  const importRow = await all
    .selectFrom('calendar_imports')
    .selectAll()
    .where('id', '=', id as Import['id'])
    .executeTakeFirst()
  const calendarRow =
    importRow &&
    (await all
      .selectFrom('calendars')
      .selectAll()
      .where('id', '=', importRow.calendar_id)
      .executeTakeFirst())
  return importRow && calendarRow && { importRow, calendar: calendarRow }
}

/** Saves the progress of an import, in the transaction of its events, so that each is imported once. */
export async function saveCalendarImportProgress(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  done: number,
  counts: ImportCounts,
): Promise<void> {
  await all
    .updateTable('calendar_imports')
    .set({ done, result_json: JSON.stringify(counts) })
    .where('id', '=', id as Import['id'])
    .execute()
}

/** Ends an import and deletes its file. */
export async function endCalendarImport({ all, now }: TickContext, id: string): Promise<void> {
  await all
    .updateTable('calendar_imports')
    .set({ content: null, finished_at: now })
    .where('id', '=', id as Import['id'])
    .execute()
}

/**
 * Deletes the files of jobs that failed permanently or were cancelled, and imports that ended a week ago, all at once;
 * returns false, since nothing is left.
 */
export async function endAbandonedCalendarImports({ all, now }: TickContext): Promise<boolean> {
  const unfinishedJobKeys = all
    .selectFrom('jobs')
    .select('unique_key')
    .where('kind', '=', calendarImportJob)
    .where('finished_at', 'is', null)
    .where('unique_key', 'is not', null)
  await all
    .updateTable('calendar_imports')
    .set({ content: null, finished_at: now })
    .where('finished_at', 'is', null)
    .where('id', 'not in', unfinishedJobKeys.$castTo<{ unique_key: Id<'calendar_imports'> }>())
    .execute()
  await all
    .deleteFrom('calendar_imports')
    .where('finished_at', '<', now - 7 * dayLength)
    .execute()
  return false
}

/** Indexes the only occurrence of an event that does not repeat, from its columns. */
export async function indexSingleEvent(ctx: WriteContext, row: Row<'events'>): Promise<void> {
  const { all } = accessScopeOf(ctx)
  const { id: event_id, org_id, owner_id, calendar_id, starts_at, ends_at, busy } = row
  await all
    .insertInto('event_occurrences')
    .values({
      event_id,
      place: '',
      org_id,
      owner_id,
      calendar_id,
      starts_at,
      ends_at,
      busy,
      is_exception: 0,
    })
    .execute()
  await all
    .updateTable('events')
    .set({ expanded_revision: row.revision, expanded_from: -9e15, expanded_until: 9e15 })
    .where('id', '=', event_id)
    .execute()
}
