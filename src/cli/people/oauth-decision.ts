import { recordForEachOrg } from '../../audit/act.ts'
import type { Store } from '../../db/open.ts'
import type { CallbackHostPolicy } from '../../oauth/callback-hosts.ts'

/** Clients belong to the whole instance, so decisions about them are logged in each organization. */
export async function recordOAuthDecision(
  store: Store,
  at: number,
  {
    tool,
    route,
    loggedArguments,
  }: { tool: string; route: string; loggedArguments: Record<string, unknown> },
): Promise<void> {
  await recordForEachOrg(store, {
    tool,
    route,
    kind: 'write',
    via: 'cli',
    at,
    items: [],
    arguments: loggedArguments,
  })
}

/** Decisions about a program or a host, as text that follows its name. */
export const policyTexts: Readonly<Record<CallbackHostPolicy, string>> = {
  default: 'is decided by the settings',
  allow: 'is allowed',
  refuse: 'is refused',
}
