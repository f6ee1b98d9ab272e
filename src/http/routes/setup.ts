// The page of the first start: the link printed by `serve` lets its holder create the organization and its
// administrator. Rendered here without scripts, because signing in is not possible yet.

import type { App } from '../../operations/app.ts'
import { clients, setupOf } from '../../assistants/clients.ts'
import { briefSetup, type BriefSetup } from '../../assistants/show.ts'
import type { Id } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { issueKey } from '../../keys/issue.ts'
import { completeSetup, isSetupToken, type SetupInput } from '../../identity/setup.ts'
import type { HeaderList } from '../transport/answers.ts'
import { reachabilityOf } from '../transport/reach.ts'
import {
  donePage,
  formPage,
  invalidLinkPage,
  problemPage,
  styles,
  type FormValues,
} from './setup-page.ts'

const maxBytes = 16_384

/** Signs in the new person; returns the cookies for their browser. */
type SignIn = (person: { id: Id<'users'>; org_id: Id<'orgs'> }) => Promise<HeaderList>

/**
 * Answers /setup and /setup.css; undefined for other paths. `hasPages`: whether the web app is available to continue.
 */
export function setup(
  app: App,
  hasPages: () => boolean = () => false,
): (request: Request, signIn?: SignIn) => Promise<Response> | undefined {
  return (request, signIn = async () => []) => {
    const url = new URL(request.url)
    if (url.pathname === '/setup.css')
      return Promise.resolve(
        respond(200, styles, {
          'content-type': 'text/css; charset=utf-8',
          'cache-control': 'no-cache',
        }),
      )
    return url.pathname === '/setup'
      ? answerSetup({ app, hasPages }, request, url, signIn)
      : undefined
  }
}

interface SetupContext {
  app: App
  hasPages: () => boolean
}

async function answerSetup(
  context: SetupContext,
  request: Request,
  url: URL,
  signIn: SignIn,
): Promise<Response> {
  if (request.method === 'GET' || request.method === 'HEAD') return setupPage(context.app, url)
  if (request.method === 'POST') return submit(context, request, url, signIn)
  return respond(405, problemPage('This page accepts only GET and POST.'), {
    allow: 'GET, HEAD, POST',
  })
}

async function setupPage(app: App, url: URL): Promise<Response> {
  const token = url.searchParams.get('token') ?? ''
  if (!(await isSetupToken(app.store, app.clock, token))) return respond(404, invalidLinkPage())
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return respond(
    200,
    formPage(
      { token, organization: '', timezone: timeZone, name: '', email: '' },
      reachabilityOf(app.baseUrl || url.origin),
    ),
  )
}

async function submit(
  { app, hasPages }: SetupContext,
  request: Request,
  url: URL,
  signIn: SignIn,
): Promise<Response> {
  const baseUrl = app.baseUrl || url.origin
  if (!isSameOrigin(app, request, url))
    return respond(403, problemPage('This form was sent from another site.'))
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    return respond(415, problemPage('This page accepts only its own form.'))
  const body = await readFormText(request)
  if (body === undefined) return respond(413, problemPage('The form is too large.'))
  const form = new URLSearchParams(body)
  const filled = formValuesOf(form)
  try {
    const created = await completeSetup(
      app.store,
      app.clock,
      filled.token,
      firstStartOf(form, filled),
    )
    if (!created) return respond(404, invalidLinkPage())
    app.log.info('the workspace was set up', { org_id: created.org, person_id: created.person })
    const cookies = await signIn({ id: created.person, org_id: created.org })
    const page =
      hasPages() && cookies.length > 0
        ? redirectToWelcome()
        : await keyPage(app, filled, created.person, (key) => briefs(baseUrl, key, request))
    for (const [name, value] of cookies) page.headers.append(name, value)
    return page
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return respond(
      error.status,
      formPage(filled, reachabilityOf(baseUrl), {
        field: error.more.field ?? 'organization',
        message: setupErrorText(error),
      }),
    )
  }
}

/** Continues in the web app with the first key. */
function redirectToWelcome(): Response {
  return new Response(null, { status: 303, headers: { ...headers, location: '/welcome' } })
}

async function keyPage(
  app: App,
  filled: FormValues,
  owner: Id<'users'>,
  briefsFor: (key: string) => BriefSetup[],
): Promise<Response> {
  const { key } = await issueKey(app.store, app.clock, { owner, name: 'First key', via: 'web' })
  return respond(200, donePage(filled, key, briefsFor(key)))
}

function platformOf(userAgent: string): 'windows' | 'macos' | 'linux' {
  if (/Windows/i.test(userAgent)) return 'windows'
  return /Mac OS/i.test(userAgent) ? 'macos' : 'linux'
}

/** Instructions for connecting each program with the new key, on the platform of the requesting machine. */
function briefs(baseUrl: string, key: string, request: Request): BriefSetup[] {
  const platform = platformOf(request.headers.get('user-agent') ?? '')
  const target = {
    baseUrl,
    selection: {},
    key: { text: key },
    name: 'workspace',
    bridge: ['workspace', 'mcp'],
  }
  return clients.map((client) => briefSetup(setupOf(client, target), platform))
}

function formValuesOf(form: URLSearchParams): FormValues {
  const [token, organization, timezone, name, email] = [
    'token',
    'organization',
    'timezone',
    'name',
    'email',
  ].map((field) => form.get(field) ?? '') as [string, string, string, string, string]
  return { token, organization, timezone, name, email }
}

function firstStartOf(form: URLSearchParams, filled: FormValues): SetupInput {
  const password = form.get('password') ?? ''
  if (password !== form.get('password_again'))
    throw new Refusal('invalid_argument', 'password_again: The two passwords are not the same.', {
      field: 'password_again',
    })
  return { ...filled, password }
}

/** Omits the field name, which is shown beside it on the page. */
function setupErrorText(error: Refusal): string {
  const text = error.body().message.replace(/^\w+: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Other sites lack the token; this also keeps them from guessing it through a visitor's browser. */
function isSameOrigin(app: App, request: Request, url: URL): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('origin')
  return origin === null || origin === url.origin || origin === app.baseUrl
}

async function readFormText(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function respond(status: number, body: string, more: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { ...headers, ...more } })
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin', // the link holds the token; `no-referrer` would make browsers send `Origin: null` with the form
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
