import { useDebouncedValue } from '@mantine/hooks'

const debounceMs = 150

/** Search query once typing pauses, so that not every key causes a request. */
export function useDebouncedQuery(input: string): string {
  const [query] = useDebouncedValue(input.trim(), debounceMs)
  return query
}
