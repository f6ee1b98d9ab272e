import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { account } from '../../accounts/access.ts'
import { builtInCalendar, calendar } from '../access.ts'

/**
 * Calendar for events that name none: the first enabled, writable calendar of the caller's first connected account,
 * else the built-in one.
 */
export async function defaultCalendar(viewer: Viewer): Promise<Row<'calendars'>> {
  const connected = await calendar
    .editableBy(viewer)
    .selectAll('calendars')
    .where('calendars.account_id', 'is not', null)
    .where('calendars.is_primary', '=', 1)
    .where(
      'calendars.account_id',
      'in',
      account.visibleTo(viewer).where('accounts.status', '<>', 'disabled').select('accounts.id'),
    )
    .orderBy('calendars.account_id')
    .executeTakeFirst()
  return connected ?? builtInCalendar(viewer)
}
