// `server.json` in the data directory tells commands the server's address. It is not a lock: see lock.ts.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RunningServer {
  pid: number
  /** Base address of its links. */
  url: string
  /** Listening address, which differs from the public one behind a proxy. */
  listens_at: string
  started_at: string
}

/** Records the server's address. */
export function writeServerFile(dataDir: string, server: RunningServer): void {
  rmSync(serverFilePath(dataDir), { force: true })
  writeFileSync(serverFilePath(dataDir), `${JSON.stringify(server)}\n`, { mode: 0o600 })
}

export function removeServerFile(dataDir: string): void {
  rmSync(serverFilePath(dataDir), { force: true })
}

/** The server on this data directory, from its record; undefined if there is none or it is gone. */
export function runningServer(dataDir: string): RunningServer | undefined {
  try {
    const server = JSON.parse(readFileSync(serverFilePath(dataDir), 'utf8')) as RunningServer
    return isAlive(server.pid) ? server : undefined
  } catch {
    return undefined // no file, or one that a crash cut short
  }
}

const serverFilePath = (dataDir: string) => join(dataDir, 'server.json')

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM' // alive, but of another user
  }
}
