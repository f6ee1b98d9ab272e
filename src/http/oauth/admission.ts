import {
  callbackHostPolicy,
  hostRefusal,
  type CallbackHostPolicy,
} from '../../oauth/callback-hosts.ts'
import {
  findStoredClient,
  isAllowed,
  oauthClientOf,
  type OAuthClient,
} from '../../oauth/clients.ts'
import { isDocumentAddress, type ClientDocuments } from '../../oauth/documents.ts'
import { OAuthError, type OAuthErrorCode } from '../../oauth/errors.ts'
import { appRedirects, isKnownCallback, knownDocument } from '../../oauth/known-clients.ts'
import { isRegistered, redirectKind } from '../../oauth/redirects.ts'
import type { App } from '../../operations/app.ts'

interface AdmissionRequest {
  clientId: string
  redirectUri: string
  ip: string
}

/**
 * The client of an authorization request, if settings and administrators permit it and its redirect address.
 * @throws OAuthError, shown to the person: the redirect address is not known to belong to the client
 */
export async function admitClient(
  app: App,
  documents: ClientDocuments,
  request: AdmissionRequest,
): Promise<OAuthClient> {
  const host = await callbackHostPolicy(app.store.read, request.redirectUri)
  if (host === 'refuse') throw hostRefusal(request.redirectUri)
  const client = await requireClient(app, documents, request, host)
  requireRedirect(app, client, request.redirectUri, host)
  return client
}

async function requireClient(
  app: App,
  documents: ClientDocuments,
  { clientId, ip }: AdmissionRequest,
  host: CallbackHostPolicy,
): Promise<OAuthClient> {
  const isDocument = clientId.startsWith('https:') && isDocumentAddress(clientId)
  const { oauth_documents } = app.settings
  const isKnown = host === 'allow' || knownDocument(clientId) !== undefined
  const stored = await findStoredClient(app.store, clientId)
  const policy = stored?.policy ?? 'default'
  if (isDocument && !isAllowed({ source: 'document', policy }, oauth_documents, isKnown))
    throw notAllowed(clientId)
  const row = isDocument ? await documents.find(clientId, ip) : stored
  if (!row)
    throw admissionError(
      'invalid_client',
      `This server does not know the program ${JSON.stringify(clientId.slice(0, 200))}. Remove the connection in the program and add it again.`,
    )
  const client = oauthClientOf(row)
  if (!isAllowed(client, oauth_documents, isKnown)) throw notAllowed(clientId)
  return client
}

function notAllowed(clientId: string): OAuthError {
  return admissionError(
    'unauthorized_client',
    `The program ${JSON.stringify(clientId.slice(0, 200))} may not be connected to this server. Its operator can allow that with \`workspace oauth clients allow\`.`,
  )
}

/** @throws OAuthError */
function requireRedirect(
  { settings }: App,
  client: OAuthClient,
  redirect: string,
  host: CallbackHostPolicy,
): void {
  const kind = redirectKind(redirect, appRedirects)
  if (!isRegistered(client.redirects, redirect) || kind === undefined)
    throw admissionError(
      'invalid_redirect_uri',
      `${client.name} wants its answer at ${JSON.stringify(redirect.slice(0, 200))}, which is not one of its own addresses.`,
    )
  const isUnknown = client.source === 'registered' && kind === 'web' && !isKnownCallback(redirect)
  const isExplicitlyAllowed = client.policy === 'allow' || host === 'allow'
  if (isUnknown && !isExplicitlyAllowed && settings.oauth_registration !== 'any')
    throw admissionError(
      'invalid_redirect_uri',
      `${redirect.slice(0, 200)} is not a callback that this server allows. Its operator can allow its host with \`workspace oauth hosts allow\`, or enter the client with \`workspace oauth clients add\`.`,
    )
}

const admissionError = (code: OAuthErrorCode, description: string) =>
  new OAuthError(code, description, { status: 400 })
