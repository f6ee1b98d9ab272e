import { statSync } from 'node:fs'
import type { Store } from './open.ts'

/** Bytes above which the write-ahead log is checkpointed and truncated. */
export const walSizeLimit = 64 * 2 ** 20

/** Bytes of a database's write-ahead log. */
export function walSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Checkpoints and truncates the write-ahead log if it exceeds the limit: after many commits at once, or during a long
 * read.
 * Called between the writer's transactions. Pages still being read are left for the next time.
 * @returns the size of the log before and after, if it was too large
 */
export function checkpointIfLarge(
  { path, raw }: Pick<Store, 'path' | 'raw'>,
  limit = walSizeLimit,
): { before: number; after: number } | undefined {
  const before = walSize(path)
  if (before <= limit || raw.write.inTransaction) return undefined
  raw.write.pragma('wal_checkpoint(TRUNCATE)')
  return { before, after: walSize(path) }
}
