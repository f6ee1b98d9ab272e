import { useDebouncedValue } from '@mantine/hooks'

const settleMs = 150

/** Search query once typing pauses, so that not every key causes a request. */
export function useSought(typed: string): string {
  const [sought] = useDebouncedValue(typed.trim(), settleMs)
  return sought
}
