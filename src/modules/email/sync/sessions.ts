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
const keptFor = 60 * second

interface Kept {
  session: ImapSession
  end: NodeJS.Timeout
}

/** Idle connections kept between pieces of work, by outbound access: a login for each would cost more than the work. */
const sessionsByOutbound = new WeakMap<Outbound, Map<string, Kept>>()

/**
 * A connection of an account's own, logged in; anyone who gets it ends it. An access token that the server refuses is fetched anew once.
 * @throws NeedsSignIn once the account was marked so; MailFailure and Unreachable, which are worth another try
 */
export async function openSession(
  outside: Outside,
  account: MailAccount,
  { watches = false }: { watches?: boolean } = {},
): Promise<ImapSession> {
  if (!serversOf(outside.settings, account).imap)
    throw new MailFailure('gone', 'The account has no mail server.') // before anybody is asked to sign in to nowhere
  const credentials = await signInto(outside, account)
  try {
    return await beginImapSession(outside, account, credentials, watches)
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    if (error.trouble === 'token' && 'accessToken' in credentials)
      return retried(outside, account, credentials.accessToken, watches)
    if (error.trouble === 'login') throw await refusedLogin(outside, account, error)
    throw error
  }
}

async function retried(
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
      throw await refusedLogin(outside, account, error)
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

/** Retries once if a server refuses a previously valid login: some do so while they restart. */
async function refusedLogin(
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
export class Line {
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
    const shelved = shelf(this.#outside.outbound)
    const left = shelved.get(this.#account.id)
    if (!left) return undefined
    shelved.delete(this.#account.id)
    clearTimeout(left.end)
    try {
      await left.session.check()
      return left.session
    } catch {
      left.session.close()
      return undefined
    }
  }

  /** Ends a connection in an unknown state; the next one is new. */
  drop(): void {
    this.#session?.close()
    this.#session = undefined
  }

  /** Keeps the connection for the next piece of work. */
  leave(): void {
    const session = this.#session
    this.#session = undefined
    if (!session?.isUsable) return
    const shelved = shelf(this.#outside.outbound)
    const id = this.#account.id
    shelved.get(id)?.session.close()
    const end = setTimeout(() => {
      session.close()
      if (shelved.get(id)?.session === session) shelved.delete(id)
    }, keptFor).unref()
    shelved.set(id, { session, end })
  }
}

function shelf(outbound: Outbound): Map<string, Kept> {
  const there = sessionsByOutbound.get(outbound) ?? new Map<string, Kept>()
  sessionsByOutbound.set(outbound, there)
  return there
}

/** Ends idle connections: of one account, or all. */
export function closeSessions(outbound: Outbound, accountId?: string): void {
  const shelved = shelf(outbound)
  for (const [id, { session, end }] of shelved) {
    if (accountId !== undefined && id !== accountId) continue
    clearTimeout(end)
    session.close()
    shelved.delete(id)
  }
}
