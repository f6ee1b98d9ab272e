import { z } from 'zod'
import { jobKind } from '../../operations/jobs/job.ts'
import { dayLength } from '../../kernel/time/times.ts'
import { deleteOldDeliveries, deleteOrphanedSecrets } from './access-deliveries.ts'

const batchSize = 200

export const pruneWebhooks = jobKind({
  name: 'prune_webhooks',
  about:
    'Deletes deliveries that ended more than webhook_keep_days ago, and the secrets of erased webhooks',
  args: z.strictObject({}),
  concurrency: 1,
  async run(_, job) {
    const secrets = await job.write(deleteOrphanedSecrets)
    const days = job.settings.webhook_keep_days
    if (days === 0 || !job.mayErase()) return { forgotten: 0, secrets }
    const before = job.now() - days * dayLength
    let forgotten = 0
    for (let removedCount = batchSize; removedCount === batchSize; forgotten += removedCount)
      removedCount = await job.write((system) => deleteOldDeliveries(system, before, batchSize))
    return { forgotten, secrets }
  },
})
