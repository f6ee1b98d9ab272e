import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { addDays, dayAt, instantOfMinute } from '../../../kernel/time/times.ts'
import { person, timeOff } from '../../directory/access.ts'
import { overlapsHours, type Hours, type Shift } from './shifts.ts'

type PersonShift = Pick<Shift, 'person' | 'from' | 'until'>

/**
 * Describes conflicts of each shift: the person is away, or all of the shift lies outside their working hours. Three
 * queries, regardless of the number of shifts.
 */
export async function conflictsOf(
  ctx: ReadContext,
  shifts: readonly PersonShift[],
): Promise<string[][]> {
  if (shifts.length === 0) return []
  const ids = [...new Set(shifts.map((shift) => shift.person))] as Id<'users'>[]
  const people = await person.among(ctx, ids)
  const absences = await timeOff
    .visibleTo(ctx)
    .select(['time_off.person_id', 'time_off.starts_on', 'time_off.ends_on'])
    .where('time_off.person_id', 'in', ids)
    .where(
      'time_off.starts_on',
      '<=',
      addDays(dayAt(Math.max(...shifts.map((shift) => shift.until)), 'UTC'), 1),
    )
    .where(
      'time_off.ends_on',
      '>=',
      addDays(dayAt(Math.min(...shifts.map((shift) => shift.from)), 'UTC'), -1),
    )
    .orderBy('time_off.starts_on')
    .execute()
  const absencesByPerson = Map.groupBy(absences, (absence) => absence.person_id as string)
  return shifts.map((shift) => {
    const row = people.get(shift.person)
    if (!row) return []
    const overlapping = (absencesByPerson.get(shift.person) ?? []).filter(
      (item) =>
        instantOfMinute(item.starts_on, 0, row.timezone) < shift.until &&
        instantOfMinute(item.ends_on, 1440, row.timezone) > shift.from,
    )
    const texts = overlapping.map((item) =>
      item.starts_on === item.ends_on
        ? `away on ${item.starts_on}`
        : `away from ${item.starts_on} to ${item.ends_on}`,
    )
    return isOutside(shift, JSON.parse(row.working_hours_json) as Hours, row.timezone)
      ? [...texts, 'outside working hours']
      : texts
  })
}

/** No working hours means no preference. */
function isOutside(shift: PersonShift, hours: Hours, zone: string): boolean {
  return Object.keys(hours).length > 0 && !overlapsHours(shift, hours, zone)
}
