import { useLocalStorage } from '@mantine/hooks'

/** The zones whose hours are shown: the reader's, and an optional second one. Stored in this browser. */
export function useZones(ownZone: string) {
  const [secondZone, setSecond] = useLocalStorage<string>({
    key: 'workspace.calendar-zone',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const isKnown = secondZone !== '' && secondZone !== ownZone && isSupportedZone(secondZone)
  return { zones: isKnown ? [ownZone, secondZone] : [ownZone], setSecond }
}

function isSupportedZone(zone: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(zone)
}
