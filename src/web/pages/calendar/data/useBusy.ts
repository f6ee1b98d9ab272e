import { useMemo } from 'react'
import { useOperation } from '../../../api/queries.ts'

/** A colleague whose busy times are shown. */
export interface BusyPerson {
  id: string
  name: string
}

/** A person's busy time on a day, in minutes. */
export interface BusyPart extends BusyPerson {
  from: number
  until: number
}

interface BusyTimes {
  partsOn: (day: string) => BusyPart[]
  /** People who do not share their busy times. */
  hidden: ReadonlySet<string>
}

/** Busy times of colleagues on some days, as far as shared, without reasons. */
export function useBusy(
  people: readonly BusyPerson[],
  days: readonly string[],
  timezone: string,
): BusyTimes {
  const { data } = useOperation(
    'get_availability',
    {
      people: people.map(({ id }) => id),
      from: days[0] ?? '',
      to: days.at(-1) ?? '',
      timezone,
    },
    { enabled: people.length > 0 },
  )
  return useMemo(() => {
    const availabilities = (data?.people ?? []).map((availability) => ({
      ...availability,
      colleague: people.find(({ id }) => id === availability.person.person?.id),
    }))
    return {
      partsOn: (day) =>
        availabilities.flatMap(({ colleague, busy }) =>
          colleague
            ? busy.flatMap(({ start_local, end_local }) =>
                partOn(colleague, start_local, end_local, day),
              )
            : [],
        ),
      hidden: new Set(
        availabilities.flatMap(({ colleague, source }) =>
          colleague && source === 'not_shared' ? [colleague.id] : [],
        ),
      ),
    }
  }, [data, people])
}

const minuteOf = (local: string) => Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))

function partOn(person: BusyPerson, start: string, end: string, day: string): BusyPart[] {
  const [first, last] = [start.slice(0, 10), end.slice(0, 10)]
  if (first > day || last < day) return []
  const from = first < day ? 0 : minuteOf(start)
  const until = last > day ? 1440 : minuteOf(end)
  return until > from ? [{ ...person, from, until }] : []
}
