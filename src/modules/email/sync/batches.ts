import { chunks } from '../../../kernel/chunks.ts'
import { isCommitFailure } from '../../../db/database-errors.ts'
import { describeError } from '../../../db/failures.ts'
import { NoRights, type Outside } from '../../../operations/jobs/job.ts'

/** Failures that say nothing of what was to be written: the disk, the end of the process, someone who was deactivated meanwhile. */
function isElsewhere(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || error instanceof NoRights || isCommitFailure(error)
}

/**
 * Writes things some at a time. Where a write fails, they are written one by one, and the one that fails by itself is left out: one
 * bad message stops no sync.
 */
export async function writePieces<T>(
  outside: Outside,
  things: readonly T[],
  batchSize: number,
  write: (batch: readonly T[]) => Promise<unknown>,
  leaveOut: (item: T) => Promise<unknown>,
): Promise<void> {
  for (const batch of chunks(things, batchSize)) {
    outside.signal.throwIfAborted()
    try {
      await write(batch)
    } catch (error) {
      if (isElsewhere(error, outside.signal)) throw error
      if (batch.length > 1) await writePieces(outside, batch, 1, write, leaveOut)
      else {
        outside.log.error('a message of a mailbox could not be stored', {
          error: describeError(error),
        })
        await leaveOut(batch[0]!)
      }
    }
  }
}
