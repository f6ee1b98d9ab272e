import { hash, randomFillSync } from 'node:crypto'
import type { Connection } from '../db/connection.ts'
import { newId, type Id } from '../kernel/ids.ts'
import type { CallEntry } from './entry.ts'
import { redactClient, removeKeys } from './redact.ts'
import type { Spill } from './spill.ts'

export const firstHash = '0'.repeat(64)

/** Columns covered by a call's hash, in this order. */
const chainedColumns = [
  'id',
  'org_id',
  'seq',
  'at',
  'request_id',
  'actor_id',
  'key_id',
  'transport',
  'tool',
  'kind',
  'status',
  'error_code',
  'result_count',
  'changed',
  'duration_us',
  'idempotency_key',
  'items_json',
  'details_hash',
] as const

export type ChainedCall = Record<(typeof chainedColumns)[number], string | number | null>

/** SHA-256 of the previous hash and this entry's columns as a JSON list. */
export function callHash(prevHash: string, row: ChainedCall): string {
  return sha256(prevHash + JSON.stringify(chainedColumns.map((column) => row[column])))
}

export function detailsHash(salt: string, details: string): string {
  return sha256(salt + details)
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

const saltBytes = 12
const saltPool = Buffer.alloc(saltBytes * 256)
let usedBytes = saltPool.length

/** Draws random bytes for many salts at once: one draw costs more than the rest of an entry. */
function newSalt(): string {
  if (usedBytes === saltPool.length) {
    randomFillSync(saltPool)
    usedBytes = 0
  }
  return saltPool.toString('base64url', usedBytes, (usedBytes += saltBytes))
}

const insertCall = `INSERT INTO calls (${chainedColumns.join(', ')}, details_json, salt, prev_hash, hash) VALUES (${chainedColumns.map(() => '?').join(', ')}, ?, ?, ?, ?)`

/** Appends to the call log. Used only inside writer jobs, so that the chain cannot fork. */
export class CallLog {
  readonly #write: Connection
  /** Keeps the entries of reads while the database cannot store them; set only on a server. */
  spill: Spill | undefined

  constructor(write: Connection) {
    this.#write = write
  }

  async append(call: CallEntry): Promise<void> {
    const entry = redactEntry(call)
    const last = await this.#write.one<{ seq: number; hash: string }>(
      'SELECT seq, hash FROM calls WHERE org_id = ? ORDER BY seq DESC LIMIT 1',
      entry.org_id,
    )
    const salt = newSalt()
    const details = JSON.stringify(entry.details)
    const row: ChainedCall = {
      ...entry,
      seq: (last?.seq ?? 0) + 1,
      items_json: JSON.stringify(entry.items),
      details_hash: detailsHash(salt, details),
    }
    const prev = last?.hash ?? firstHash
    await this.#write.run(
      insertCall,
      ...chainedColumns.map((column) => row[column]),
      details,
      salt,
      prev,
      callHash(prev, row),
    )
  }

  /** Appends entries kept elsewhere, except those already appended by a process that then crashed. */
  async appendMissing(entries: readonly CallEntry[]): Promise<void> {
    for (const entry of entries)
      if (!(await this.#write.one('SELECT 1 FROM calls WHERE id = ?', entry.id)))
        await this.append(entry)
  }

  /** Keeps an entry that the database failed to store. @throws that failure if the entry cannot be kept */
  spillEntry(entry: CallEntry, failure: unknown): void {
    const code = String((failure as { code?: string }).code)
    if (!this.spill || !/^(SQLITE_(FULL|IOERR)|53100)/.test(code)) throw failure
    try {
      this.spill.keep(redactEntry(entry))
    } catch {
      throw failure // report why the database did not store it
    }
  }
}

/**
 * Removes anything that looks like a key from what callers say about themselves. Done here so that every entry is
 * covered.
 */
function redactEntry(entry: CallEntry): CallEntry {
  const { tool, idempotency_key, details } = entry
  return {
    ...entry,
    tool: removeKeys(tool),
    idempotency_key: idempotency_key === null ? null : removeKeys(idempotency_key),
    details: { ...details, client: redactClient(details.client) },
  }
}

export function newCallId(now: number): Id<'calls'> {
  return newId('clg', now)
}
