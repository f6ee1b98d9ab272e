// A server that waits for its PostgreSQL database, or for another server on it to end, and then takes over.

import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import { databaseInUseCode } from '../../db/database-errors.ts'
import type { Store } from '../../db/open.ts'
import { exitCodes, CliError } from '../exit.ts'
import { errorLog } from '../log.ts'

const retryIntervalMs = 1000

/**
 * Opens a server's resources once the database is reachable: after a boot, PostgreSQL may start later. With
 * --standby, also waits for the other server on the database and data directory to end.
 * @returns undefined if the server was stopped before
 */
export async function openWhenAvailable<T>(
  { standby, database }: Pick<Settings, 'standby' | 'database'>,
  stopped: Promise<unknown>,
  open: () => Promise<T>,
): Promise<T | undefined> {
  if (database === '') return open()
  const { hasNoServer } = await import('../../db/postgres/open.ts')
  const attempt = () =>
    standby ? openUnlessServed(() => hasNoServer(database), open) : openUnlessUnreachable(open)
  const waiting = { isOver: false, reason: '' }
  void stopped.then(() => (waiting.isOver = true))
  while (!waiting.isOver) {
    const { value, reason } = await attempt()
    if (value !== undefined) return value
    if (reason !== undefined && reason !== waiting.reason)
      errorLog.info(standby ? 'standing by' : 'waiting for the database', { reason })
    waiting.reason = reason ?? waiting.reason
    await Promise.race([stopped, pause(retryIntervalMs)])
  }
  return undefined
}

/** The outcome of one try: the value, or the reason to wait. */
interface Attempt<T> {
  value?: T
  reason?: string | undefined
}

async function openUnlessServed<T>(
  isFree: () => Promise<boolean>,
  open: () => Promise<T>,
): Promise<Attempt<T>> {
  const reason = await reasonToWait(isFree)
  return reason === undefined ? ((await openUnlessInUse(open)) ?? {}) : { reason }
}

/** Throws on a wrong password or missing database: waiting does not fix them. */
async function openUnlessUnreachable<T>(open: () => Promise<T>): Promise<Attempt<T>> {
  const { isTemporarilyUnreachable } = await import('../../db/postgres/unreachable.ts')
  try {
    return { value: await open() }
  } catch (error) {
    if (!isTemporarilyUnreachable(error)) throw error
    return { reason: (error as Error).message }
  }
}

async function reasonToWait(isFree: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await isFree()) ? undefined : 'another server uses the database'
  } catch (error) {
    return (error as Error).message // a database that cannot be reached may come back
  }
}

/** Another standby server may be faster, and a stopping server releases its data directory last. */
async function openUnlessInUse<T>(open: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await open() }
  } catch (error) {
    const { code } = error as { code?: string }
    if (
      code === databaseInUseCode ||
      (error instanceof CliError && error.exitCode === exitCodes.inUse)
    )
      return undefined
    throw error
  }
}

/** Ends this process once another server has replaced it, which can happen when its connections were cut. */
export function endWhenReplaced({ writer }: Pick<Store, 'writer'>): void {
  const previousHandler = writer.onFailure
  writer.onFailure = (code) => {
    if (code !== databaseInUseCode) return previousHandler?.(code)
    errorLog.error('another server has taken over the database; this one ends')
    process.exit(exitCodes.inUse)
  }
}
