import type { App } from '../operations/app.ts'
import type { JobRow } from './claims.ts'
import { recordSkipped, skipped } from './rights.ts'

export type Ending =
  | { how: 'done'; result: string | null }
  | {
      how: 'failed'
      error: string /** Milliseconds until the next try; undefined: never again. */
      retryAt: number | undefined
    }
  | { how: 'cancelled' }
  | { how: 'skipped' }
  /** Ended by the process: not the job's fault, so it restarts as if it had not begun. */
  | { how: 'released' }

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
    if (ending.how === 'skipped') await recordSkipped(app, row)
    return true
  })
}

function patchOf(now: number, row: JobRow, ending: Ending): Partial<JobRow> {
  const waiting = { state: 'waiting', run_at: now, queued_at: now } as const
  if (ending.how === 'released')
    return row.cancel_asked ? ended(now, 'cancelled') : { ...waiting, attempts: row.attempts - 1 }
  if (ending.how === 'cancelled') return ended(now, 'cancelled')
  if (ending.how === 'skipped') return { ...ended(now, 'cancelled'), last_error: skipped }
  if (ending.how === 'done') {
    if (row.asked_again)
      return {
        ...waiting,
        attempts: 0,
        asked_again: 0,
        last_error: null,
        result_json: ending.result,
      }
    return { ...ended(now, 'done'), last_error: null, result_json: ending.result }
  }
  const last_error = cleanErrorText(ending.error)
  if (row.cancel_asked) return { ...ended(now, 'cancelled'), last_error }
  if (ending.retryAt === undefined || row.attempts >= row.most_attempts)
    return { ...ended(now, 'dead'), last_error }
  return { ...waiting, run_at: now + ending.retryAt, last_error }
}

function ended<S extends JobRow['state']>(now: number, state: S) {
  return { state, finished_at: now }
}

/** Errors may repeat external text: removes control characters and limits the length. */
function cleanErrorText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, maxErrorLength)
}
