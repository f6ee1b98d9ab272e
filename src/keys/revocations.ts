// The list of revoked keys beside the database, applied at every start: restoring an older database, which leaves this
// file alone, does not reactivate a revoked key. Append-only.

import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const revocationSchema = z.object({ key_id: z.string(), lookup: z.string(), at: z.int() })

/** A key's revocation; `at` in milliseconds UTC. */
export type Revocation = z.infer<typeof revocationSchema>

/**
 * Appends a revocation to the list. Durable when this returns; synchronous, so that it can be part of a transaction.
 */
export function recordRevocation(dataDir: string, { key_id, lookup, at }: Revocation): void {
  const file = openSync(listPath(dataDir), 'a+', 0o600)
  try {
    const isNew = fstatSync(file).size === 0
    // A line cut short by a crash must not swallow the next one. One write, so that processes do not mix their lines.
    const start = isNew || endsWithNewline(file) ? '' : '\n'
    appendFileSync(file, `${start}${JSON.stringify({ key_id, lookup, at })}\n`)
    fsyncSync(file)
    if (isNew) syncDirectory(dataDir)
  } finally {
    closeSync(file)
  }
}

/** All recorded revocations, oldest first; empty if there is no list yet. Lines cut short by a crash are skipped. */
export function readRevocations(dataDir: string): Revocation[] {
  return readRevocationList(listPath(dataDir))
}

/** The same for another list, such as one of another data directory. */
export function readRevocationList(file: string): Revocation[] {
  return readIfExists(file).split('\n').flatMap(parseLine)
}

const listPath = (dataDir: string) => join(dataDir, 'revoked.log')

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function parseLine(line: string): Revocation[] {
  try {
    return [revocationSchema.parse(JSON.parse(line))]
  } catch {
    return []
  }
}

function endsWithNewline(file: number): boolean {
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, fstatSync(file).size - 1)
  return last.toString() === '\n'
}

/** Without this, a new file's name may be lost in a power failure although its content is safe. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return // Windows cannot open a directory
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
