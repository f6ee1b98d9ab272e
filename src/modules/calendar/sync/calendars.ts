import type { CalendarRow } from './sync-run.ts'
import type { DavCalendar } from '../../../connectors/caldav.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { isTimezone } from '../../../kernel/fields.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { builtInCalendar } from '../access.ts'
import type { SyncRun } from './sync-run.ts'
import { removeEvent } from './intake.ts'

interface SyncedCalendar {
  row: CalendarRow
  ctag: string | undefined
  hasTokens: boolean
}

/**
 * Matches the local calendars to the server's: adds new ones, renames renamed ones, removes missing ones with their
 * events.
 */
export async function syncCalendarList(
  { job, account }: SyncRun,
  remoteCalendars: readonly DavCalendar[],
): Promise<SyncedCalendar[]> {
  return job.write((system) =>
    system.as(
      account.owner_id,
      async (ctx) => {
        const { timezone } = await builtInCalendar(ctx)
        const localCalendars = await system.all
          .selectFrom('calendars')
          .selectAll()
          .where('account_id', '=', account.id)
          .execute()
        const calendars: SyncedCalendar[] = []
        for (const [i, remoteCalendar] of remoteCalendars.entries()) {
          const row = localCalendars.find((each) => each.remote_url === remoteCalendar.url)
          const remoteColumns = {
            name: remoteCalendar.name,
            color: remoteCalendar.color ?? null,
            access: remoteCalendar.access,
            is_primary: i === 0 ? 1 : 0,
            timezone:
              remoteCalendar.timezone !== undefined && isTimezone(remoteCalendar.timezone)
                ? remoteCalendar.timezone
                : (row?.timezone ?? timezone),
          } as const
          const calendarRow = row
            ? await ctx.change('calendars', row, remoteColumns)
            : await ctx.add('calendars', {
                ...remoteColumns,
                owner_id: account.owner_id,
                account_id: account.id,
                remote_url: remoteCalendar.url,
              })
          calendars.push({
            row: calendarRow,
            ctag: remoteCalendar.ctag,
            hasTokens: remoteCalendar.hasTokens,
          })
        }
        for (const row of localCalendars)
          if (!remoteCalendars.some((davCalendar) => davCalendar.url === row.remote_url))
            await removeCalendar(system, ctx, row)
        return calendars
      },
      { via: 'sync' },
    ),
  )
}

/** Removes a calendar missing on its server. Events with unsent changes move to the built-in calendar. */
async function removeCalendar(
  system: TickContext,
  ctx: WriteContext,
  row: CalendarRow,
): Promise<void> {
  const builtIn = await builtInCalendar(ctx)
  for (const event of await system.all
    .selectFrom('events')
    .selectAll()
    .where('calendar_id', '=', row.id)
    .execute()) {
    if (event.synced_revision === event.revision)
      await removeEvent(system, ctx, event, { isGone: true })
    else {
      const localEvent = await ctx.change('events', event, {
        calendar_id: builtIn.id,
        remote_href: null,
        etag: null,
        synced_ics: null,
        synced_revision: null,
        push_problem: null,
      })
      ctx.notify(
        'automation',
        [row.owner_id],
        'events',
        localEvent,
        'A calendar was removed from its server; an event with unsynced changes was kept in the built-in calendar.',
      )
    }
  }
  await system.all.deleteFrom('calendar_deletions').where('calendar_id', '=', row.id).execute()
  await ctx.remove('calendars', row)
}
