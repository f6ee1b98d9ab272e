import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import {
  googleAddress,
  consentUrl,
  exchangeCode,
  GoogleRefusal,
  revoke,
  type GrantedTokens,
} from '../../connectors/google/oauth.ts'
import { endpoint, PageAnswer, type PersonRequest } from '../../operations/endpoints/endpoint.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { account, type AccountRow } from './access.ts'
import { addAccount, checkNew } from './additions.ts'
import { scopes, servicesIn, recordSignIn } from './updates.ts'
import { ConnectedAccount, presentAccount } from './shapes.ts'
import { requestSender, forgetToken, googleClient, storeToken } from './sync-sign-in.ts'

const callback = '/web/accounts/google/callback'
const consentLifetimeMs = 15 * 60_000
const maxConsents = 1000

/** A consent in progress on Google's page. Memory only: after a restart the person begins again. */
interface Consent {
  /** Person and session that started it; only they can complete it. */
  person: string
  session: string | undefined
  verifier: string
  accountId: string | undefined
  until: number
}

const consents = new WeakMap<Outbound, Map<string, Consent>>()

export const startGoogle = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/accounts/google/start',
  name: 'start_google_sign_in',
  about: '`url`: the Google page to open in the browser; it has to return within 15 minutes',
  input: {
    services: z
      .array(z.enum(['mail', 'calendar', 'drive']))
      .min(1)
      .max(3)
      .default(['mail', 'calendar', 'drive'])
      .describe('of `mail`, `calendar`, `drive`; default all'),
    account_id: z.string().max(100).optional().describe('to sign in again'),
  },
  output: z.strictObject({ url: z.string(), expires_at: datetimeString() }),
  async handle({ services, account_id }, request) {
    const existing =
      account_id === undefined
        ? undefined
        : await request.read(async (ctx) => requireGoogle(await account.find(ctx, account_id)))
    const client = googleClient(request.settings, request.baseUrl + callback)
    const [state, verifier] = [
      randomBytes(32).toString('base64url'),
      randomBytes(48).toString('base64url'),
    ]
    const until = request.now() + consentLifetimeMs
    storeConsent(request, state, {
      person: request.actor.id,
      session: request.actor.session,
      verifier,
      accountId: existing?.id,
      until,
    })
    const requestedScopes = ['openid', 'email', ...new Set(services)].map((service) =>
      service in scopes ? scopes[service as keyof typeof scopes] : service,
    )
    const url = await consentUrl(client, {
      scopes: requestedScopes,
      state,
      challenge: sha256(verifier).toString('base64url'),
      loginHint: existing?.address,
    })
    return { url, expires_at: new Date(until).toISOString() }
  },
})

export const returnFromGoogle = endpoint({
  for: 'person',
  method: 'GET',
  path: callback,
  name: 'return_from_google',
  about:
    'the page to which Google returns the browser. The only address that a page of another site may lead to; it accepts only a state created by this session',
  input: {
    state: z.string().max(200).optional(),
    code: z.string().max(2000).optional(),
    error: z.string().max(200).optional(),
  },
  fromOtherSite: true,
  output: PageAnswer,
  async handle(input, request): Promise<PageAnswer> {
    try {
      const row = await finishGoogle(input, request)
      const parts = [
        row.has_mail && 'mail',
        row.has_calendar && 'calendars',
        row.has_drive && 'files',
      ]
        .filter(Boolean)
        .join(', ')
      return {
        title: 'The account is connected',
        text: `${row.address} is connected: ${parts}. The first sync is running; you can close this page.`,
        isGood: true,
      }
    } catch (error) {
      if (error instanceof Refusal)
        return {
          title: 'The account was not connected',
          text: [error.message, error.more.hint].filter(Boolean).join(' '),
          isGood: false,
        }
      throw error
    }
  },
})

/** The same for the command line, which gets the address to which the person was redirected. */
export const pasteFromGoogle = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/accounts/google/finish',
  name: 'finish_google_sign_in',
  about: 'the same in JSON',
  input: { state: z.string().max(200), code: z.string().max(2000) },
  output: ConnectedAccount,
  handle: async (input, request) => presentAccount(await finishGoogle(input, request)),
})

