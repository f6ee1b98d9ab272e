import { useMemo } from 'react'
import { useOperation } from '../../../api/queries.ts'

/** The reader's calendars, and the writable ones: the default for new events is first. */
export function useCalendars() {
  const { data } = useOperation('list_calendars', { limit: 100 }, { staleTime: 300_000 })
  return useMemo(() => {
    const all = data?.items ?? []
    return {
      all,
      writable: all.filter(({ access }) => access === 'owner' || access === 'writer'),
      colorById: new Map(all.map(({ id, color }) => [id, color])),
    }
  }, [data])
}
