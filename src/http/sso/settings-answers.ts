import type { z } from 'zod'
import { isProviderOnly } from '../../identity/sign-in-policy.ts'
import type { Id } from '../../kernel/ids.ts'
import { iso } from '../../kernel/time/times.ts'
import type { App } from '../../operations/app.ts'
import { emergencyAccounts } from '../../sso/policy.ts'
import { listProviders, type Provider } from '../../sso/providers.ts'
import { scimUrl } from '../../sso/scim/present.ts'
import { scimTokensOf } from '../../sso/scim/tokens.ts'
import { backchannelUrl, callbackUrl } from '../../sso/sign-in.ts'
import type { SsoProviderSettings, SsoSettings } from './settings-shapes.ts'

export async function presentSettings(
  { store, baseUrl }: App,
  org: Id<'orgs'>,
): Promise<z.infer<typeof SsoSettings>> {
  const db = store.read
  const providers = await listProviders(db, org)
  const emergency = await emergencyAccounts(db, org)
  return {
    only: await isProviderOnly(db, org),
    scim_url: scimUrl(baseUrl),
    emergency: emergency.map(({ id, display_name, email, role }) => ({
      id,
      name: display_name,
      email,
      is_admin: role === 'admin',
    })),
    providers: await Promise.all(providers.map((row) => presentProvider({ store, baseUrl }, row))),
  }
}

export async function presentProvider(
  { store, baseUrl }: Pick<App, 'store' | 'baseUrl'>,
  provider: Provider,
): Promise<z.infer<typeof SsoProviderSettings>> {
  const { id, name, issuer, client_id, scopes, accounts, linking, client_auth } = provider
  const tokens = await scimTokensOf(store.read, provider)
  return {
    ...{ id, name, issuer, client_id, scopes, accounts, linking, client_auth },
    groups_claim: provider.groupsClaim ?? null,
    domains: [...provider.domains],
    rules: provider.rules.map((rule) => ({ ...rule })),
    redirect_uri: callbackUrl(baseUrl, id),
    backchannel_logout_uri: backchannelUrl(baseUrl, id),
    scim_tokens: tokens
      .filter((row) => row.revoked_at === null)
      .map((row) => ({
        id: row.id,
        name: row.name,
        hint: row.hint,
        created_at: iso(row.created_at),
        expires_at: row.expires_at === null ? null : iso(row.expires_at),
        last_used_at: row.used_at === null ? null : iso(row.used_at),
      })),
  }
}
