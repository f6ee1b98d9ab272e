// A server that waits for its PostgreSQL database, or until another server on it has ended, and then takes that one's place.

import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import { databaseInUseCode } from '../../db/database-errors.ts'
import type { Store } from '../../db/open.ts'
import { exits, Stop } from '../exit.ts'
import { errorLog } from '../log.ts'

const lookEvery = 1000

/**
 * Opens what a server needs, as soon as the database can be reached: after a boot, PostgreSQL may start later. With --standby, also not
 * before the other server that uses the database and its data folder has ended.
 * @returns undefined where the server was to stop before that
 */
export async function openInTurn<T>(
  { standby, database }: Pick<Settings, 'standby' | 'database'>,
  stopped: Promise<unknown>,
  open: () => Promise<T>,
): Promise<T | undefined> {
  if (database === '') return open()
  const { isWithoutServer } = await import('../../db/postgres/open.ts')
  const attempt = () =>
    standby ? openUnlessServed(() => isWithoutServer(database), open) : openUnlessAway(open)
  const wait = { isOver: false, reason: '' }
  void stopped.then(() => (wait.isOver = true))
  while (!wait.isOver) {
    const { value, reason } = await attempt()
    if (value !== undefined) return value
    if (reason !== undefined && reason !== wait.reason)
      errorLog.info(standby ? 'standing by' : 'waiting for the database', { reason })
    wait.reason = reason ?? wait.reason
    await Promise.race([stopped, pause(lookEvery)])
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
  return reason === undefined ? ((await openedUnlessInUse(open)) ?? {}) : { reason }
}

/** A wrong password or a missing database is thrown: waiting does not mend them. */
async function openUnlessAway<T>(open: () => Promise<T>): Promise<Attempt<T>> {
  const { isAway } = await import('../../db/postgres/unreachable.ts')
  try {
    return { value: await open() }
  } catch (error) {
    if (!isAway(error)) throw error
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
