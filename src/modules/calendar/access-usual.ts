import type { Row } from '../../core/resource.ts'
import type { Seer } from '../../core/sight.ts'
import { builtIn, calendar } from './access.ts'

/** Where events go that name no calendar: the first calendar of the caller's first connected account that takes them, else the built-in one. */
export async function usualCalendar(from: Seer): Promise<Row<'calendars'>> {
  const connected = await calendar
    .editable(from)
    .selectAll('calendars')
    .where('calendars.account_id', 'is not', null)
    .where('calendars.is_primary', '=', 1)
    .orderBy('calendars.account_id')
    .executeTakeFirst()
  return connected ?? builtIn(from)
}
