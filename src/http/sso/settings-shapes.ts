import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { shape } from '../../kernel/shape.ts'
import { accountRules, clientAuthChoices, linkingRules } from '../../sso/provider-checks.ts'

const SsoGroupRule = shape('SsoGroupRule', {
  group: z.string().min(1).max(254),
  role: z.enum(['admin', 'member', 'guest']).optional(),
  team_id: z.string().max(40).optional(),
})

/** A token of a provider for SCIM, without its secret. */
const ScimToken = shape('ScimToken', {
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  created_at: datetimeString(),
  expires_at: datetimeString().nullable(),
  last_used_at: datetimeString().nullable(),
})

/** An identity provider with all its settings; its client secret is never shown. */
export const SsoProviderSettings = shape('SsoProviderSettings', {
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  scopes: z.string(),
  groups_claim: z.string().nullable(),
  domains: z.array(z.string()),
  accounts: z.enum(accountRules),
  linking: z.enum(linkingRules),
  client_auth: z.enum(clientAuthChoices),
  rules: z.array(SsoGroupRule),
  redirect_uri: z.string(),
  backchannel_logout_uri: z.string(),
  scim_tokens: z.array(ScimToken),
})

export const SsoSettings = shape('SsoSettings', {
  /** Whether they sign in only at a provider, except for emergency accounts. */
  only: z.boolean(),
  scim_url: z.string(),
  emergency: z.array(
    z.strictObject({ id: z.string(), name: z.string(), email: z.string(), is_admin: z.boolean() }),
  ),
  providers: z.array(SsoProviderSettings),
})

/** Editable fields of a provider; its issuer is fixed, because its people are identified by it. */
export const providerFields = {
  name: z.string().max(200).optional(),
  client_id: z.string().max(1000).optional(),
  client_secret: z.string().max(2000).optional(),
  scopes: z.string().max(3000).optional(),
  groups_claim: z.string().max(200).nullable().optional(),
  domains: z.array(z.string().max(254)).max(100).optional(),
  accounts: z.enum(accountRules).optional(),
  linking: z.enum(linkingRules).optional(),
  client_auth: z.enum(clientAuthChoices).optional(),
  rules: z.array(SsoGroupRule).max(200).optional(),
}
