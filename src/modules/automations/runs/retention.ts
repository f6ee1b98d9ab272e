import { z } from 'zod'
import { jobKind } from '../../../operations/jobs/job.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { deleteOldRuns } from './access-retention.ts'

const batchSize = 200
const runRetention = 90 * dayLength
const skippedRetention = 7 * dayLength

export const pruneAutomationRuns = jobKind({
  name: 'prune_automation_runs',
  about: 'Deletes automation runs 90 days after they end, and skipped ones after a week',
  args: z.strictObject({}),
  concurrency: 1,
  async run(_, job) {
    if (!job.mayErase()) return { forgotten: 0 }
    let forgotten = 0
    for (const [retention, status] of [
      [runRetention, undefined],
      [skippedRetention, 'skipped'],
    ] as const) {
      for (let deletedCount = batchSize; deletedCount === batchSize; forgotten += deletedCount)
        deletedCount = await job.write((system) =>
          deleteOldRuns(system, job.now() - retention, batchSize, status),
        )
    }
    return { forgotten }
  },
})
