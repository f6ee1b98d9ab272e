import { recordForEach } from '../../audit/act.ts'
import type { Store } from '../../db/open.ts'

/** Programs are those of the whole instance: what is decided about them is in the log of each organization. */
export async function recordOAuthDecision(
  store: Store,
  at: number,
  { tool, route, told }: { tool: string; route: string; told: Record<string, unknown> },
): Promise<void> {
  await recordForEach(store, {
    tool,
    route,
    kind: 'write',
    via: 'cli',
    at,
    items: [],
    arguments: told,
  })
}
