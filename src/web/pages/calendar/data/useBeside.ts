import { useState } from 'react'
import { useBusy, type BusyPerson } from './useBusy.ts'
import { useZones } from './useZones.ts'

/** Additions to one's own events: the hours of a second zone, and the busy times of colleagues. */
export function useBeside(zone: string, days: readonly string[]) {
  const { zones, setSecond } = useZones(zone)
  const [people, setPeople] = useState<BusyPerson[]>([])
  const { partsOn: busyOn, hidden } = useBusy(people, days, zone)
  return { zones, setSecond, people, setPeople, busyOn, hidden }
}

export type CalendarContext = ReturnType<typeof useBeside>
