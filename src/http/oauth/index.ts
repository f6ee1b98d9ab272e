import { Assertions } from '../../oauth/assertions.ts'
import { ClientDocuments } from '../../oauth/documents.ts'
import type { App } from '../../operations/app.ts'
import type { WebPage } from '../transport/request-info.ts'
import { getOnly } from '../transport/methods.ts'
import { oauthEndpoint } from './answers.ts'
import { authorizePage } from './authorize.ts'
import { resourceMetadataPage, resourceMetadataPath, serverMetadataPage } from './metadata.ts'
import { registrationPage } from './register.ts'
import { registrationRemovalPage } from './unregister.ts'
import { revocationPage, tokenPage } from './token.ts'

/** The addresses of the authorization server. */
export function oauthPages(app: App): [path: string, page: WebPage][] {
  const assertions = new Assertions(app)
  const resource = oauthEndpoint(app, 'GET', resourceMetadataPage(app))
  return [
    [resourceMetadataPath, resource],
    [`${resourceMetadataPath}/**`, resource],
    ['/.well-known/oauth-authorization-server', oauthEndpoint(app, 'GET', serverMetadataPage(app))],
    ['/oauth/authorize', getOnly(authorizePage(app, new ClientDocuments(app)))],
    ['/oauth/token', oauthEndpoint(app, 'POST', tokenPage(app, assertions))],
    ['/oauth/revoke', oauthEndpoint(app, 'POST', revocationPage(app, assertions))],
    ['/oauth/register', oauthEndpoint(app, 'POST', registrationPage(app))],
    ['/oauth/register/:id', oauthEndpoint(app, 'DELETE', registrationRemovalPage(app))],
  ]
}
