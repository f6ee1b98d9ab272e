import { useMatches } from '@tanstack/react-router'
import { callByName } from '../../../api/client.ts'
import { itemRoute, type ItemRoute, type Period } from '../registry.ts'
import type { Fields } from '../values.ts'

/** Current item: its route in the registry, and its id. */
export function useItemRoute(): { address: ItemRoute; id: string } {
  const { fullPath, params } = useMatches().at(-1)! as {
    fullPath: string
    params: Record<string, string>
  }
  return { address: itemRoute(fullPath.replace(/\/$/, '')), id: params.id! }
}

/** From today to 30 days from now. */
export function nextDays(): Period {
  return { today: dayIn(0), in30Days: dayIn(30) }
}

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export async function queryItem(
  operation: string,
  args: Fields,
  signal?: AbortSignal,
): Promise<Fields> {
  return callByName<Fields>(operation, args, signal)
}
