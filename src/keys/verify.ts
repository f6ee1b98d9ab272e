import { hash } from 'node:crypto'
import { BoundedMap } from '../kernel/bounded-map.ts'
import type { SqlText } from '../db/connection.ts'
import type { ActingConnection, ActingKey, Actor, Via } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import { maxIdleMs } from '../kernel/time/session-times.ts'
import { verifySecret } from './argon.ts'
import { bearerSecret, displayPrefix, parseKey } from './format.ts'
import { tokenHash, tokenKind, type TokenKind } from './tokens.ts'

const maxCachedKeys = 10_000
const cacheLifetime = 3600_000
const maxFailures = 5
const failureWindow = 60_000
const useRecordInterval = 60_000
const clockSlackMs = 5 * 60_000

/** Source and destination of a request. */
export interface CallOrigin {
  ip: string
  client?: string | undefined
  /** The called address with its origin; access tokens are valid only for their own. */
  url?: string | undefined
}

/** Columns of a token row in addition to those of its connection. */
interface TokenRow extends KeyRow {
  token_expires_at: number
  token_created_at: number
  resource: string
  redirect_uri: string
  asked: string
}

interface PersonRow {
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  email: string
  display_name: string
  role: 'admin' | 'member' | 'guest'
  timezone: string
}

/** A key's row with its owner's, read on every request. */
interface KeyRow extends PersonRow {
  id: Id<'api_keys'>
  name: string
  lookup: string
  secret_hash: string
  read_only: 0 | 1
  admin_grant: 0 | 1
  hold_outbound: 0 | 1
  toolsets_json: string | null
  expires_at: number | null
  revoked_at: number | null
  suspended_at: number | null
  /** Name of the person who paused it; null: suspended by an abuse rule. */
  paused_by: string | null
  last_used_at: number | null
  status: 'active' | 'invited' | 'deactivated'
}

const personById =
  "SELECT id AS owner_id, org_id, email, display_name, role, timezone FROM users WHERE id = ? AND status = 'active'"

const keyFields = `k.id, k.name, k.lookup, k.secret_hash, k.read_only, k.admin_grant, k.hold_outbound, k.toolsets_json, k.expires_at, k.revoked_at, k.suspended_at, (SELECT p.display_name FROM users p WHERE p.id = k.suspended_by) AS paused_by, k.last_used_at,
  k.org_id, k.owner_id, u.email, u.display_name, u.role, u.status, u.timezone`
const keyColumns = `SELECT ${keyFields} FROM api_keys k JOIN users u ON u.id = k.owner_id`
const tokenColumns = `SELECT ${keyFields}, t.expires_at AS token_expires_at, t.created_at AS token_created_at, c.resource, c.redirect_uri, c.asked
  FROM oauth_tokens t JOIN oauth_connections c ON c.key_id = t.key_id JOIN api_keys k ON k.id = c.key_id JOIN users u ON u.id = k.owner_id`

// Complete statements: concatenated text would have to be hashed again to find its prepared statement.
const keyByLookup = `${keyColumns} WHERE k.lookup = ?`
const keyById = `${keyColumns} WHERE k.id = ?`
const tokenByHash = `${tokenColumns} WHERE t.token_hash = ? AND t.kind = ?`
const usableKey =
  "SELECT 1 FROM api_keys k JOIN users u ON u.id = k.owner_id WHERE k.id = ? AND k.revoked_at IS NULL AND k.suspended_at IS NULL AND u.status = 'active'"
const activePerson = "SELECT 1 FROM users WHERE id = ? AND status = 'active'"
const liveSession =
  "SELECT 1 FROM web_sessions s JOIN users u ON u.id = s.person_id WHERE s.id = ? AND s.person_id = ? AND s.expires_at > ? AND s.last_used_at > ? AND u.status = 'active'"

/** A previously authenticated caller. */
type ActorReference = Pick<Actor, 'id' | 'via' | 'session'> & {
  key: { id: Id<'api_keys'> } | undefined
}

