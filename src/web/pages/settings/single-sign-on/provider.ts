import type { SsoProviderSettings } from '../../../api/operations.ts'
import { randomId } from '../../../store/index.ts'

export type ProviderSettings = SsoProviderSettings
export const settingsPath = '/web/sso/settings'
export const singleSignOnPath = '/settings/single-sign-on'

/** Role or team that a group grants, as in the form: `role:admin` or `team:<id>`. */
export interface RuleValues {
  key: string
  group: string
  grant: string | null
}

/** Form values of a provider. */
export interface ProviderValues {
  name: string
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  domains: string[]
  accounts: ProviderSettings['accounts']
  linking: ProviderSettings['linking']
  client_auth: ProviderSettings['client_auth']
  groups_claim: string
  rules: RuleValues[]
}

export function providerValues(provider?: ProviderSettings): ProviderValues {
  return {
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scopes: provider?.scopes ?? 'openid profile email',
    domains: provider?.domains ?? [],
    accounts: provider?.accounts ?? 'invited',
    linking: provider?.linking ?? 'ask',
    client_auth: provider?.client_auth ?? 'auto',
    groups_claim: provider?.groups_claim ?? '',
    rules: (provider?.rules ?? []).map(({ group, role, team_id }) => ({
      key: randomId(),
      group,
      grant: role === undefined ? `team:${team_id}` : `role:${role}`,
    })),
  }
}

/** Builds the fields to send, besides the issuer and the secret. */
export function toProviderInput(values: ProviderValues) {
  const { groups_claim, rules, client_secret: _secret, issuer: _issuer, ...fields } = values
  return {
    ...fields,
    groups_claim: groups_claim.trim() === '' ? null : groups_claim,
    rules: rules.map(({ group, grant }) => ({ group, ...parseGrant(grant) })),
  }
}

function parseGrant(
  grant: string | null,
): Pick<ProviderSettings['rules'][number], 'role' | 'team_id'> {
  const [kind, value = ''] = grant?.split(':') ?? []
  if (kind === 'team') return { team_id: value }
  return value === 'admin' || value === 'member' || value === 'guest' ? { role: value } : {}
}
