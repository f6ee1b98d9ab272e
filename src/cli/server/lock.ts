// One server a data directory. The lock is one that the system drops when the process ends, however it ends; a file with a
// process id in it would outlive a crash.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Stop } from '../exit.ts'
import { runningServer } from './running-server.ts'

/**
 * Takes the data directory for this process. Nothing else in it may open and close the file: that would drop the lock.
 * @returns a function that gives it back
 * @throws Stop where another server has it
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
    throw new Stop(
      'inUse',
      `Another server uses ${dataDir}${other ? `: process ${other.pid}, at ${other.url}` : ''}. Stop it first, or use another --data.`,
    )
  }
  return () => lock.close()
}
