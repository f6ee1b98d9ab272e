import { z } from 'zod'
import { jobKind } from '../../operations/jobs/job.ts'
import { dayLength } from '../../kernel/time/times.ts'
import { deleteOldEntries, deleteOldMails, deleteFinishedJobs } from './access-upkeep.ts'
import { fireReminder } from './due-reminders.ts'
import { mailJob } from './mails.ts'

const batchSize = 500
/** Unread entries are kept this many times longer. */
const unreadFactor = 4

export const pruneNotifications = jobKind({
  name: 'prune_notifications',
  about:
    'Deletes notifications read more than notification_keep_days ago, unread ones after four times as long, and the emails about them',
  args: z.strictObject({}),
  concurrency: 1,
  async run(_, job) {
    const days = job.settings.notification_keep_days
    if (days === 0 || !job.mayErase()) return { notifications: 0, mails: 0 }
    const before = job.now() - days * dayLength
    const deleted = { notifications: 0, mails: 0 }
    for (
      let deletedCount = batchSize;
      deletedCount === batchSize;
      deleted.notifications += deletedCount
    )
      deletedCount = await job.write((system) =>
        deleteOldEntries(
          system,
          { read: before, unread: job.now() - unreadFactor * days * dayLength },
          batchSize,
        ),
      )
    for (let deletedMails = batchSize; deletedMails === batchSize; deleted.mails += deletedMails)
      deletedMails = await job.write((system) => deleteOldMails(system, before, batchSize))
    for (let deletedCount = batchSize; deletedCount === batchSize; )
      deletedCount = await job.write((system) =>
        deleteFinishedJobs(
          system,
          [fireReminder.name, mailJob],
          job.now() - 7 * dayLength,
          batchSize,
        ),
      )
    return deleted
  },
})
