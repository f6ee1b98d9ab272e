// From the authorization server to the consent page: registers a program, requests access, and removes the
// registration.

import { createHash, randomBytes } from 'node:crypto'
import { requestStep, Obstacle } from './requests.ts'
import type { AuthorizationServer, ReportStep } from './server.ts'

const redirectUri = 'http://127.0.0.1:33419/callback'
/** A client known to every instance, used if registration is disabled. */
const knownDocument = {
  clientId: 'https://claude.ai/oauth/claude-code-client-metadata',
  redirect: 'http://localhost:33419/callback',
}

interface TestProgram {
  clientId: string
  redirect: string
  /** Removes the registration; undefined if there is none. */
  remove: (() => Promise<boolean>) | undefined
}

/** @throws Obstacle at the first problem; the registration is removed even then */
export async function checkConsentFlow(
  server: AuthorizationServer,
  resource: string,
  report: ReportStep,
): Promise<void> {
  const program = await chooseProgram(server, report)
  try {
    const page = await authorize(server, program, resource)
    await checkConsentPage(page)
    report(
      'consent',
      `A person is led to the page on which they decide, at ${page.origin}/connect/….`,
    )
  } finally {
    if (program.remove)
      report(
        'cleanup',
        (await program.remove())
          ? 'What this check registered is removed.'
          : 'What this check registered could not be removed; the server forgets it after a day.',
      )
  }
}

async function chooseProgram(
  { issuer, registrationEndpoint, acceptsDocuments }: AuthorizationServer,
  report: ReportStep,
): Promise<TestProgram> {
  if (registrationEndpoint !== undefined) {
    const program = await register(registrationEndpoint)
    report('client', `Programs can register at ${registrationEndpoint}.`)
    return program
  }
  if (!acceptsDocuments)
    throw new Obstacle(
      `${issuer} takes neither registrations nor documents: only programs that an administrator enters can connect.`,
      'set --oauth-registration or --oauth-documents, or enter each program with `workspace oauth clients add`',
    )
  report('client', 'Programs cannot register, but are known by their documents.')
  return { ...knownDocument, remove: undefined }
}

/** Registers with a secret: such a registration belongs to this check only, and only then can it be removed. */
async function register(url: string): Promise<TestProgram> {
  const { status, json } = await requestStep(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'workspace connect --check',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  })
  if (status === 429)
    throw new Obstacle(
      `${url} has had too many registrations from here.`,
      'try again in some minutes; if assistants meet this, a proxy may hide their addresses: see --trusted-proxies',
    )
  const {
    client_id: clientId,
    registration_client_uri: registrationUri,
    registration_access_token: token,
  } = json ?? {}
  if (status !== 201 || typeof clientId !== 'string')
    throw new Obstacle(
      `${url} answers ${status} to a registration${errorDetailIn(json)}, where it should answer 201.`,
    )
  const remove = async () => {
    if (typeof registrationUri !== 'string' || typeof token !== 'string') return false
    const headers = { authorization: `Bearer ${token}` }
    return (await requestStep(registrationUri, { method: 'DELETE', headers })).status === 204
  }
  return { clientId, redirect: redirectUri, remove }
}

/** Requests the authorization endpoint as the person's browser would. @returns the address of the consent page */
async function authorize(
  { issuer, authorizationEndpoint }: AuthorizationServer,
  program: TestProgram,
  resource: string,
): Promise<URL> {
  const url = new URL(authorizationEndpoint)
  const verifier = randomBytes(32).toString('base64url')
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: program.clientId,
    redirect_uri: program.redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(8).toString('base64url'),
    resource,
  }))
    url.searchParams.set(name, value)
  const { status, headers } = await requestStep(url.href, {
    mayRedirect: true,
    headers: { accept: 'text/html' },
  })
  const location = URL.parse(headers.get('location') ?? '', url)
  if (status !== 303 || !location)
    throw new Obstacle(
      `${authorizationEndpoint} answers ${status} to a good request, where it should lead to the consent page.`,
      'look at the page that it shows in a browser, and at the log of the server',
    )
  const error = location.searchParams.get('error')
  if (error !== null)
    throw new Obstacle(
      `${authorizationEndpoint} refuses a good request: ${error}, ${location.searchParams.get('error_description') ?? 'without a reason'}`,
      'look at the log of the server',
    )
  if (location.origin === issuer && location.pathname.startsWith('/connect/')) return location
  throw new Obstacle(
    `${authorizationEndpoint} leads to ${location.origin}${location.pathname}, not to the consent page of ${issuer}.`,
  )
}

async function checkConsentPage(page: URL): Promise<void> {
  const { status, headers } = await requestStep(page.href, { headers: { accept: 'text/html' } })
  const pageUrl = `${page.origin}/connect/…`
  if (status !== 200 || !/^text\/html\b/i.test(headers.get('content-type') ?? ''))
    throw new Obstacle(`${pageUrl} answers ${status} where the consent page should be.`)
  const opener = headers.get('cross-origin-opener-policy') ?? 'unsafe-none'
  if (opener !== 'unsafe-none')
    throw new Obstacle(
      `${pageUrl} has Cross-Origin-Opener-Policy: ${opener}, which cuts it off from the assistant that opened it.`,
      'do not let the proxy add this header to pages below /connect',
    )
}

function errorDetailIn(json: Record<string, unknown> | undefined): string {
  return typeof json?.error_description === 'string' ? ` (${json.error_description})` : ''
}
