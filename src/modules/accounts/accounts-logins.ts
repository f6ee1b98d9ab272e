import { quantity } from '../../kernel/text/quantity.ts'
import { findCalendars, SignInRefused } from '../../connectors/caldav.ts'
import { startTls, ImapSession, MailFailure } from '../../connectors/imap/imap.ts'
import { SmtpLoginRefusal, trySmtpLogin } from '../../connectors/smtp/login.ts'
import type { Outside } from '../../operations/jobs/job.ts'
import type { PersonRequest } from '../../operations/endpoints/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { Unreachable } from '../../outbound/guard.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { AccountMailServer, Servers } from './servers.ts'
import type { Credentials } from './sync-sign-in.ts'

type NetworkAccess = Pick<Outside, 'outbound' | 'signal'>

const loginTimeoutMs = 20_000
/** Limits guessing passwords of, and probing, other people's servers. */
const attemptLimit = { perMinute: 6, burst: 20 }

/** Counts a person's attempt at an external server. @throws Refusal rate_limited */
export function countAttempt(request: PersonRequest): void {
  request.spend('account sign-in', attemptLimit)
}

const maxResponseBytes = 4 * 2 ** 20

/**
 * Signs in to each server of an account once. `note`: advice about the provider after a refusal.
 * @throws Refusal for the first server that fails, with a message a person can act on
 */
export async function tryServers(
  network: NetworkAccess,
  servers: Servers,
  login: Credentials,
  smtpLogin: Credentials = login,
  note?: string,
): Promise<void> {
  try {
    await tryEach(network, servers, login, smtpLogin)
  } catch (error) {
    throw note !== undefined && error instanceof Refusal && /password$/.test(error.more.field ?? '')
      ? new Refusal(error.code, error.message, { ...error.more, hint: note })
      : error
  }
}

async function tryEach(
  asking: NetworkAccess,
  { imap, smtp, caldav }: Servers,
  login: Credentials,
  smtpLogin: Credentials,
): Promise<void> {
  if (imap) await tryImap(asking, imap, login)
  if (smtp) await trySmtp(asking, smtp, smtpLogin)
  if (caldav) await tryCaldav(asking, caldav.url, login)
}

/** Refuses servers that this instance must not connect to, by field. @throws Refusal blocked_address */
export async function checkServers(
  outbound: Outbound,
  { imap, smtp, caldav }: Servers,
): Promise<void> {
  if (imap) await outbound.checkHost(imap.host, imap.port, 'imap', 'mail')
  if (smtp) await outbound.checkHost(smtp.host, smtp.port, 'smtp', 'mail')
  if (caldav) await outbound.checkUrl(caldav.url, 'caldav_url')
}

async function tryImap(
  asking: NetworkAccess,
  server: AccountMailServer,
  login: Credentials,
): Promise<void> {
  await describeLoginError(
    'The mail server',
    server,
    'password',
    async (signal) => {
      const socket = await connectToMailServer(asking, server, signal)
      const session = await ImapSession.connect({
        ...login,
        socket,
        hasGreeted: server.tls === 'start',
      })
      session.close()
      socket.destroy()
    },
    asking.signal,
  )
}

async function connectToMailServer(
  { outbound }: NetworkAccess,
  { host, port, tls }: AccountMailServer,
  signal: AbortSignal,
) {
  const socket = await outbound.connect(host, port, { tls: tls === 'tls', purpose: 'mail', signal })
  if (tls === 'tls') return socket
  try {
    await startTls(socket, signal)
    return await outbound.startTls(host, port, socket, { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function trySmtp(
  asking: NetworkAccess,
  place: AccountMailServer,
  login: Credentials,
): Promise<void> {
  const { host, port, tls } = place
  await describeLoginError(
    'The outgoing mail server',
    place,
    'smtp_password',
    async (signal) => {
      const socket = await asking.outbound.connect(host, port, {
        tls: tls === 'tls',
        purpose: 'mail',
        signal,
      })
      await trySmtpLogin({ socket, host, tls: tls === 'tls' ? 'secured' : 'start' }, login, signal)
    },
    asking.signal,
  )
}

async function tryCaldav(asking: NetworkAccess, url: string, login: Credentials): Promise<void> {
  await describeLoginError(
    'The calendar server',
    { host: new URL(url).host },
    'password',
    async (signal) => {
      const ask = async (
        to: string,
        request: { method: string; headers: Record<string, string>; body?: string },
      ) =>
        asking.outbound.request(to, request as { method: 'PROPFIND' }, {
          signal,
          timeoutMs: loginTimeoutMs,
          maxBytes: maxResponseBytes,
        })
      const calendars = await findCalendars({ url, request: ask, login: async () => login })
      if (calendars.length === 0)
        throw new Refusal(
          'provider_error',
          'The calendar server accepted the sign-in, but has no calendar there.',
          'Check that the address is that of your own calendars.',
        )
    },
    asking.signal,
  )
}

/** Turns a server's error into an instruction for the person. @throws Refusal provider_error */
export async function describeLoginError(
  what: string,
  { host, port }: { host: string; port?: number },
  field: string,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  timeoutMs = loginTimeoutMs,
): Promise<void> {
  const serverText = `${what} ${host}${port === undefined ? '' : `, port ${port},`}`
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    await work(AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (isRefused(error))
      throw new Refusal('provider_error', `${serverText} refused the user name or the password.`, {
        field,
        hint: 'If you use two-factor sign-in, create an app password there and enter it. Some servers expect the user name without the @ and what follows it.',
      })
    if (error instanceof MailFailure && error.trouble === 'gone' && /STARTTLS/.test(error.message))
      throw new Refusal(
        'provider_error',
        `${serverText} does not offer TLS.`,
        'Unencrypted connections are not allowed: use its port with TLS (993 for IMAP, 465 for SMTP).',
      )
    const reason = error instanceof Unreachable ? error.reason : undefined
    if (reason === 'tls')
      throw new Refusal(
        'provider_error',
        `${serverText} has no trusted certificate for that name.`,
        'Check that the name is the one on its certificate, and that the port uses TLS from the first byte.',
      )
    if (reason === 'timeout' || (timeout.aborted && !signal.aborted))
      throw new Refusal(
        'provider_error',
        `${serverText} did not answer within ${quantity(Math.ceil(timeoutMs / 1000), 'second')}.`,
        'It may be busy: try again later. If it never answers, check the name and the port.',
      )
    if (reason !== undefined)
      throw new Refusal(
        'provider_error',
        `${serverText} could not be reached.`,
        'Check the name and the port. If the server is in your own network, the operator of this instance has to allow it with --outbound-allow.',
      )
    throw new Refusal(
      'provider_error',
      `${serverText} refused the sign-in: ${loginErrorText(error)}`,
      'Check that it is the right server, and try again later.',
    )
  }
}

function isRefused(error: unknown): boolean {
  return (
    error instanceof SmtpLoginRefusal ||
    error instanceof SignInRefused ||
    (error instanceof MailFailure && (error.trouble === 'login' || error.trouble === 'token'))
  )
}

/** One short line of a server's message, which is external text. */
function loginErrorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, 160)
}
