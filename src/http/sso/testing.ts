import type { App } from '../../operations/app.ts'
import type { NewProvider } from '../../sso/provider-checks.ts'
import { insertProvider, type Provider } from '../../sso/providers.ts'
import type { Someone } from '../../testing/harness.ts'
import type { OidcServer } from '../../testing/servers/oidc.ts'

/** Options with which a provider reports groups. */
export const withGroups = { scopes: 'openid email profile groups', groupsClaim: 'groups' }

/** Adds a running OpenID provider as the organization's Keycloak. */
export function addKeycloak(
  { app, ann }: { app: App; ann: Someone },
  oidc: OidcServer,
  more: Partial<NewProvider> = {},
): Promise<Provider> {
  return app.store.writer.run(() =>
    insertProvider(app, ann.actor.org_id, {
      name: 'Keycloak',
      issuer: oidc.issuer,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      ...more,
    }),
  )
}
