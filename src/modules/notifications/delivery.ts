import { z } from 'zod'
import { DeliveryFailure, sendLetter, type SmtpMessage } from '../../connectors/smtp/smtp.ts'
import type { WriteContext } from '../../operations/context.ts'
import { jobKind, type JobContext } from '../../operations/jobs/job.ts'
import { instanceRelay } from '../../operations/jobs/mail-relay.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import { dayLength } from '../../kernel/time/times.ts'
import {
  addressee,
  changeMail,
  unreadEntriesOfMail,
  type Addressee,
  type MailRow,
} from './access-mails.ts'
import { inboxPath } from './access.ts'
import { digestEntries, type DigestContent } from './digests.ts'
import { mailJob, takeMail } from './mails.ts'
import {
  singleMail,
  combinedMail,
  digestMail,
  type NotificationItem,
  type NotificationMail,
} from './mail-texts.ts'
import { itemsOf } from './shapes.ts'

/** Mails are dropped if they cannot be sent for this long. */
const giveUpAfterMs = 3 * dayLength
const batchSize = 50 // then the mails of other people get their turn

/**
 * Sends a person's mails, one after another. The attempt is recorded before, and the success after: if the process
 * ends in between, the mail is sent again with the same Message-ID.
 */
export const mailNotifications = jobKind({
  name: mailJob,
  about: 'Sends notification emails that are due',
  args: z.strictObject({ person_id: z.string() }),
  concurrency: 4,
  maxAttempts: 100,
  async run({ person_id }, job) {
    let sent = 0
    for (let i = 0; i < batchSize; i++) {
      const next = await job.write((system) => beginNotificationMail(system, job, person_id))
      if (next === 'none') break
      if (next === 'dropped') continue
      if (await sendNotificationMail(job, next)) sent++
    }
    return { sent }
  },
})

interface ComposedMail {
  mail: MailRow
  to: Addressee
  message: NotificationMail
}

/** Takes the next mail and composes it from what its recipient may still see; counts the attempt. */
async function beginNotificationMail(
  system: TickContext,
  job: JobContext,
  person: string,
): Promise<ComposedMail | 'dropped' | 'none'> {
  const to = await addressee(system, person)
  const mail = to && job.settings.mail_server !== '' && (await takeMail(system, to))
  if (!to || !mail) return 'none'
  const message = await system.as(to.id, (ctx) => composeNotification(ctx, mail, to))
  if (!message) return finishUnsent(system, mail, { state: 'dropped' })
  if (job.mayErase() && system.now - mail.send_at > giveUpAfterMs)
    return finishUnsent(system, mail, { state: 'failed' })
  await changeMail(system, mail.id, { attempts: mail.attempts + 1 })
  return { mail, to, message }
}

async function finishUnsent(
  system: TickContext,
  mail: MailRow,
  patch: Pick<MailRow, 'state'>,
): Promise<'dropped'> {
  await changeMail(system, mail.id, { ...patch, finished_at: system.now })
  return 'dropped'
}

/** Writes the mail without items that its recipient can no longer see; undefined if nothing remains. */
async function composeNotification(
  ctx: WriteContext,
  mail: MailRow,
  to: Addressee,
): Promise<NotificationMail | undefined> {
  const content =
    mail.digest_json === null ? undefined : (JSON.parse(mail.digest_json) as DigestContent)
  const entries = content
    ? await digestEntries(ctx, content)
    : await unreadEntriesOfMail(ctx, mail.id, to.read_before)
  const items = await itemsOf(ctx, entries)
  const listed = entries.flatMap((entry): NotificationItem[] => {
    const item = items.get(entry.item_id)
    return item
      ? [
          {
            text: entry.text,
            item: item.key === undefined ? item.title : `${item.key} ${item.title}`,
            url: item.url,
            at: entry.created_at,
          },
        ]
      : []
  })
  const settingsUrl = `${ctx.baseUrl}/${inboxPath}`
  if (content) return digestMail(content, listed, settingsUrl)
  if (listed.length === 0) return undefined
  return listed.length === 1
    ? singleMail(listed[0]!, settingsUrl)
    : combinedMail(listed, settingsUrl)
}

/** @throws if no mail can be sent now: the job is retried */
async function sendNotificationMail(
  job: JobContext,
  { mail, to, message }: ComposedMail,
): Promise<boolean> {
  const { mail_from } = job.settings
  const letter: SmtpMessage = {
    ...message,
    from: { name: 'Workspace', address: mail_from },
    to: { name: to.display_name, address: to.email },
    messageId: `<${mail.id}@${mail_from.slice(mail_from.lastIndexOf('@') + 1)}>`,
    date: new Date(job.now()),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
  try {
    await sendLetter((await instanceRelay(job))!, letter, job.signal)
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error
    job.signal.throwIfAborted()
    const last_error = error.message
    await job.write((system) =>
      changeMail(
        system,
        mail.id,
        error.isFinal ? { state: 'failed', last_error, finished_at: system.now } : { last_error },
      ),
    )
    if (!error.isFinal) throw error
    job.log.warn('a mail about notifications was refused', {
      mail: mail.id,
      person: mail.person_id,
      why: last_error,
    })
    return false
  }
  await job.write((system) =>
    changeMail(system, mail.id, { state: 'sent', last_error: null, finished_at: system.now }),
  )
  return true
}