const keyRequired = [
  'A valid API key is required.',
  'Send it as "Authorization: Bearer svc_…". Create keys with `workspace keys create`. Tokens of connected programs (OAuth) are valid at /mcp only.',
] as const

/** Reason why a request with a key is not admitted. It is logged, but not shown to the caller. */
export class Unauthenticated extends Refusal {
  /** True: no key was sent, so the challenge carries no error. */
  readonly isAbsent: boolean
  /** A recognized but no longer valid key; the attempt may appear in its owner's log. */
  readonly knownKey: { id: Id<'api_keys'>; owner_id: Id<'users'>; org_id: Id<'orgs'> } | undefined

  constructor(
    absent: boolean,
    knownKey?: Unauthenticated['knownKey'],
    [message, hint]: readonly [message: string, hint: string] = keyRequired,
  ) {
    super('unauthenticated', message, hint)
    this.isAbsent = absent
    this.knownKey = knownKey
  }
}

/** A web app request without a session, or with an ended one. */
export class NotSignedIn extends Refusal {
  constructor(message = 'You are not signed in.', hint = 'Sign in with POST /web/sign-in.') {
    super('unauthenticated', message, hint)
  }
}

/**
 * Authenticates keys. Cheapest checks first: form and checksum, the row, its state, the cache, argon2 last. The row
 * is read at every request outside any transaction, so a key revoked by another process is refused from the next
 * request on.
 */
export class KeyGate {
  readonly #clock: Clock
  readonly #committed: SqlText
  readonly #write: SqlText
  /** SHA-256 of a key → the hash it was verified against, and its last use. */
  readonly #verified = new BoundedMap<string, { hash: string; at: number }>(maxCachedKeys)
  readonly #failures = new BoundedMap<string, { count: number; since: number }>(maxCachedKeys)
  readonly #used = new Map<string, { at: number; ip: string; client: string | undefined }>()

  constructor({ committed, write }: { committed: SqlText; write: SqlText }, clock: Clock) {
    this.#clock = clock
    this.#committed = committed
    this.#write = write
  }

  /**
   * The person of the key or access token in an Authorization header.
   * @throws Unauthenticated, or Refusal rate_limited or unavailable if too many secrets are being tried
   */
  async authenticate(
    authorization: string | undefined,
    via: Via,
    from: CallOrigin,
  ): Promise<Actor> {
    if (authorization === undefined) throw new Unauthenticated(true)
    const key = bearerSecret(authorization)
    if (key !== undefined && tokenKind(key) === 'wat')
      return await this.#byAccessToken(key, via, from)
    const parts = key === undefined ? undefined : parseKey(key)
    if (key === undefined || !parts) throw new Unauthenticated(false)
    const row = await this.#keyRow(parts.lookup)
    if (!row) throw new Unauthenticated(false)
    await this.#verify(key, parts.secret, row)
    if (!this.#isValid(row))
      throw new Unauthenticated(false, { id: row.id, owner_id: row.owner_id, org_id: row.org_id })
    this.#noteUse(row, from)
    return actorOf(row, via)
  }

  /** An access token is valid only for MCP, at the address it was issued for. */
  async #byAccessToken(token: string, via: Via, from: CallOrigin): Promise<Actor> {
    const row = await this.#tokenRow(token, 'access')
    if (!row) throw new Unauthenticated(false)
    const isForResource =
      via === 'mcp' && from.url !== undefined && isWithinResource(from.url, row.resource)
    if (!isForResource || !this.#isCurrent(row) || !this.#isValid(row))
      throw new Unauthenticated(false, { id: row.id, owner_id: row.owner_id, org_id: row.org_id })
    this.#noteUse(row, from)
    return { ...actorOf(row, via), key: { ...actingKeyOf(row), connection: connectionOf(row) } }
  }

  /** A token from the future means that the clock was set back: its age is unknown. */
  #isCurrent({ token_expires_at, token_created_at }: TokenRow): boolean {
    const now = this.#clock.now()
    return token_expires_at > now && token_created_at - now < clockSlackMs
  }

