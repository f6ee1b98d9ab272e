import { useState } from 'react'
import { useBusy, type BusyPerson } from './useBusy.ts'
import { useZones } from './useZones.ts'

/** Data next to the reader's own events: a second time zone, and busy times of colleagues. */
export function useCalendarContext(zone: string, days: readonly string[]) {
  const { zones, setSecond } = useZones(zone)
  const [people, setPeople] = useState<BusyPerson[]>([])
  const { partsOn: busyOn, hidden } = useBusy(people, days, zone)
  return { zones, setSecond, people, setPeople, busyOn, hidden }
}

export type CalendarContext = ReturnType<typeof useCalendarContext>
