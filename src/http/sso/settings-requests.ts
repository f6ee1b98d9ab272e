import { omitUndefined } from '../../kernel/present.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import { requireProvider, type Provider } from '../../sso/providers.ts'
import type { SignedInRequest } from '../web/endpoint.ts'

interface AccountFields {
  scopes?: string | undefined
  groups_claim?: string | null | undefined
  domains?: string[] | undefined
  accounts?: Provider['accounts'] | undefined
  linking?: Provider['linking'] | undefined
  client_auth?: Provider['client_auth'] | undefined
}

/** Settings for creating and linking accounts, without absent ones. */
export function accountSettings({
  scopes,
  groups_claim,
  domains,
  accounts,
  linking,
  client_auth: clientAuth,
}: AccountFields) {
  return omitUndefined({
    ...{ scopes, domains, accounts, linking, clientAuth },
    groupsClaim: groups_claim === null ? '' : groups_claim,
  })
}

/** The provider of the address, in the requester's organization. @throws Refusal not_found */
export async function ownProvider(
  { actor, params }: SignedInRequest,
  db: App['store']['read'],
): Promise<Provider> {
  const provider = await requireProvider(db, params.id ?? '')
  if (provider.org_id !== actor.org_id) throw notFound('sign-in provider', 'id')
  return provider
}