  /**
   * Inside a write transaction: verifies the current state of key or session, and person.
   * @throws NotSignedIn, Unauthenticated
   */
  async recheck(actor: Actor): Promise<void> {
    if (actor.session !== undefined && !(await this.#isSignedIn(actor, this.#write)))
      throw new NotSignedIn()
    const isActive = actor.key
      ? await this.#write.one(usableKey, actor.key.id)
      : await this.#write.one(activePerson, actor.id)
    const expired = actor.key?.expires_at != null && actor.key.expires_at <= this.#clock.now()
    if (!isActive || expired) throw new Unauthenticated(false)
  }

  /** The actor with the current state of key and person, for long-lived streams; undefined once either is no longer valid. */
  currentActor(actor: ActorReference): Promise<Actor | undefined> {
    return this.#currentActorOn(this.#committed, actor)
  }

  /** The same inside a write transaction. */
  currentActorInJob(actor: ActorReference): Promise<Actor | undefined> {
    return this.#currentActorOn(this.#write, actor)
  }

  async #currentActorOn(db: SqlText, actor: ActorReference): Promise<Actor | undefined> {
    if (!actor.key) {
      const person = await db.one<PersonRow>(personById, actor.id)
      return person && (await this.#isSignedIn(actor, db))
        ? { ...keyPersonOf(person, actor.via), key: undefined, session: actor.session }
        : undefined
    }
    const row = await db.one<KeyRow>(keyById, actor.key.id)
    return row && this.#isValid(row) && row.suspended_at === null
      ? actorOf(row, actor.via)
      : undefined
  }

  /** Also true if the actor has no session. */
  async #isSignedIn({ id, session }: Pick<Actor, 'id' | 'session'>, db: SqlText): Promise<boolean> {
    if (session === undefined) return true
    const now = this.#clock.now()
    return (await db.one(liveSession, session, id, now, now - maxIdleMs)) !== undefined
  }

  #keyRow(lookup: string): Promise<KeyRow | undefined> {
    return this.#committed.one<KeyRow>(keyByLookup, lookup)
  }

