import { useQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { itemRoute, type ItemRoute, type ItemReading } from './registry.ts'
import { isFields, type Fields } from './values.ts'

export interface Params {
  id: string
  of: string
  [name: string]: string
}

/** Where the reader is: the address of the registry, with what it names. */
export function useAddress(): { address: ItemRoute; params: Params } {
  const { fullPath, params } = useMatches().at(-1)! as { fullPath: string; params: Params }
  return { address: itemRoute(fullPath.replace(/\/$/, '')), params }
}

/** The arguments of a reading, with what the address names in them. */
export function argsOf({ args }: ItemReading, params: Params): Record<string, unknown> {
  const named: Record<string, string> = { ...params, today: dayIn(0), in30days: dayIn(30) }
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('$') ? named[value.slice(1)] : value,
    ]),
  )
}

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The item of an address, as its reading finds it. Refused with not_found where a list does not have it. */
export function useReading(reading: ItemReading, params: Params) {
  const args = argsOf(reading, params)
  return useQuery({
    queryKey: ['call', reading.operation, args, 'item', params.id],
    queryFn: ({ signal }) =>
      reading.lists ? findIn(reading, args, params.id, signal) : readOne(reading, args, signal),
  })
}

export async function ask(operation: string, args: Fields, signal?: AbortSignal): Promise<Fields> {
  return post<Fields>(`/web/call/${operation}`, args, signal)
}

async function readOne(
  { operation, part }: ItemReading,
  args: Fields,
  signal: AbortSignal,
): Promise<Fields> {
  const answer = await ask(operation, args, signal)
  const inner = part === undefined ? undefined : answer[part]
  return isFields(inner) ? { ...answer, ...inner, [part!]: undefined } : answer
}

/** How many pages of a list are looked through for an item, of 100 each. */
const mostPages = 20

async function findIn(
  { operation, lists }: ItemReading,
  args: Fields,
  id: string,
  signal: AbortSignal,
): Promise<Fields> {
  const isPaged = lists!.includes('items')
  let cursor: unknown
  for (let n = 0; n < mostPages; n++) {
    const answer = await ask(
      operation,
      { ...args, ...(isPaged ? { limit: 100 } : {}), ...(cursor === undefined ? {} : { cursor }) },
      signal,
    )
    const found = lists!
      .flatMap((name) => answer[name] as Fields[])
      .find((readonly) => readonly.id === id)
    if (found) return found
    cursor = answer.next_cursor
    if (cursor === undefined) break
  }
  throw new ApiError(404, { code: 'not_found', message: '' })
}
