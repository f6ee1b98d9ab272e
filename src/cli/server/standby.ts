// A server that waits until another one on the same PostgreSQL database has ended, and then takes its place.

import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import { databaseInUseCode } from '../../db/database-errors.ts'
import type { Store } from '../../db/open.ts'
import { exits, Stop } from '../exit.ts'
import { errorLog } from '../log.ts'

const lookEvery = 1000

/**
 * Opens what a server needs; with --standby, as soon as no other server uses the database and its data folder.
 * @returns undefined where the server was to stop before that
 */
export async function openInTurn<T>(
  { standby, database }: Pick<Settings, 'standby' | 'database'>,
  stopped: Promise<unknown>,
  open: () => Promise<T>,
): Promise<T | undefined> {
  if (!standby) return open()
  const { isWithoutServer } = await import('../../db/postgres/open.ts')
  const wait = { isOver: false, reason: '' }
  void stopped.then(() => (wait.isOver = true))
  while (!wait.isOver) {
    const reason = await reasonToWait(() => isWithoutServer(database))
    const opened = reason === undefined ? await openedUnlessInUse(open) : undefined
    if (opened) return opened.value
    if (reason !== undefined && reason !== wait.reason) errorLog.info('standing by', { reason })
    wait.reason = reason ?? wait.reason
    await Promise.race([stopped, pause(lookEvery)])
  }
  return undefined
}

async function reasonToWait(isFree: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await isFree()) ? undefined : 'another server uses the database'
  } catch (error) {
    return (error as Error).message // a database that cannot be reached may come back
  }
}

/** Another server that stands by may be faster, and one that ends gives its data folder back last. */
async function openedUnlessInUse<T>(open: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await open() }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === databaseInUseCode || (error instanceof Stop && error.exit === exits.inUse))
      return undefined
    throw error
  }
}

/** Ends this process once another server has taken its place, which can happen when its connections were cut. */
export function endWhenReplaced({ writer }: Pick<Store, 'writer'>): void {
  const previousHandler = writer.onFailure
  writer.onFailure = (code) => {
    if (code !== databaseInUseCode) return previousHandler?.(code)
    errorLog.error('another server has taken over the database; this one ends')
    process.exit(exits.inUse)
  }
}