  #tokenRow(token: string, kind: 'access' | 'refresh'): Promise<TokenRow | undefined> {
    return this.#committed.one<TokenRow>(tokenByHash, tokenHash(token), kind)
  }

  /** Finds the owner of a working key or token, for keys that turn up in places where they should not be. */
  async recognize(text: string): Promise<Unauthenticated['knownKey']> {
    const kind = tokenKind(text)
    if (kind !== undefined) return await this.#recognizeToken(text, kind)
    const parts = parseKey(text)
    const row = parts && (await this.#keyRow(parts.lookup))
    if (!row || !this.#isValid(row)) return undefined
    try {
      await this.#verify(text, parts.secret, row)
    } catch (error) {
      if (error instanceof Refusal) return undefined // another secret, or too many tries
      throw error
    }
    return { id: row.id, owner_id: row.owner_id, org_id: row.org_id }
  }

  async #recognizeToken(text: string, kind: TokenKind): Promise<Unauthenticated['knownKey']> {
    const row = await this.#tokenRow(text, kind === 'wat' ? 'access' : 'refresh')
    return row && this.#isCurrent(row) && this.#isValid(row)
      ? { id: row.id, owner_id: row.owner_id, org_id: row.org_id }
      : undefined
  }

  /** Whether key and person are still valid in the database. */
  async isValid(actor: Actor): Promise<boolean> {
    return (await this.currentActor(actor)) !== undefined
  }

  /** Keys used since the last call, for last_used_at; clears the list. */
  takeUses(): { id: string; at: number; ip: string; client: string | undefined }[] {
    const uses = [...this.#used].map(([id, use]) => ({ id, ...use }))
    this.#used.clear()
    return uses
  }

  #isValid(row: KeyRow): boolean {
    const expired = row.expires_at !== null && row.expires_at <= this.#clock.now()
    return row.revoked_at === null && !expired && row.status === 'active'
  }

  async #verify(key: string, secret: string, row: KeyRow): Promise<void> {
    const digest = hash('sha256', key, 'base64')
    const now = this.#clock.monotonic()
    const cached = this.#verified.get(digest)
    if (cached && cached.hash === row.secret_hash && now - cached.at < cacheLifetime) {
      cached.at = now
      return
    }
    if (!this.#isValid(row)) return // refused by the caller; argon2 is not spent on it
    this.#checkFailures(row.lookup, now)
    if (!(await verifySecret(row.secret_hash, secret))) {
      this.#countFailure(row.lookup, now)
      throw new Unauthenticated(false)
    }
    this.#verified.set(digest, { hash: row.secret_hash, at: now })
  }

  #checkFailures(lookup: string, now: number): void {
    const failed = this.#failures.get(lookup)
    if (!failed) return
    if (now - failed.since > failureWindow) this.#failures.delete(lookup)
    else if (failed.count >= maxFailures)
      throw new Refusal('rate_limited', 'Too many attempts with a wrong secret for this key.', {
        retry_after_seconds: Math.ceil((failureWindow - (now - failed.since)) / 1000),
      })
  }

  #countFailure(lookup: string, now: number): void {
    const failed = this.#failures.get(lookup)
    if (failed) failed.count++
    else this.#failures.set(lookup, { count: 1, since: now })
  }

  #noteUse(row: KeyRow, from: CallOrigin): void {
    if (row.last_used_at !== null && this.#clock.now() - row.last_used_at < useRecordInterval)
      return
    this.#used.set(row.id, { at: this.#clock.now(), ip: from.ip, client: from.client })
  }
}

/** Whether a request is for the address that a token was issued for, or below it; selections in its query count too. */
function isWithinResource(url: string, resource: string): boolean {
  const [requested, issuedFor] = [new URL(url), new URL(resource)]
  if (requested.origin !== issuedFor.origin) return false
  if (issuedFor.pathname === '/sse' && requested.pathname === '/messages') return true
  const isBelow =
    requested.pathname === issuedFor.pathname ||
    requested.pathname.startsWith(`${issuedFor.pathname}/`)
  return isBelow && (issuedFor.search === '' || requested.search === issuedFor.search)
}

function connectionOf({ redirect_uri, asked, resource }: TokenRow): ActingConnection {
  return {
    isHosted: redirect_uri.startsWith('https://'),
    canAskToWrite:
      !/(^| )workspace:write( |$)/.test(asked) && !new URL(resource).pathname.endsWith('/readonly'),
    resource,
  }
}

function keyPersonOf(
  { owner_id, org_id, email, display_name, role, timezone }: PersonRow,
  via: Via,
): Omit<Actor, 'key'> {
  return { id: owner_id, org_id, email, display_name, role, timezone, via }
}

/** Reason why the key is temporarily refused. */
function stopReasonOf({
  suspended_at,
  paused_by,
}: KeyRow): Pick<ActingKey, 'suspended' | 'paused'> {
  if (suspended_at === null) return {}
  return paused_by === null ? { suspended: true } : { paused: { by: paused_by, at: suspended_at } }
}

function actorOf(row: KeyRow, via: Via): Actor {
  return { ...keyPersonOf(row, via), key: actingKeyOf(row) }
}

function actingKeyOf(row: KeyRow): ActingKey {
  return {
    id: row.id,
    name: row.name,
    prefix: displayPrefix(row.lookup),
    read_only: row.read_only === 1,
    admin_grant: row.admin_grant === 1,
    toolsets: row.toolsets_json === null ? undefined : (JSON.parse(row.toolsets_json) as string[]),
    expires_at: row.expires_at,
    hold_outbound: row.hold_outbound === 1,
    ...stopReasonOf(row),
  }
}
