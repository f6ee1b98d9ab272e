import type { App } from '../operations/app.ts'
import type { JobRow } from './claims.ts'
import { recordSkipped, skippedMessage } from './rights.ts'

export type Ending =
  | { outcome: 'done'; result: string | null }
  | {
      outcome: 'failed'
      error: string /** Milliseconds until the next try; undefined: never again. */
      retryDelay: number | undefined
    }
  | { outcome: 'cancelled' }
  | { outcome: 'skipped' }
  /** Ended by the process: not the job's fault, so it restarts as if it had not begun. */
  | { outcome: 'released' }

const maxErrorLength = 2000

/**
 * Writes the outcome of an attempt in a writer job. False if the lease was lost meanwhile; another process then
 * decides.
 */
export function endJob(
  app: App,
  job: JobRow,
  ending: Ending,
  progress: string | null,
): Promise<boolean> {
  return app.store.writer.run(async () => {
    const row = await app.store.write
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', job.id)
      .where('lease', '=', job.lease)
      .where('attempts', '=', job.attempts)
      .executeTakeFirst()
    if (!row) return false
    const patch = {
      lease: null,
      progress_json: progress ?? row.progress_json,
      ...patchOf(app.clock.now(), row, ending),
    }
    await app.store.write.updateTable('jobs').set(patch).where('id', '=', job.id).execute()
    if (ending.outcome === 'skipped') await recordSkipped(app, row)
    return true
  })
}

function patchOf(now: number, row: JobRow, ending: Ending): Partial<JobRow> {
  const waiting = { state: 'waiting', run_at: now, queued_at: now } as const
  if (ending.outcome === 'released')
    return row.cancel_asked
      ? finishedAs(now, 'cancelled')
      : { ...waiting, attempts: row.attempts - 1 }
  if (ending.outcome === 'cancelled') return finishedAs(now, 'cancelled')
  if (ending.outcome === 'skipped')
    return { ...finishedAs(now, 'cancelled'), last_error: skippedMessage }
  if (ending.outcome === 'done') {
    if (row.asked_again)
      return {
        ...waiting,
        attempts: 0,
        asked_again: 0,
        last_error: null,
        result_json: ending.result,
      }
    return { ...finishedAs(now, 'done'), last_error: null, result_json: ending.result }
  }
  const last_error = cleanErrorText(ending.error)
  if (row.cancel_asked) return { ...finishedAs(now, 'cancelled'), last_error }
  if (ending.retryDelay === undefined || row.attempts >= row.most_attempts)
    return { ...finishedAs(now, 'dead'), last_error }
  return { ...waiting, run_at: now + ending.retryDelay, last_error }
}

function finishedAs<S extends JobRow['state']>(now: number, state: S) {
  return { state, finished_at: now }
}

/** Errors may repeat external text: removes control characters and limits the length. */
function cleanErrorText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, maxErrorLength)
}
