// One server per data directory. The system releases the lock when the process ends, however it ends; a file with a
// process id would outlive a crash.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { CliError } from '../exit.ts'
import { runningServer } from './running-server.ts'

/**
 * Locks the data directory for this process. Nothing else in it may open and close the file: that would release the
 * lock.
 * @returns a function that releases it
 * @throws Stop if another server holds it
 */
export function takeLock(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'server.lock')
  closeSync(openSync(file, 'a', 0o600))
  const lock = new Database(file, { timeout: 0 })
  try {
    lock.pragma('journal_mode = MEMORY') // nothing is ever written, so no file is needed for it
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) throw error
    const other = runningServer(dataDir)
    throw new CliError(
      'inUse',
      `Another server uses ${dataDir}${other ? `: process ${other.pid}, at ${other.url}` : ''}. Stop it first, or use another --data.`,
    )
  }
  return () => lock.close()
}
