import { z } from 'zod'
import { jobKind } from '../../operations/jobs/job.ts'
import { dayLength } from '../../kernel/time/times.ts'
import { deleteOldJobs } from './access.ts'

const batchSize = 200

export const pruneJobs = jobKind({
  name: 'prune_jobs',
  about: 'Deletes jobs that ended more than jobs_keep_days ago',
  args: z.strictObject({}),
  concurrency: 1,
  async run(_, job) {
    const days = job.settings.jobs_keep_days
    if (days === 0 || !job.mayErase()) return { forgotten: 0 }
    const before = job.now() - days * dayLength
    let forgotten = 0
    for (let removedCount = batchSize; removedCount === batchSize; forgotten += removedCount) {
      removedCount = await job.write((system) => deleteOldJobs(system, before, batchSize))
      job.progress(forgotten + removedCount)
    }
    return { forgotten }
  },
})
