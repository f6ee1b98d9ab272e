import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { organization, timeOff } from '../../directory/access.ts'
import { daysAway } from './days.ts'

/** A person's days of absence in a period, and the organization's holidays. */
export async function daysOff(
  ctx: ReadContext,
  personId: Id<'users'>,
  from: string,
  to: string,
): Promise<{ away: Set<string>; holidays: Set<string> }> {
  const absences = await timeOff
    .visibleTo(ctx)
    .select(['time_off.starts_on', 'time_off.ends_on'])
    .where('time_off.person_id', '=', personId)
    .where('time_off.starts_on', '<=', to)
    .where('time_off.ends_on', '>=', from)
    .execute()
  const { holidays_json } = await organization
    .visibleTo(ctx)
    .select('orgs.holidays_json')
    .executeTakeFirstOrThrow()
  const holidays = (JSON.parse(holidays_json) as { date: string }[]).map((item) => item.date)
  return {
    away: daysAway(absences, from, to),
    holidays: new Set(holidays.filter((holiday) => holiday >= from && holiday <= to)),
  }
}
