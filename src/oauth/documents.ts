// Clients identified by the address of a document on their own site (client ID metadata documents). The address comes
// from anyone who starts an authorization, so fetching is limited: through the guarded outbound client, no redirects,
// 64 KiB, 5 seconds, and a maximum of unknown addresses per minute.

import type { Meter } from '../kernel/meter.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { dayLength } from '../kernel/time/times.ts'
import type { Store } from '../db/open.ts'
import type { Limits } from '../limits/limits.ts'
import { Unreachable } from '../outbound/guard.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Row } from '../records/resource.ts'
import { findStoredClient, metadataColumns, newClientRow } from './clients.ts'
import { OAuthError } from './errors.ts'
import { knownDocument } from './known-clients.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { parseMetadata } from './metadata.ts'

const minute = 60_000
const fetchTimeoutMs = 5000
const maxBytes = 64 * 1024
const minFreshMs = 5 * minute
const maxAgeMs = dayLength
const retryAfterFailureMs = minute
/** Grace period in which the last valid document counts while it cannot be fetched. */
const staleMs = 30 * dayLength
const fetchQuotas = {
  total: { perMinute: 20, burst: 20 },
  perCaller: { perMinute: 5, burst: 5 },
} as const

interface Dependencies {
  meter?: Meter
  store: Store
  clock: Clock
  outbound: Outbound
  limits: Limits
}

/** True if a client id is the address of a document: https on port 443 with a path, in its normalized spelling. */
export function isDocumentAddress(clientId: string): boolean {
  const url = clientId.length <= 1000 ? URL.parse(clientId) : null
  return (
    url?.protocol === 'https:' &&
    url.href === clientId &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    url.pathname !== '/' &&
    !clientId.includes('#') &&
    !/%2e|%2f|%5c/i.test(clientId)
  )
}

/** Finds clients by their documents, and caches fetched ones. */
export class ClientDocuments {
  readonly #parts: Dependencies
  readonly #pending = new Map<string, Promise<Row<'oauth_clients'>>>()

  constructor(parts: Dependencies) {
    this.#parts = parts
  }

  /** @throws OAuthError invalid_client if there is no usable document */
  async find(clientId: string, ip: string): Promise<Row<'oauth_clients'>> {
    const { store, clock } = this.#parts
    const row = await findStoredClient(store, clientId)
    if (row?.fresh_until != null && row.fresh_until > clock.now())
      return usableRow(row, clock.now())
    const pending = this.#pending.get(clientId)
    if (pending) return pending
    this.#takeQuota(row, ip)
    const work = this.#refresh(clientId, row).finally(() => this.#pending.delete(clientId))
    this.#pending.set(clientId, work)
    return work
  }

  #takeQuota(row: Row<'oauth_clients'> | undefined, ip: string): void {
    const { spending } = this.#parts.limits
    const wait = Math.max(
      row ? 0 : spending.tryTake('127.0.0.1', 'client documents', fetchQuotas.total),
      spending.tryTake(ip, 'client documents of a caller', fetchQuotas.perCaller),
    )
    if (wait > 0)
      throw new OAuthError('slow_down', 'Too many client documents were asked for.', {
        status: 429,
        retryAfterSeconds: wait,
      })
  }

  async #refresh(
    clientId: string,
    row: Row<'oauth_clients'> | undefined,
  ): Promise<Row<'oauth_clients'>> {
    const now = this.#parts.clock.now()
    const fetched = await this.#fetch(clientId)
    this.#parts.meter?.recordConnectingStep('document', 'metadata' in fetched ? 'ok' : 'failed')
    if ('metadata' in fetched)
      return this.#store(clientId, fetched.metadata, {
        fetched_at: now,
        fresh_until: now + fetched.freshMs,
        problem: null,
      })
    const failed = { fresh_until: now + retryAfterFailureMs, problem: fetched.problem }
    const builtInCopy = knownDocument(clientId)
    if (row?.fetched_at == null && builtInCopy)
      return this.#store(clientId, builtInCopy, { fetched_at: null, ...failed })
    if (row) return usableRow(await this.#storeFailure(row, failed), now)
    throw new OAuthError('invalid_client', fetched.problem)
  }

  async #fetch(
    clientId: string,
  ): Promise<{ metadata: ClientMetadata; freshMs: number } | { problem: string }> {
    try {
      const { status, headers, body, isTruncated } = await this.#parts.outbound.request(
        clientId,
        { headers: { accept: 'application/json' } },
        { timeoutMs: fetchTimeoutMs, maxBytes },
      )
      if (status !== 200) return { problem: `The client document was answered with ${status}.` }
      if (isTruncated) return { problem: 'The client document is larger than 64 KiB.' }
      if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
        return { problem: 'The client document is not JSON.' }
      const value = JSON.parse(body.toString('utf8')) as { client_id?: unknown } | null
      if (value?.client_id !== clientId)
        return { problem: 'The client document names another client_id.' }
      const metadata = parseMetadata(value)
      if (metadata.methods.every((method) => method.startsWith('client_secret_')))
        return { problem: 'A client with a document cannot have a secret.' }
      const methods = metadata.methods.filter((method) => !method.startsWith('client_secret_'))
      return { metadata: { ...metadata, methods }, freshMs: freshnessOf(headers['cache-control']) }
    } catch (error) {
      if (error instanceof Unreachable)
        return { problem: 'The client document could not be fetched.' }
      if (error instanceof OAuthError) return { problem: error.message }
      if (error instanceof SyntaxError) return { problem: 'The client document is not JSON.' }
      throw error
    }
  }

  #store(
    clientId: string,
    metadata: ClientMetadata,
    state: Pick<Row<'oauth_clients'>, 'fetched_at' | 'fresh_until' | 'problem'>,
  ): Promise<Row<'oauth_clients'>> {
    const { store, clock } = this.#parts
    const values = {
      ...newClientRow(clientId, 'document', metadata, { now: clock.now() }),
      ...state,
    }
    return store.writer.run(() =>
      store.write
        .insertInto('oauth_clients')
        .values(values)
        .onConflict((conflict) =>
          conflict.column('client_id').doUpdateSet({ ...metadataColumns(metadata), ...state }),
        )
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  async #storeFailure(
    row: Row<'oauth_clients'>,
    failed: Pick<Row<'oauth_clients'>, 'fresh_until' | 'problem'>,
  ): Promise<Row<'oauth_clients'>> {
    const { store } = this.#parts
    await store.writer.run(() =>
      store.write
        .updateTable('oauth_clients')
        .set(failed)
        .where('client_id', '=', row.client_id)
        .execute(),
    )
    return { ...row, ...failed }
  }
}

/** The last good document is valid for a while; our own copy as long as the document cannot be fetched. */
function usableRow(row: Row<'oauth_clients'>, now: number): Row<'oauth_clients'> {
  const isPinned = row.fetched_at === null && knownDocument(row.client_id) !== undefined
  if (row.problem === null || isPinned) return row
  if (row.fetched_at !== null && now - row.fetched_at < staleMs) return row
  throw new OAuthError('invalid_client', row.problem)
}

function freshnessOf(cacheControl: string | undefined): number {
  const seconds = Number(/\bmax-age=(\d{1,9})\b/i.exec(cacheControl ?? '')?.[1] ?? 0)
  return Math.min(Math.max(seconds * 1000, minFreshMs), maxAgeMs)
}
