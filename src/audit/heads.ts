// Detects truncated or rewritten hash chains, which a chain cannot reveal by itself. The end of each chain is signed
// periodically and written to `audit-heads.log`; a copy may be kept out of the server's reach.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { SqlText } from '../db/connection.ts'
import { appendLines, readLines } from './lines.ts'
import { firstHash } from './record.ts'
import { isValidSignature, ownPublicKey, recordSigner, loadSigner } from './signing.ts'

/**
 * `head`: the chain ended here at that moment. `sealed`: entries up to here were sealed and will be deleted.
 * `restored`: a restored backup ended here; later signed entries are no longer expected.
 */
export type HeadEvent = 'head' | 'sealed' | 'restored'

export interface ChainEnd {
  org_id: string
  seq: number
  hash: string
}

/** A signed line of `audit-heads.log`. `prev`: SHA-256 of the line before. */
export interface Head extends ChainEnd {
  event: HeadEvent
  at: string
  prev: string
  key: string
  signature: string
}

export const headsPath = (dataDir: string) => join(dataDir, 'audit-heads.log')

export function chainEnds(db: SqlText): Promise<ChainEnd[]> {
  return db.all<ChainEnd>(
    'SELECT c.org_id, c.seq, c.hash FROM orgs o JOIN calls c ON c.org_id = o.id AND c.seq = (SELECT max(m.seq) FROM calls m WHERE m.org_id = o.id) ORDER BY o.id',
  )
}

/** Signs the end of each chain unless it was signed already. Returns the number of lines written. */
export async function signHeads(db: SqlText, dataDir: string, now: number): Promise<number> {
  const currentEnds = await chainEnds(db)
  const heads = readLines(headsPath(dataDir)).flatMap(parseHead)
  const publicKey = ownPublicKey(dataDir)
  // An earlier process may have ended between writing the two files.
  if (publicKey !== undefined && heads.some(({ key }) => key === publicKey))
    recordSigner(dataDir, publicKey)
  const signed = new Map(heads.map((head) => [head.org_id, head]))
  const unsignedEnds = currentEnds.filter((end) => signed.get(end.org_id)?.hash !== end.hash)
  return addHeads(dataDir, 'head', unsignedEnds, now)
}

/** Signs these ends and appends them; durable when this returns. */
export function addHeads(
  dataDir: string,
  event: HeadEvent,
  newEnds: readonly ChainEnd[],
  now: number,
): number {
  if (newEnds.length === 0) return 0
  const signer = loadSigner(dataDir)
  const last = readLines(headsPath(dataDir)).at(-1)
  let prev = last === undefined ? firstHash : hashOfLine(last)
  const lines = newEnds.map(({ org_id, seq, hash }) => {
    const unsigned = {
      event,
      at: new Date(now).toISOString(),
      org_id,
      seq,
      hash,
      prev,
      key: signer.key,
    }
    const line = JSON.stringify({ ...unsigned, signature: signer.sign(signedText(unsigned)) })
    prev = hashOfLine(line)
    return line
  })
  appendLines(headsPath(dataDir), ...lines)
  recordSigner(dataDir, signer.key)
  return lines.length
}

/** Appends missing lines to the remote copy. */
export function copyHeads(dataDir: string, copyPath: string): void {
  const copiedLines = new Set(readLines(copyPath))
  appendLines(copyPath, ...readLines(headsPath(dataDir)).filter((line) => !copiedLines.has(line)))
}

/** Parses a line as a head; empty if invalid, such as a line cut short by a crash. */
export function parseHead(line: string): Head[] {
  try {
    const head = JSON.parse(line) as Head
    return typeof head.signature === 'string' && typeof head.seq === 'number' ? [head] : []
  } catch {
    return []
  }
}

/** Whether the holder of its key signed this exact head. */
export function isGenuine(head: Head): boolean {
  return isValidSignature(signedText(head), head.key, head.signature)
}

export function hashOfLine(line: string): string {
  return createHash('sha256').update(line).digest('hex')
}

function signedText({ event, at, org_id, seq, hash, prev, key }: Omit<Head, 'signature'>): string {
  return JSON.stringify([event, at, org_id, seq, hash, prev, key])
}
