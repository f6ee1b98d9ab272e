import type { Row } from '../../core/resource.ts'
import type { Seer } from '../../core/sight.ts'
import { account } from '../accounts/access.ts'
import { builtIn, calendar } from './access.ts'

/** Where events go that name no calendar: the first calendar of the caller's first connected account that takes them and is switched on, else the built-in one. */
export async function usualCalendar(from: Seer): Promise<Row<'calendars'>> {
  const connected = await calendar
    .editable(from)
    .selectAll('calendars')
    .where('calendars.account_id', 'is not', null)
    .where('calendars.is_primary', '=', 1)
    .where(
      'calendars.account_id',
      'in',
      account.seen(from).where('accounts.status', '<>', 'disabled').select('accounts.id'),
    )
    .orderBy('calendars.account_id')
    .executeTakeFirst()
  return connected ?? builtIn(from)
}
