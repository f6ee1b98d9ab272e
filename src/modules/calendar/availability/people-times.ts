import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { organization, person, timeOff } from '../../directory/access.ts'
import type { workingHours } from '../../directory/shapes.ts'
import { takenTimes, type BusyTime } from './access.ts'
import { merged, type TimeSpan } from './spans.ts'
import { wakingTimesIn, daysIn, wholeDays, workingTimesIn } from './working-time.ts'

/** A person whose time is requested: a colleague, or an unknown address. */
export type PersonOrAddress =
  | { person: Row<'users'>; email: string }
  | { person: undefined; email: string }

/** Known times of a colleague. */
export interface PersonSchedule {
  taken: BusyTime[]
  /** Full days of absence. */
  away: TimeSpan[]
  /** Working hours, without holidays. */
  hours: TimeSpan[]
  awake: TimeSpan[]
}

/**
 * Resolves ids, `me` and email addresses to people, each once.
 * @throws Refusal not_found, invalid_argument
 */
export async function resolvePeople(
  ctx: ReadContext,
  texts: readonly string[],
  field: string,
): Promise<PersonOrAddress[]> {
  const peopleByKey = new Map<string, PersonOrAddress>()
  for (const [i, entry] of texts.entries()) {
    const text = entry.trim()
    const fieldPath = `${field}[${i}]`
    const isAddress = text.includes('@')
    if (isAddress && !/^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255}$/.test(text))
      throw invalid(fieldPath, `${JSON.stringify(text.slice(0, 100))} is not an email address.`)
    const row = isAddress
      ? await person.find(ctx, text)
      : await person.demand(ctx, text, 'see', fieldPath)
    peopleByKey.set(
      row?.id ?? text.toLowerCase(),
      row ? { person: row, email: row.email } : { person: undefined, email: text.toLowerCase() },
    )
  }
  return [...peopleByKey.values()]
}

/** Times of colleagues within a period, by person id. */
export async function schedulesOf(
  ctx: ReadContext,
  people: readonly Row<'users'>[],
  within: TimeSpan,
): Promise<Map<string, PersonSchedule>> {
  const widePeriod = { start: within.start - 2 * 86_400_000, end: within.end + 2 * 86_400_000 }
  const busyByPerson = await takenTimes(ctx, people, widePeriod)
  const { holidays_json } = await organization
    .visibleTo(ctx)
    .select('orgs.holidays_json')
    .executeTakeFirstOrThrow()
  const holidays = new Set(
    (JSON.parse(holidays_json) as { date: string }[]).map((item) => item.date),
  )
  const timesByPerson = new Map<string, PersonSchedule>()
  for (const row of people) {
    const zone = row.timezone
    const days = daysIn(widePeriod, zone)
    const absences = await timeOff
      .visibleTo(ctx)
      .select(['time_off.starts_on', 'time_off.ends_on'])
      .where('time_off.person_id', '=', row.id)
      .where('time_off.starts_on', '<=', days.at(-1)!)
      .where('time_off.ends_on', '>=', days[0]!)
      .execute()
    const daysAway = days.filter((day) =>
      absences.some((absence) => absence.starts_on <= day && absence.ends_on >= day),
    )
    timesByPerson.set(row.id, {
      taken: busyByPerson.get(row.id) ?? [],
      away: wholeDays(daysAway, zone),
      hours: workingTimesIn(
        widePeriod,
        JSON.parse(row.working_hours_json) as z.infer<typeof workingHours>,
        zone,
        holidays,
      ),
      awake: wakingTimesIn(widePeriod, zone),
    })
  }
  return timesByPerson
}

/** Times at which someone cannot attend: everything but focus blocks, which can be moved. */
export function unavailableTimes({ taken, away }: PersonSchedule): TimeSpan[] {
  return merged([...taken.filter((item) => !item.isFocus), ...away])
}

export function focusTimes({ taken }: PersonSchedule): TimeSpan[] {
  return merged(taken.filter((item) => item.isFocus))
}
