import { useLocalStorage } from '@mantine/hooks'

/** The zones whose hours are shown: the reader's, and an optional second one. Stored in this browser. */
export function useZones(ownZone: string) {
  const [second, setSecond] = useLocalStorage<string>({
    key: 'workspace.calendar-zone',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const isKnown = second !== '' && second !== ownZone && canBeRead(second)
  return { zones: isKnown ? [ownZone, second] : [ownZone], setSecond }
}

function canBeRead(zone: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(zone)
}
