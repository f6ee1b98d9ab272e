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
  heldLetter,
  isMailLeft,
  isOnServer,
  sentFolders,
  unasked,
  type QueuedEmail,
} from '../outbox/access.ts'
import type { OutgoingMessage } from '../outbox/messages.ts'
import { failLetter, noteHanded, problemNow } from '../outbox/outcomes.ts'
import { bytesOfLetter, Missing } from './attachments.ts'
import { deliverToServer, isFound } from './servers.ts'

const second = 1_000
const minute = 60_000
/** A server that takes nothing for so long is not waited for any longer. */
const givenUpAfter = dayLength
const pauses = backoffFromList(15_000, minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute)
const uncertain =
  'The connection or the program ended while the message was being sent. It may have been delivered: check Sent, and ask the recipients, before you send it again.'

/** Sends one letter of the outbox. That it is handed over is written down before the server gets a byte of it: what happened then is found out, never tried again. */
export const sendLetter = jobKind({
  name: 'send_letter',
  about: 'Delivers a message to the mail server of its sender',
  args: z.strictObject({ email_id: z.string() }),
  concurrency: 4,
  maxAttempts: 1000,
  async run({ email_id }, job) {
    const queued = await job.write((system) => heldLetter(system, email_id))
    if (!queued || !['queued', 'handing'].includes(queued.outbox.state)) return { sent: false }
    if (!queued.account || !queued.isActive)
      return over(
        job,
        queued,
        queued.account
          ? 'Its sender no longer has access.'
          : 'The account to send it from was removed.',
      )
    if (queued.outbox.state === 'handing') return settleInterrupted(job, queued)
    const wait = queued.outbox.not_before - job.now()
    if (wait > 0) throw new TryLater(wait, 'It is not due yet.')
    if (job.now() - queued.email.created_at > givenUpAfter + 2 * 60 * minute)
      return over(job, queued, 'It could not be sent for more than a day.') // no one expects it any more
    return sendQueuedEmail(job, queued as Ready)
  },
})

type Ready = QueuedEmail & { account: NonNullable<QueuedEmail['account']> }

async function sendQueuedEmail(job: JobContext, queued: Ready): Promise<{ sent: boolean }> {
  const letter = JSON.parse(queued.outbox.letter_json) as OutgoingMessage
  const { email } = queued
  let delivery: DeliveryResult
  try {
    const bytes = await bytesOfLetter(job, queued.account, letter)
    const to = [...letter.to, ...letter.cc, ...letter.bcc].map((box) => box.email)
    const beforehand = () => job.write((system) => begun(system, email.id, job.now()))
    delivery = await deliverToServer(job, queued.account, {
      from: letter.from.email,
      to,
      bytes,
      beforeData: beforehand,
    })
  } catch (error) {
    return notTaken(job, queued, error)
  }
  await job.record((system) => noteHanded(system, queued, delivery.refused))
  return { sent: true }
}

/** It, its account or its sender may be gone by now, or another process at it: making its bytes and signing in take a while. */
class Changed extends Error {}

/** Writes down that it is handed over from now on. @throws Changed where it is not to be handed over any more */
async function begun(system: TickContext, emailId: string, now: number): Promise<void> {
  const queued = await heldLetter(system, emailId)
  if (!queued?.account || !queued.isActive || queued.outbox.state !== 'queued')
    throw new Changed('it was cancelled or is already being sent')
  await changeOutbox(system, emailId, { state: 'handing', handing_at: now })
}

/** @throws TryLater where another try is worth it */
async function notTaken(
  job: JobContext,
  queued: Ready,
  error: unknown,
): Promise<{ sent: boolean }> {
  if (error instanceof DeliveryFailure && error.isUncertain) {
    job.log.warn('it is not known whether a mail server accepted a message', {
      email: queued.email.id,
      why: error.message,
    })
    throw new TryLater(minute, error.message) // the outbox says handing: it is looked for then
  }
  if (error instanceof DeliveryFailure && error.cause instanceof Changed)
    throw new TryLater(second, error.message) // by then it is seen what became of it
  if (error instanceof Missing) return over(job, queued, error.message)
  if (error instanceof DeliveryFailure && error.isFinal) return over(job, queued, error.message)
  const problem = deliveryErrorText(error)
  const wait = pauses(queued.outbox.attempts + 1, Math.random)
  if (job.now() - queued.email.created_at + wait > givenUpAfter)
    return over(job, queued, `${problem} It was tried for a day.`)
  await job.record(async (system) => {
    await changeOutbox(system, queued.email.id, {
      state: 'queued',
      attempts: queued.outbox.attempts + 1,
      not_before: job.now() + wait,
      problem,
    })
    await problemNow(system, queued.email.id, problem)
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

/** Settles a letter whose delivery was interrupted by a lost connection or the end of this program. */
async function settleInterrupted(job: JobContext, queued: QueuedEmail): Promise<{ sent: boolean }> {
  const serverState = await job.write(async (system) => ({
    isThere: await isOnServer(system, queued.email),
    folders: await sentFolders(system, queued.email.account_id),
  }))
  let isThere = serverState.isThere
  try {
    isThere ||= await isFound(job, queued, serverState.folders)
  } catch (error) {
    job.signal.throwIfAborted()
    if (job.now() - (queued.outbox.handing_at ?? 0) < 10 * minute)
      throw new TryLater(minute, `It could not be searched for: ${deliveryErrorText(error)}`)
  }
  if (!isThere) return over(job, queued, uncertain)
  await job.record((system) => noteHanded(system, queued, []))
  return { sent: true }
}

async function over(
  job: JobContext,
  letter: QueuedEmail,
  problem: string,
): Promise<{ sent: boolean }> {
  await job.record((system) => failLetter(system, letter, problem))
  job.log.warn('a message could not be sent', { email: letter.email.id, why: problem })
  return { sent: false }
}

/** Asks for the jobs of what waits in the outbox: right after it was written, and again where a job of it came to nothing. */
export const emptyOutbox: Tick = {
  name: 'empty_outbox',
  due: isMailLeft,
  async run(system) {
    const waiting = await unasked(system.all, system.now, 50)
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
