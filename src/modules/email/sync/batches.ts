import { chunks } from '../../../kernel/chunks.ts'
import { isCommitFailure } from '../../../db/database-errors.ts'
import { describeError } from '../../../db/failures.ts'
import { NoRights, type Outside } from '../../../operations/jobs/job.ts'

/** Whether a failure is unrelated to the written items: a full disk, the end of the process, a deactivated person. */
function isUnrelatedFailure(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || error instanceof NoRights || isCommitFailure(error)
}

/**
 * Writes items in batches. If a batch fails, its items are written individually, and failing ones are skipped, so that
 * one bad message does not stop the sync.
 */
export async function writeInBatches<T>(
  outside: Outside,
  items: readonly T[],
  batchSize: number,
  write: (batch: readonly T[]) => Promise<unknown>,
  skip: (item: T) => Promise<unknown>,
): Promise<void> {
  for (const batch of chunks(items, batchSize)) {
    outside.signal.throwIfAborted()
    try {
      await write(batch)
    } catch (error) {
      if (isUnrelatedFailure(error, outside.signal)) throw error
      if (batch.length > 1) await writeInBatches(outside, batch, 1, write, skip)
      else {
        outside.log.error('a message of a mailbox could not be stored', {
          error: describeError(error),
        })
        await skip(batch[0]!)
      }
    }
  }
}