/** @throws Refusal to display to the person who returns from Google */
async function finishGoogle(
  {
    state,
    code,
    error,
  }: { state?: string | undefined; code?: string | undefined; error?: string | undefined },
  request: PersonRequest,
): Promise<AccountRow> {
  const consent = takeConsent(request, state)
  if (error === 'access_denied')
    throw new Refusal(
      'provider_error',
      'You did not agree on Google’s page, so nothing was connected.',
    )
  if (error !== undefined || code === undefined)
    throw new Refusal(
      'provider_error',
      `Google sent you back without consent${error === undefined ? '' : ` (${error.replace(/[^\w.-]/g, ' ')})`}.`,
      'Begin again.',
    )
  const client = googleClient(request.settings, request.baseUrl + callback)
  const ask = requestSender(request.outbound, request.signal)
  const granted = await translateGoogleErrors(() =>
    exchangeCode(client, ask, code, consent.verifier),
  )
  try {
    return await storeGoogleAccount(
      request,
      consent,
      granted,
      await translateGoogleErrors(() => googleAddress(client, ask, granted.accessToken)),
    )
  } catch (failure) {
    if (
      granted.refreshToken !== undefined &&
      consent.accountId === undefined &&
      !isAlreadyConnected(failure)
    )
      await revoke(client, ask, granted.refreshToken).catch(() => {}) // no unused grant remains at Google
    throw failure
  }
}

async function storeGoogleAccount(
  request: PersonRequest,
  { accountId }: Consent,
  granted: GrantedTokens,
  address: string,
): Promise<AccountRow> {
  const services = servicesIn(granted.scopes ?? [])
  if (!services.mail && !services.calendar && !services.drive)
    throw new Refusal(
      'provider_error',
      'You did not allow mail, calendar or files, so there is nothing to connect.',
      'Start again, and on Google’s page select what to connect.',
    )
  const columns = {
    has_mail: services.mail ? 1 : 0,
    has_calendar: services.calendar ? 1 : 0,
    has_drive: services.drive ? 1 : 0,
    scopes_json: JSON.stringify(granted.scopes),
  } as const
  const row = await request.change(async (ctx) => {
    const existing =
      accountId === undefined ? undefined : requireGoogle(await account.find(ctx, accountId))
    if (existing && existing.address !== address)
      throw new Refusal(
        'conflict',
        `You signed in as ${address}, and this account is ${existing.address}.`,
        'Start again and choose that account on Google’s page.',
      )
    if (!existing) await checkNew(ctx, 'google', address)
    if (granted.refreshToken === undefined)
      throw new Refusal(
        'provider_error',
        'Google did not grant lasting access.',
        'Remove the access of this workspace at myaccount.google.com/permissions, and start again.',
      )
    const storedAccount = existing
      ? await recordSignIn(ctx, existing, columns)
      : await addAccount(ctx, {
          provider: 'google',
          address,
          display_name: ctx.actor.display_name,
          login: address,
          servers_json: '{}',
          ...columns,
        })
    await ctx.secrets.put('accounts', storedAccount, 'refresh_token', granted.refreshToken)
    return storedAccount
  })
  forgetToken(request.outbound, row.id)
  storeToken(request.outbound, row.id, granted, request.now())
  return row
}

/** Whether an existing account depends on the consent, so that revoking it would break that account. */
function isAlreadyConnected(failure: unknown): boolean {
  return failure instanceof Refusal && failure.code === 'conflict'
}

async function translateGoogleErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof GoogleRefusal && /client/.test(error.error))
      throw new Refusal(
        'provider_error',
        `Google does not recognize the OAuth client of this instance (${error.error}).`,
        'The operator of this instance should check --google-client-id and --google-client-secret-file.',
      )
    if (error instanceof GoogleRefusal)
      throw new Refusal(
        'provider_error',
        `Google did not accept the consent (${error.error}).`,
        'Begin again.',
      )
    throw new Refusal('unavailable', 'Google could not be reached.', 'Try again in a minute.')
  }
}

function requireGoogle(row: AccountRow | undefined): AccountRow {
  if (row?.provider !== 'google') throw notFound('Google account', 'account_id')
  return row
}

function storeConsent({ outbound, now }: PersonRequest, state: string, consent: Consent): void {
  const all = consents.get(outbound) ?? new Map<string, Consent>()
  consents.set(outbound, all)
  for (const [key, { until }] of all) if (until < now() || all.size >= maxConsents) all.delete(key)
  all.set(stateHashOf(state), consent)
}

/**
 * A consent is valid once, until it expires, for the person who started it, in the same session. Attempts by others
 * get the same refusal as for an unknown state, and do not use it up.
 */
function takeConsent({ outbound, actor, now }: PersonRequest, state: string | undefined): Consent {
  const all = consents.get(outbound)
  const consent = state === undefined ? undefined : all?.get(stateHashOf(state))
  const isTheirs = consent?.person === actor.id && consent.session === actor.session
  if (!consent || !isTheirs || consent.until < now())
    throw new Refusal('invalid_argument', 'This sign-in was not started here, or has expired.', {
      field: 'state',
      hint: 'Start again in the settings of the workspace, and finish it in the same browser within 15 minutes.',
    })
  all!.delete(stateHashOf(state!))
  return consent
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
/** Hashed, so that the lookup time reveals nothing about a state. */
const stateHashOf = (state: string) => sha256(state).toString('base64')
