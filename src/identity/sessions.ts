import type { ExpressionBuilder, Expression, SqlBool } from 'kysely'
import { removeKeys } from '../audit/redact.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { newId, type Id } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Row } from '../records/resource.ts'
import { maxIdleMs, maxSessionMs } from '../kernel/time/session-times.ts'
import type { Store } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { tokenHash, isToken, newToken } from './tokens.ts'

const minute = 60_000
/** Milliseconds after entering a password during which keys may be created and revoked. */
export const verificationLifetime = 15 * minute
const useRecordInterval = minute
const maxPerPerson = 50
/** A session from further in the future means that the clock was set back: its age is unknown. */
const clockTolerance = 5 * minute

export type Session = Row<'web_sessions'>

/** A signed-in person. */
export interface SignedInPerson {
  actor: Actor & { session: Id<'web_sessions'> }
  session: Session
}

type SignedRow = Session & Pick<Row<'users'>, 'email' | 'display_name' | 'role' | 'timezone'>

const sessionByToken = `SELECT s.*, u.email, u.display_name, u.role, u.timezone FROM web_sessions s JOIN users u ON u.id = s.person_id
  WHERE s.token_hash = ? AND s.expires_at > ? AND s.last_used_at > ? AND s.created_at < ? AND u.status = 'active'`

/**
 * Resolves cookies to people. The row is read at every request, so a session ended by another process is refused from
 * the next one on.
 */
export class Sessions {
  readonly #store: Store
  readonly #clock: Clock
  readonly #log: Log

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Log }) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  /** The person with this cookie; undefined if it is invalid, or its session has ended. */
  async find(token: string | undefined): Promise<SignedInPerson | undefined> {
    if (token === undefined || !isToken(token)) return undefined
    const now = this.#clock.now()
    const row = await this.#store.committed.one<SignedRow>(
      sessionByToken,
      ...[tokenHash(token), now, now - maxIdleMs, now + clockTolerance],
    )
    if (!row) return undefined
    this.#noteUse(row, now)
    const { email, display_name, role, timezone, ...session } = row
    return {
      actor: {
        id: session.person_id as Id<'users'>,
        org_id: session.org_id,
        email,
        display_name,
        role,
        timezone,
        via: 'web',
        key: undefined,
        session: session.id,
      },
      session,
    }
  }

  #noteUse({ id, last_used_at }: Session, now: number): void {
    if (Math.abs(now - last_used_at) < useRecordInterval) return
    const { writer, write } = this.#store
    writer
      .append(() => write.run('UPDATE web_sessions SET last_used_at = ? WHERE id = ?', now, id))
      .catch((error: unknown) =>
        this.#log.error('the use of a session was not recorded', {
          session: id,
          error: (error as Error).message,
        }),
      )
  }
}

/** Whether the password was entered recently. */
export function isRecentlyVerified({ verified_at }: Session, now: number): boolean {
  return now - verified_at < verificationLifetime && verified_at - now < clockTolerance
}

export interface SessionFrom {
  ip: string
  client: string | undefined
  /** The identity provider of the sign-in, and the time of authentication there. */
  provider?: Pick<Session, 'provider_id' | 'provider_subject' | 'provider_sid' | 'verified_at'>
}

/** Creates a session; inside a writer job. The token is for the cookie alone. */
export async function beginSession(
  store: Store,
  now: number,
  person: Pick<Row<'users'>, 'id' | 'org_id'>,
  from: SessionFrom,
): Promise<{ token: string; session: Session }> {
  const { write } = store
  await endSessions(store, (eb) =>
    eb.or([eb('expires_at', '<=', now), eb('last_used_at', '<=', now - maxIdleMs)]),
  )
  const openSessions = await write
    .selectFrom('web_sessions')
    .select('id')
    .where('person_id', '=', person.id)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  for (const { id } of openSessions.slice(maxPerPerson - 1))
    await endSessions(store, (eb) => eb('id', '=', id))
  const token = newToken()
  const session: Session = {
    id: newId('wss', now),
    org_id: person.org_id,
    person_id: person.id,
    token_hash: tokenHash(token),
    created_at: now,
    expires_at: now + maxSessionMs,
    last_used_at: now,
    verified_at: now,
    ip: from.ip,
    client: from.client === undefined ? null : removeKeys(from.client.slice(0, 200)),
    provider_id: null,
    provider_subject: null,
    provider_sid: null,
    ...from.provider,
  }
  await write.insertInto('web_sessions').values(session).execute()
  return { token, session }
}

/** Storage location of the sealed ID token with which an identity provider began a session. */
export function idTokenLocation({ id, org_id }: Pick<Session, 'id' | 'org_id'>) {
  return { org_id, table: 'web_sessions', row_id: id, column: 'id_token' } as const
}

/** Ends sessions and deletes their sealed data; inside a writer job. */
export async function endSessions(
  { write }: Store,
  condition: (eb: ExpressionBuilder<Tables, 'web_sessions'>) => Expression<SqlBool>,
): Promise<Pick<Session, 'id' | 'org_id' | 'person_id'>[]> {
  const ended = await write
    .deleteFrom('web_sessions')
    .where(condition)
    .returning(['id', 'org_id', 'person_id', 'provider_id'])
    .execute()
  for (const { id, org_id, provider_id } of ended) {
    if (provider_id === null) continue
    const { table } = idTokenLocation({ id, org_id })
    await write
      .deleteFrom('secrets')
      .where('org_id', '=', org_id)
      .where('table_name', '=', table)
      .where('row_id', '=', id)
      .execute()
  }
  return ended
}

/** The sessions of a person, most recently used first. */
export function sessionsOf(store: Store, now: number, person: Id<'users'>): Promise<Session[]> {
  const openSessions = store.read
    .selectFrom('web_sessions')
    .selectAll()
    .where('person_id', '=', person)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', now - maxIdleMs)
  return openSessions.orderBy('last_used_at', 'desc').orderBy('id', 'desc').execute()
}
