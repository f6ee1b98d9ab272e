import { omitNullish } from '../../kernel/present.ts'
import { readFileSync } from 'node:fs'
import {
  GoogleRefusal,
  refreshAccess,
  type SendRequest,
  type GrantedTokens,
  type GoogleClient,
} from '../../connectors/google/oauth.ts'
import { readEndpoints } from '../../config/google-settings.ts'
import { GiveUp, type Outside } from '../../operations/jobs/job.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Settings } from '../../config/settings.ts'
import { dayLength } from '../../kernel/time/times.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { AccountRow } from './sync-lists.ts'
import { reportSync } from './sync-reports.ts'

/** Credentials for the servers of an account. Held only in memory and never logged. */
export type Credentials = { user: string; password: string } | { user: string; accessToken: string }

/** The account is unreachable until its owner, already notified, signs in again. A job that encounters it ends. */
export class NeedsSignIn extends GiveUp {}

export interface SignInOptions {
  /** The SMTP server may have a separate password. */
  server?: 'smtp'
  /** The access token just refused by a server: a new one is fetched, unless another caller has already done so. */
  refused?: string
}

interface Access {
  token: string
  until: number
}

/** Access tokens by account and outbound access: at most an hour old, never stored. */
const tokens = new WeakMap<
  Outbound,
  Map<string, { access?: Access; pendingAccess?: Promise<Access> }>
>()

/** A token that expires within this time is no longer used. */
const expiryMarginMs = 2 * 60_000
const testingDays = 8

/**
 * Name and password of an account, or a token valid for at least some minutes. Concurrent callers share one refresh.
 * @throws NeedsSignIn, after the account was marked so; Unreachable and others if Google could not be reached, which
 * is worth a retry
 */
export async function signInto(
  outside: Outside,
  account: AccountRow,
  { server, refused }: SignInOptions = {},
): Promise<Credentials> {
  if (account.provider === 'google')
    return { user: account.login, accessToken: await freshToken(outside, account, refused) }
  const smtpPassword =
    server === 'smtp' ? await outside.secrets.read('accounts', account, 'smtp_password') : undefined
  const password = smtpPassword ?? (await outside.secrets.read('accounts', account, 'password'))
  if (password === undefined)
    throw await needsSignIn(outside, account, 'Its password is no longer stored.')
  return { user: account.login, password }
}

/** Drops the token of an account and any running refresh. */
export function forgetToken(outbound: Outbound, accountId: string): void {
  tokens.get(outbound)?.delete(accountId)
}

/** Stores the token received with a consent. */
export function storeToken(
  outbound: Outbound,
  accountId: string,
  granted: GrantedTokens,
  now: number,
): void {
  slotOf(outbound, accountId).access = accessOf(granted, now)
}

async function freshToken(
  outside: Outside,
  account: AccountRow,
  refused: string | undefined,
): Promise<string> {
  const slot = slotOf(outside.outbound, account.id)
  const { access } = slot
  if (access && access.token !== refused && access.until - expiryMarginMs > outside.now())
    return access.token
  slot.pendingAccess ??= refresh(outside, account).finally(() => delete slot.pendingAccess)
  slot.access = await slot.pendingAccess
  return slot.access.token
}

async function refresh(outside: Outside, account: AccountRow): Promise<Access> {
  const refreshToken = await outside.secrets.read('accounts', account, 'refresh_token')
  if (refreshToken === undefined)
    throw await needsSignIn(outside, account, 'No credentials are stored for it.')
  try {
    const granted = await refreshAccess(
      googleClient(outside.settings),
      requestSender(outside.outbound, outside.signal),
      refreshToken,
    )
    if (granted.refreshToken !== undefined)
      await outside.write((system) =>
        system.as(account.owner_id, (ctx) =>
          ctx.secrets.put('accounts', account, 'refresh_token', granted.refreshToken!),
        ),
      )
    return accessOf(granted, outside.now())
  } catch (error) {
    if (error instanceof GoogleRefusal && error.error === 'invalid_grant')
      throw await needsSignIn(outside, account, consentEndedText(account, outside.now()))
    if (error instanceof GoogleRefusal && /client/.test(error.error))
      throw new Refusal(
        'provider_error',
        `Google does not recognize the OAuth client of this instance (${error.error}).`,
        'The operator of this instance should check --google-client-id and --google-client-secret-file.',
      )
    throw error
  }
}

/** Google ends grants of clients in Testing after seven days, regardless of their owners. */
function consentEndedText({ signed_in_at }: AccountRow, now: number): string {
  const age = now - signed_in_at
  if (age > 6 * dayLength && age < testingDays * dayLength) {
    return 'Google ended the consent, about a week after it was given, as it does with every consent while the OAuth client is in “Testing”. The operator of this instance has to set it to “In production” (or “Internal”); then sign in again.'
  }
  return 'Google has ended the consent: it was withdrawn, the password was changed, or it was not used for a long time. Sign in to the account again.'
}

function firstService(account: AccountRow): 'mail' | 'calendar' | 'drive' {
  if (account.has_mail === 1) return 'mail'
  return account.has_calendar === 1 ? 'calendar' : 'drive'
}

async function needsSignIn(
  outside: Outside,
  account: AccountRow,
  problem: string,
): Promise<NeedsSignIn> {
  forgetToken(outside.outbound, account.id)
  await reportSync(outside, account.id, {
    service: firstService(account),
    ok: false,
    problem,
    needsSignIn: true,
    signedInAt: account.signed_in_at,
  })
  return new NeedsSignIn(problem)
}

/** The OAuth client of this instance. @throws Refusal not_connected if there is none */
export function googleClient(
  settings: Pick<Settings, 'google_client_id' | 'google_client_secret_file' | 'google_endpoints'>,
  redirectUri = '',
): GoogleClient {
  const { google_client_id: id, google_client_secret_file: file, google_endpoints } = settings
  if (id === '' || file === '')
    throw new Refusal(
      'not_connected',
      'This instance has no OAuth client for Google.',
      'The operator creates one and sets it with --google-client-id and --google-client-secret-file (docs/accounts.md); until then a Gmail account can be connected by IMAP with an app password.',
    )
  return { id, secret: secretIn(file), redirectUri, endpoints: readEndpoints(google_endpoints)! }
}

function secretIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new Refusal(
      'unavailable',
      'The secret of the OAuth client for Google cannot be read.',
      'The operator of this instance should check the file of --google-client-secret-file.',
    )
  }
}

/** Sends web requests through the guarded outbound access. */
export function requestSender(outbound: Outbound, signal?: AbortSignal): SendRequest {
  return async (url, { method, headers, body }) => {
    const response = await outbound.request(
      url,
      omitNullish({ method: method as 'GET', headers, body }),
      omitNullish({ signal }),
    )
    const singleHeaders = Object.entries(response.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    )
    return new Response(response.status === 204 ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: singleHeaders,
    })
  }
}

function slotOf(outbound: Outbound, accountId: string) {
  const all =
    tokens.get(outbound) ?? new Map<string, { access?: Access; pendingAccess?: Promise<Access> }>()
  tokens.set(outbound, all)
  const slot = all.get(accountId) ?? {}
  all.set(accountId, slot)
  return slot
}

function accessOf({ accessToken, expiresIn }: GrantedTokens, now: number): Access {
  return { token: accessToken, until: now + expiresIn * 1000 }
}
