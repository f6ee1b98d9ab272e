import { useLocalStorage } from '@mantine/hooks'

/** The zones whose hours stand at the side: the reader's own, and one more if they chose one. This browser remembers it. */
export function useZones(own: string) {
  const [second, setSecond] = useLocalStorage<string>({
    key: 'workspace.calendar-zone',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const isKnown = second !== '' && second !== own && canBeRead(second)
  return { zones: isKnown ? [own, second] : [own], setSecond }
}

function canBeRead(zone: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(zone)
}
