import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

interface Person {
  id: string
  title: string
}

/** Maximum number of loaded pages of people. */
const maxPages = 20

/** All colleagues who can be messaged. */
export function useColleagues(): readonly Person[] {
  const { data } = useQuery({
    queryKey: ['colleagues'],
    queryFn: ({ signal }) => readColleagues(signal),
    staleTime: 300_000,
  })
  return data ?? []
}

async function readColleagues(signal: AbortSignal): Promise<Person[]> {
  const people: Person[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await call(
      'list_people',
      { limit: 100, status: 'active', ...(cursor && { cursor }) },
      signal,
    )
    people.push(...page.items.map(({ id, display_name }) => ({ id, title: display_name })))
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  return people
}
