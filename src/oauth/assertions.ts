import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet } from 'jose'
import type { Clock } from '../kernel/time/clock.ts'
import type { Store } from '../db/open.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { Unreachable } from '../outbound/guard.ts'
import { tokenHash } from '../keys/tokens.ts'
import type { OAuthClient } from './clients.ts'
import { OAuthError } from './errors.ts'
import type { Jwks } from './client-metadata.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const minute = 60_000
const skewSeconds = 60
const maxLifetimeSeconds = 3600
const jwksFreshMs = 5 * minute
const minFetchIntervalMs = 30_000
/**
 * Grace period in which the last valid keys count while they cannot be fetched: clients with a brief outage keep
 * their connections.
 */
const jwksStaleMs = 60 * minute
const maxCached = 200
const maxKeys = 50
/** Characters of an RSA modulus in base64url: 8192 bits. Larger ones are slow to compute with. */
const maxModulusLength = 1366

interface CachedJwks {
  /** The last successfully fetched keys, and the time. */
  keys: Jwks | undefined
  fetchedAt: number
  triedAt: number
  /** Why the last fetch failed. */
  problem: string | undefined
}

/** Verifies the signed assertions with which clients authenticate (private_key_jwt, RFC 7523). */
export class Assertions {
  readonly #dependencies: { store: Store; clock: Clock; outbound: Outbound }
  readonly #cached = new Map<string, CachedJwks>()

  constructor(parts: { store: Store; clock: Clock; outbound: Outbound }) {
    this.#dependencies = parts
  }

  /** @throws OAuthError invalid_client if the assertion is not the client's, is not for one of these audiences, or was used before */
  async verify(
    client: OAuthClient,
    assertion: string,
    audiences: readonly string[],
  ): Promise<void> {
    const now = this.#dependencies.clock.now()
    const { exp, jti } = await this.#verifySignature(client, assertion, audiences)
    if (exp === undefined || exp * 1000 - now > (maxLifetimeSeconds + skewSeconds) * 1000)
      throw invalid('Its exp has to be within an hour.')
    if (typeof jti !== 'string' || jti === '' || jti.length > 500) throw invalid('It has no jti.')
    await this.#consume(`${client.clientId}\n${jti}`, exp * 1000 + skewSeconds * 1000)
  }

  async #verifySignature(client: OAuthClient, assertion: string, audiences: readonly string[]) {
    for (const isLast of [false, true]) {
      const keys = client.jwks ?? (await this.#keysFor(client, isLast))
      try {
        const { payload } = await jwtVerify(assertion, createLocalJWKSet(usableKeySet(keys)), {
          issuer: client.clientId,
          subject: client.clientId,
          audience: [...audiences],
          algorithms: ['RS256', 'ES256'],
          clockTolerance: skewSeconds,
          currentDate: new Date(this.#dependencies.clock.now()),
        })
        return payload
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey && !isLast && !client.jwks) continue // keys were rotated
        if (isTokenError(error)) throw invalid('The client assertion is not valid.')
        throw error
      }
    }
    throw invalid('The client assertion is not valid.')
  }

  async #keysFor({ clientId, jwksUri }: OAuthClient, isRefetch: boolean): Promise<Jwks> {
    if (jwksUri === undefined) throw invalid('The client has no keys.')
    const now = this.#dependencies.clock.monotonic()
    const cachedKeys = this.#cached.get(jwksUri)
    const freshMs =
      isRefetch || cachedKeys?.problem !== undefined ? minFetchIntervalMs : jwksFreshMs
    if (cachedKeys && now - cachedKeys.triedAt < freshMs) return usableKeys(cachedKeys, now)
    const fetched = await this.#fetch(jwksUri, clientId)
    const cached: CachedJwks =
      'problem' in fetched
        ? {
            keys: cachedKeys?.keys,
            fetchedAt: cachedKeys?.fetchedAt ?? 0,
            triedAt: now,
            ...fetched,
          }
        : { keys: fetched, fetchedAt: now, triedAt: now, problem: undefined }
    this.#cached.delete(jwksUri)
    if (this.#cached.size >= maxCached) this.#cached.clear()
    this.#cached.set(jwksUri, cached)
    return usableKeys(cached, now)
  }

  /**
   * A failed fetch is the client's problem to fix, so it is reported as failed client authentication, not as a server
   * error.
   */
  async #fetch(jwksUri: string, clientId: string): Promise<Jwks | { problem: string }> {
    const subject = `The keys of ${clientId} at ${jwksUri}`
    try {
      const { status, body, isTruncated } = await this.#dependencies.outbound.request(
        jwksUri,
        { headers: { accept: 'application/json' } },
        { timeoutMs: 5000 },
      )
      if (status !== 200) return { problem: `${subject} were answered with ${status}.` }
      if (isTruncated) return { problem: `${subject} are larger than 64 KiB.` }
      const value = JSON.parse(body.toString('utf8')) as Partial<Jwks> | null
      if (!Array.isArray(value?.keys)) return { problem: `${subject} are not a JWK set.` }
      if (value.keys.length > maxKeys)
        return { problem: `${subject} are more than ${maxKeys}: publish those in use only.` }
      return { keys: value.keys.filter((key) => key !== null && typeof key === 'object') }
    } catch (error) {
      if (error instanceof Unreachable)
        return { problem: `${subject} could not be fetched. Try again once they can be.` }
      if (error instanceof SyntaxError) return { problem: `${subject} are not a JWK set.` }
      throw error
    }
  }

  async #consume(name: string, expiresAt: number): Promise<void> {
    const { store, clock } = this.#dependencies
    const isNew = await store.writer.run(async () => {
      await store.write
        .deleteFrom('oauth_assertions')
        .where('expires_at', '<=', clock.now())
        .execute()
      const { numInsertedOrUpdatedRows } = await store.write
        .insertInto('oauth_assertions')
        .values({ jti_hash: tokenHash(name), expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    })
    if (!isNew) throw invalid('The client assertion was used before.')
  }
}

/** @throws OAuthError invalid_client */
function usableKeys({ keys, fetchedAt, problem }: CachedJwks, now: number): Jwks {
  if (keys !== undefined && (problem === undefined || now - fetchedAt < jwksStaleMs)) return keys
  throw invalid(problem ?? 'The client has no keys.')
}

/**
 * True if the token or its key is at fault. A key that cannot be imported causes a DOMException, a key that is too
 * short a TypeError.
 */
function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException
  )
}

function usableKeySet({ keys }: Jwks): JSONWebKeySet {
  const usable = keys.filter(
    (key) => key.kty === 'EC' || (typeof key.n === 'string' && key.n.length <= maxModulusLength),
  )
  return { keys: usable.map((key) => ({ ...key, kty: String(key.kty) })) }
}

const invalid = (reason: string) => new OAuthError('invalid_client', reason)
