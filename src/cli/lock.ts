// One server a data directory. The lock is one that the system drops when the process ends, however it ends; a file with a
// process id in it would outlive a crash. `server.json` beside it only tells commands where the server is.

import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Stop } from './exit.ts'

export interface RunningServer {
  pid: number
  url: string
  started_at: string
}

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
    throw new Stop('inUse', `Another server has ${dataDir}${other ? `: process ${other.pid}, at ${other.url}` : ''}. Stop it first, or use another --data.`)
  }
  return () => lock.close()
}

/** Leaves word of where the server is. */
export function announce(dataDir: string, server: RunningServer): void {
  rmSync(place(dataDir), { force: true })
  writeFileSync(place(dataDir), `${JSON.stringify(server)}\n`, { mode: 0o600 })
}

export function withdraw(dataDir: string): void {
  rmSync(place(dataDir), { force: true })
}

/** The server that has this data directory, by the word that it left; undefined where there is none, or that is gone. */
export function runningServer(dataDir: string): RunningServer | undefined {
  try {
    const server = JSON.parse(readFileSync(place(dataDir), 'utf8')) as RunningServer
    return isAlive(server.pid) ? server : undefined
  } catch {
    return undefined // no file, or one that a crash cut short
  }
}

const place = (dataDir: string) => join(dataDir, 'server.json')

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM' // somebody else's, and alive
  }
}
