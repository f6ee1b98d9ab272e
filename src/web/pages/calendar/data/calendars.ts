import { useMemo } from 'react'
import { useOperation } from '../../../api/queries.ts'

/** The reader's calendars; writable ones, with the default for new events first. */
export function useCalendars() {
  const { data } = useOperation('list_calendars', { limit: 100 }, { staleTime: 300_000 })
  return useMemo(() => {
    const all = data?.items ?? []
    return {
      all,
      writable: all.filter(({ access }) => access === 'owner' || access === 'writer'),
      colorOf: new Map(all.map(({ id, color }) => [id, color])),
    }
  }, [data])
}
