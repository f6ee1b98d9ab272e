import { recordForEachOrg, type LoggedAction } from '../../audit/act.ts'
import type { Id } from '../../kernel/ids.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import { listProviders, type Provider } from '../../sso/providers.ts'

/** A provider by id or name. @throws Refusal not_found; invalid_argument if several have the name */
export async function requireProvider({ store }: App, text: string): Promise<Provider> {
  const all = await listProviders(store.read)
  const matches = all.filter(
    (row) => row.id === text || row.name.toLowerCase() === text.toLowerCase(),
  )
  if (matches.length > 1) throw invalid('provider', 'several have this name; give the id.')
  const [provider] = matches
  if (!provider) throw notFound('sign-in provider', 'provider', '`workspace sso list` shows all.')
  return provider
}

/** Records a change made at the command line in the call log, within a writer job. */
export async function recordSso(
  { store, clock }: App,
  org: Id<'orgs'>,
  tool: string,
  loggedArguments: NonNullable<LoggedAction['arguments']>,
): Promise<void> {
  const act = {
    tool,
    route: 'workspace sso',
    kind: 'write',
    via: 'cli',
    at: clock.now(),
    items: [],
    arguments: loggedArguments,
  } as const
  await recordForEachOrg(store, act, org)
}
