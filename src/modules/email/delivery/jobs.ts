import { z } from 'zod'
import { DeliveryFailure, type DeliveryResult } from '../../../connectors/smtp/smtp.ts'
import { backoffFromList } from '../../../kernel/backoff.ts'
import { jobKind, TryLater, type JobContext } from '../../../operations/jobs/job.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { NeedsSignIn } from '../../accounts/access.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import {
  changeOutbox,
  queuedEmailOf,
  hasMessagesWithoutJob,
  isOnServer,
  sentFolders,
  messagesWithoutJob,
  type QueuedEmail,
} from '../outbox/access.ts'
import type { OutgoingMessage } from '../outbox/messages.ts'
import { recordFailure, recordHandOver, recordProblem } from '../outbox/outcomes.ts'
import { bytesOfLetter, MissingAttachment } from './attachments.ts'
import { deliverToServer, isInFolders } from './servers.ts'

const second = 1_000
const minute = 60_000
/** Delivery is given up after this time. */
const giveUpAfterMs = dayLength
const retryDelay = backoffFromList(
  15_000,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  60 * minute,
)
const uncertainMessage =
  'The connection or the program ended while the message was being sent. It may have been delivered: check Sent, and ask the recipients, before you send it again.'

/** Sends a message of the outbox. Its hand-over is recorded before the server gets any data: after an interruption the outcome is looked up, and the message is never sent again. */
export const sendLetter = jobKind({
  name: 'send_letter',
  about: 'Delivers a message to the mail server of its sender',
  args: z.strictObject({ email_id: z.string() }),
  concurrency: 4,
  maxAttempts: 1000,
  async run({ email_id }, job) {
    const queued = await job.write((system) => queuedEmailOf(system, email_id))
    if (!queued || !['queued', 'handing'].includes(queued.outbox.state)) return { sent: false }
    if (!queued.account || !queued.isActive)
      return fail(
        job,
        queued,
        queued.account
          ? 'Its sender no longer has access.'
          : 'The account to send it from was removed.',
      )
    if (queued.outbox.state === 'handing') return resolveInterrupted(job, queued)
    const wait = queued.outbox.not_before - job.now()
    if (wait > 0) throw new TryLater(wait, 'It is not due yet.')
    if (job.now() - queued.email.created_at > giveUpAfterMs + 2 * 60 * minute)
      return fail(job, queued, 'It could not be sent for more than a day.') // by now it would be unexpected
    return sendQueuedEmail(job, queued as SendableEmail)
  },
})

type SendableEmail = QueuedEmail & { account: NonNullable<QueuedEmail['account']> }

async function sendQueuedEmail(job: JobContext, queued: SendableEmail): Promise<{ sent: boolean }> {
  const letter = JSON.parse(queued.outbox.letter_json) as OutgoingMessage
  const { email } = queued
  let delivery: DeliveryResult
  try {
    const bytes = await bytesOfLetter(job, queued.account, letter)
    const to = [...letter.to, ...letter.cc, ...letter.bcc].map((box) => box.email)
    const beforeData = () => job.write((system) => markHandingOver(system, email.id, job.now()))
    delivery = await deliverToServer(job, queued.account, {
      from: letter.from.email,
      to,
      bytes,
      beforeData,
    })
  } catch (error) {
    return handleFailure(job, queued, error)
  }
  await job.record((system) => recordHandOver(system, queued, delivery.refused))
  return { sent: true }
}

/** Thrown if the message, its account or its sender was removed, or another process is sending it: composing and signing in take time. */
class NoLongerQueued extends Error {}

/** Records that the hand-over begins. @throws NoLongerQueued if the message must no longer be sent */
async function markHandingOver(system: TickContext, emailId: string, now: number): Promise<void> {
  const queued = await queuedEmailOf(system, emailId)
  if (!queued?.account || !queued.isActive || queued.outbox.state !== 'queued')
    throw new NoLongerQueued('it was cancelled or is already being sent')
  await changeOutbox(system, emailId, { state: 'handing', handing_at: now })
}

/** @throws TryLater if a retry may succeed */
async function handleFailure(
  job: JobContext,
  queued: SendableEmail,
  error: unknown,
): Promise<{ sent: boolean }> {
  if (error instanceof DeliveryFailure && error.isUncertain) {
    job.log.warn('it is not known whether a mail server accepted a message', {
      email: queued.email.id,
      why: error.message,
    })
    throw new TryLater(minute, error.message) // the state is `handing`: the retry looks it up on the server
  }
  if (error instanceof DeliveryFailure && error.cause instanceof NoLongerQueued)
    throw new TryLater(second, error.message) // the retry sees its new state
  if (error instanceof MissingAttachment) return fail(job, queued, error.message)
  if (error instanceof DeliveryFailure && error.isFinal) return fail(job, queued, error.message)
  const problem = deliveryErrorText(error)
  const wait = retryDelay(queued.outbox.attempts + 1, Math.random)
  if (job.now() - queued.email.created_at + wait > giveUpAfterMs)
    return fail(job, queued, `${problem} It was tried for a day.`)
  await job.record(async (system) => {
    await changeOutbox(system, queued.email.id, {
      state: 'queued',
      attempts: queued.outbox.attempts + 1,
      not_before: job.now() + wait,
      problem,
    })
    await recordProblem(system, queued.email.id, problem)
  })
  throw new TryLater(wait, problem)
}

function deliveryErrorText(error: unknown): string {
  if (error instanceof DeliveryFailure) return error.message
  if (error instanceof NeedsSignIn)
    return `It will be sent after you sign in to the account again. ${error.message}`
  if (error instanceof Unreachable)
    return 'The mail server could not be reached; it will be retried.'
  return `It could not be sent yet: ${error instanceof Error ? error.message : String(error)}`.slice(
    0,
    300,
  )
}

/** Determines the outcome of a delivery interrupted by a lost connection or a restart. */
async function resolveInterrupted(
  job: JobContext,
  queued: QueuedEmail,
): Promise<{ sent: boolean }> {
  const serverState = await job.write(async (system) => ({
    isThere: await isOnServer(system, queued.email),
    folders: await sentFolders(system, queued.email.account_id),
  }))
  let isDelivered = serverState.isThere
  try {
    isDelivered ||= await isInFolders(job, queued, serverState.folders)
  } catch (error) {
    job.signal.throwIfAborted()
    if (job.now() - (queued.outbox.handing_at ?? 0) < 10 * minute)
      throw new TryLater(minute, `It could not be searched for: ${deliveryErrorText(error)}`)
  }
  if (!isDelivered) return fail(job, queued, uncertainMessage)
  await job.record((system) => recordHandOver(system, queued, []))
  return { sent: true }
}

async function fail(
  job: JobContext,
  letter: QueuedEmail,
  problem: string,
): Promise<{ sent: boolean }> {
  await job.record((system) => recordFailure(system, letter, problem))
  job.log.warn('a message could not be sent', { email: letter.email.id, why: problem })
  return { sent: false }
}

/** Requests jobs for messages waiting in the outbox: right after they were written, and again if a job failed. */
export const emptyOutbox: Tick = {
  name: 'empty_outbox',
  due: hasMessagesWithoutJob,
  async run(system) {
    const waiting = await messagesWithoutJob(system.all, system.now, 50)
    for (const { email_id, owner_id } of waiting)
      await system.as(
        owner_id,
        async (ctx) =>
          void (await ctx.job(
            sendLetter.name,
            { email_id },
            { uniqueKey: email_id, priority: 'high' },
          )),
      )
    return waiting.length === 50
  },
}
