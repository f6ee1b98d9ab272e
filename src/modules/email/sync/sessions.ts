import { startTls, ImapSession, MailFailure } from '../../../connectors/imap/imap.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import type { MailAccount } from './store.ts'
import {
  NeedsSignIn,
  reportSync,
  serversOf,
  signInto,
  type Credentials,
} from '../../accounts/access.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import type { Outbound } from '../../../outbound/outbound.ts'

const second = 1000
const idleTimeoutMs = 60 * second

interface IdleSession {
  session: ImapSession
  timer: NodeJS.Timeout
}

/** Idle connections kept between pieces of work, by outbound access: a login for each would cost more than the work. */
const sessionsByOutbound = new WeakMap<Outbound, Map<string, IdleSession>>()

/**
 * Opens a logged-in connection for an account; the caller has to close it. A refused access token is renewed once.
 * @throws NeedsSignIn after the account was marked so; MailFailure and Unreachable, which are worth a retry
 */
export async function openSession(
  outside: Outside,
  account: MailAccount,
  { watches = false }: { watches?: boolean } = {},
): Promise<ImapSession> {
  if (!serversOf(outside.settings, account).imap)
    throw new MailFailure('gone', 'The account has no mail server.') // before a useless request to sign in
  const credentials = await signInto(outside, account)
  try {
    return await beginImapSession(outside, account, credentials, watches)
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    if (error.trouble === 'token' && 'accessToken' in credentials)
      return retryWithNewToken(outside, account, credentials.accessToken, watches)
    if (error.trouble === 'login') throw await reportRefusedLogin(outside, account, error)
    throw error
  }
}

async function retryWithNewToken(
  outside: Outside,
  account: MailAccount,
  refused: string,
  watches: boolean,
): Promise<ImapSession> {
  try {
    return await beginImapSession(
      outside,
      account,
      await signInto(outside, account, { refused }),
      watches,
    )
  } catch (error) {
    if (error instanceof MailFailure && error.trouble === 'token')
      throw await reportRefusedLogin(outside, account, error)
    throw error
  }
}

async function beginImapSession(
  outside: Outside,
  account: MailAccount,
  credentials: Credentials,
  watches: boolean,
): Promise<ImapSession> {
  const { host, port, tls } = serversOf(outside.settings, account).imap!
  const { outbound, signal } = outside
  const socket = await outbound.connect(host, port, { tls: tls === 'tls', purpose: 'mail', signal })
  try {
    if (tls === 'start')
      await startTls(socket, AbortSignal.any([signal, AbortSignal.timeout(20 * second)]))
    const secured =
      tls === 'start' ? await outbound.startTls(host, port, socket, { signal }) : socket
    return await ImapSession.connect({
      socket: secured,
      hasGreeted: tls === 'start',
      watches,
      ...credentials,
    })
  } catch (error) {
    socket.destroy()
    throw error instanceof MailFailure || error instanceof Unreachable
      ? error
      : new MailFailure('gone', (error as Error).message, error)
  }
}

/** Reports a refused login to the account's owner, and returns the error to throw. */
async function reportRefusedLogin(
  outside: Outside,
  account: MailAccount,
  error: MailFailure,
): Promise<NeedsSignIn> {
  const isGoogle = account.provider === 'google'
  const problem = isGoogle
    ? 'Google no longer accepts the sign-in. Sign in to the account again.'
    : `The mail server refused the sign-in (“${error.message.slice(0, 200)}”). Enter the password again; with two-factor sign-in, create an app password.`
  await reportSync(outside, account.id, {
    service: 'mail',
    ok: false,
    problem,
    needsSignIn: true,
    signedInAt: account.signed_in_at,
  })
  return new NeedsSignIn(problem)
}

/** The connection for one piece of work: an idle one, or a new one. */
export class MailConnection {
  readonly #outside: Outside
  readonly #account: MailAccount
  #session: ImapSession | undefined
  /** Whether it is a reused idle connection: if it ends, a new one may work. */
  isUsed = false

  constructor(outside: Outside, account: MailAccount) {
    this.#outside = outside
    this.#account = account
  }

  /** @throws like openSession */
  async session(): Promise<ImapSession> {
    this.#outside.signal.throwIfAborted()
    if (this.#session?.isUsable) return this.#session
    this.#session = await this.#takeIdle()
    this.isUsed = this.#session !== undefined
    this.#session ??= await openSession(this.#outside, this.#account)
    return this.#session
  }

  /** The idle connection of earlier work, if it is still alive. */
  async #takeIdle(): Promise<ImapSession | undefined> {
    const idleSessions = idleSessionsOf(this.#outside.outbound)
    const idle = idleSessions.get(this.#account.id)
    if (!idle) return undefined
    idleSessions.delete(this.#account.id)
    clearTimeout(idle.timer)
    try {
      await idle.session.check()
      return idle.session
    } catch {
      idle.session.close()
      return undefined
    }
  }

  /** Ends a connection in an unknown state; the next one is new. */
  discard(): void {
    this.#session?.close()
    this.#session = undefined
  }

  /** Keeps the connection for the next piece of work. */
  release(): void {
    const session = this.#session
    this.#session = undefined
    if (!session?.isUsable) return
    const shelved = idleSessionsOf(this.#outside.outbound)
    const id = this.#account.id
    shelved.get(id)?.session.close()
    const timer = setTimeout(() => {
      session.close()
      if (shelved.get(id)?.session === session) shelved.delete(id)
    }, idleTimeoutMs).unref()
    shelved.set(id, { session, timer })
  }
}

function idleSessionsOf(outbound: Outbound): Map<string, IdleSession> {
  const sessions = sessionsByOutbound.get(outbound) ?? new Map<string, IdleSession>()
  sessionsByOutbound.set(outbound, sessions)
  return sessions
}

/** Ends idle connections: of one account, or all. */
export function closeSessions(outbound: Outbound, accountId?: string): void {
  const shelved = idleSessionsOf(outbound)
  for (const [id, { session, timer }] of shelved) {
    if (accountId !== undefined && id !== accountId) continue
    clearTimeout(timer)
    session.close()
    shelved.delete(id)
  }
}
