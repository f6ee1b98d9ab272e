import { useDebouncedValue } from '@mantine/hooks'

const settleMs = 150

/** What a field of a search asks for once typing rests, so that not each key is a request. */
export function useSought(typed: string): string {
  const [sought] = useDebouncedValue(typed.trim(), settleMs)
  return sought
}
