import { z } from 'zod'
import { jobKind } from '../../operations/jobs/job.ts'
import { dayLength } from '../../kernel/time/times.ts'
import { forgetEntries, forgetMails, pruneJobRuns } from './access-house.ts'
import { fireReminder } from './due-reminders.ts'
import { mailJob } from './mails.ts'

const piece = 500
/** Unread entries are kept this many times longer. */
const unreadTimes = 4

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
    const forgotten = { notifications: 0, mails: 0 }
    for (let deletedCount = piece; deletedCount === piece; forgotten.notifications += deletedCount)
      deletedCount = await job.write((system) =>
        forgetEntries(
          system,
          { read: before, unread: job.now() - unreadTimes * days * dayLength },
          piece,
        ),
      )
    for (let deletedMails = piece; deletedMails === piece; forgotten.mails += deletedMails)
      deletedMails = await job.write((system) => forgetMails(system, before, piece))
    for (let deletedCount = piece; deletedCount === piece; )
      deletedCount = await job.write((system) =>
        pruneJobRuns(system, [fireReminder.name, mailJob], job.now() - 7 * dayLength, piece),
      )
    return forgotten
  },
})
