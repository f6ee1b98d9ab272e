import type { Module } from '../../operations/module.ts'
import { connectionEndpoints } from './account-connections.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { approvalEndpoints } from './approvals.ts'
import { oauthClientEndpoints } from '../oauth/client-settings.ts'
import { callbackHostEndpoints } from '../oauth/host-settings.ts'
import { consentEndpoints } from '../oauth/consent.ts'
import { holdEndpoints } from './holds.ts'
import { invitationEndpoints } from './invitations.ts'
import { passkeyEndpoints } from './passkeys.ts'
import { passwordEndpoints } from './password.ts'
import { peopleEndpoints } from './people.ts'
import { screenEndpoints } from './screens/index.ts'
import { sessionEndpoints } from './sessions.ts'
import { shortcutEndpoints } from './shortcuts/endpoints.ts'
import { presenceEndpoints } from '../presence/endpoints.ts'
import { ssoEndpoints } from '../sso/endpoints.ts'
import { scimTokenEndpoints } from '../sso/scim-tokens.ts'
import { ssoSettingsEndpoints } from '../sso/settings.ts'
import { usageEndpoints } from './usage.ts'
import type { ServerEndpoint } from './endpoint.ts'

const serverEndpoints: readonly ServerEndpoint[] = [
  ...sessionEndpoints,
  ...passwordEndpoints,
  ...passkeyEndpoints,
  ...apiKeyEndpoints,
  ...holdEndpoints,
  ...approvalEndpoints,
  ...peopleEndpoints,
  ...invitationEndpoints,
  ...usageEndpoints,
  ...connectionEndpoints,
  ...consentEndpoints,
  ...oauthClientEndpoints,
  ...callbackHostEndpoints,
  ...ssoEndpoints,
  ...ssoSettingsEndpoints,
  ...scimTokenEndpoints,
  ...screenEndpoints,
  ...presenceEndpoints,
  ...shortcutEndpoints,
]

/** The endpoints of the server and of these modules. */
export function endpointsWith(
  modules: readonly Pick<Module, 'endpoints'>[],
): readonly ServerEndpoint[] {
  return [...serverEndpoints, ...modules.flatMap((module) => module.endpoints ?? [])]
}
