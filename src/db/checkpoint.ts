import { statSync } from 'node:fs'
import type { Store } from './open.ts'

/** Over this many bytes the log beside the database is brought back into it and cut. */
export const logLimit = 64 * 2 ** 20

/** Bytes of the log beside a database. */
export function logSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Cuts the log beside the database where it has grown over the limit: after many commits at once, or while something long was read.
 * Called between the writer's transactions. Pages that are still being read are left for the next time.
 * @returns the size of the log before and after, where it was too large
 */
export function checkpointIfLarge(
  { path, raw }: Pick<Store, 'path' | 'raw'>,
  limit = logLimit,
): { before: number; after: number } | undefined {
  const before = logSize(path)
  if (before <= limit || raw.write.inTransaction) return undefined
  raw.write.pragma('wal_checkpoint(TRUNCATE)')
  return { before, after: logSize(path) }
}
