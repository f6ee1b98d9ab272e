import { z } from 'zod'
import { composeInvitation } from '../../../connectors/mail/invitation.ts'
import { DeliveryFailure, sendBytes, type Relay } from '../../../connectors/smtp/smtp.ts'
import { GiveUp, jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { instanceRelay } from '../../../operations/jobs/mail-relay.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { Row } from '../../../records/resource.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { serversOf, signInto } from '../../accounts/access.ts'
import { event } from '../access.ts'
import {
  changeLetter,
  deleteOldLetters,
  peopleWithLetters,
  queuedLetters,
  type LetterContent,
  type LetterRow,
} from './access-messages.ts'
import { requestSending, letterJob } from './senders.ts'

const batchSize = 50
/** Invitations are dropped if they cannot be sent for this long. */
const giveUpAfterMs = 3 * dayLength

type QueuedLetter = { letter: LetterRow; account: Row<'accounts'> | undefined }

/**
 * Sends a person's mails about events, one after another. If the process ends between sending and recording it, the
 * mail is sent again with the same Message-ID, UID and SEQUENCE, by which programs recognize it.
 */
export const sendEventLetters = jobKind({
  name: letterJob,
  about: 'Sends the queued invitations, cancellations and responses of a person',
  args: z.strictObject({ person_id: z.string() }),
  concurrency: 2,
  maxAttempts: 40,
  async run({ person_id }, job) {
    const queued = await job.write((system) => queuedLetters(system, person_id, batchSize))
    let sent = 0
    let lastError: unknown
    for (const item of queued) {
      job.signal.throwIfAborted()
      try {
        if (await sendLetter(job, item)) sent++
      } catch (error) {
        job.signal.throwIfAborted()
        lastError = error // continue: the next mail may use another server
      }
    }
    if (lastError !== undefined) throw lastError
    return { sent }
  },
})

async function sendLetter(job: JobContext, queued: QueuedLetter): Promise<boolean> {
  const { letter } = queued
  if (job.mayErase() && job.now() - letter.created_at > giveUpAfterMs)
    return markInvitationFailed(job, queued, 'It could not be sent for three days.')
  await job.write((system) => changeLetter(system, letter.id, { attempts: letter.attempts + 1 }))
  const content = JSON.parse(letter.letter_json) as LetterContent
  try {
    const from = queued.account
      ? content.from
      : { name: `${content.from.name} by Workspace`, address: job.settings.mail_from }
    const bytes = await composeInvitation({
      messageId: `<${letter.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      date: new Date(letter.created_at),
      from,
      to: content.to,
      replyTo: queued.account ? undefined : content.from,
      subject: content.subject,
      text: content.text,
      html: content.html,
      method: letter.method,
      ics: content.ics,
    })
    const { refused } = await sendBytes(
      await relayOf(job, queued),
      { from: from.address, to: [letter.recipient], bytes },
      job.signal,
    )
    if (refused[0]) return await markInvitationFailed(job, queued, refused[0].problem)
  } catch (error) {
    if (error instanceof DeliveryFailure && error.isFinal)
      return markInvitationFailed(job, queued, error.message)
    if (error instanceof DeliveryFailure || error instanceof Unreachable || error instanceof GiveUp)
      await job.write((system) =>
        changeLetter(system, letter.id, { problem: error.message.slice(0, 300) }),
      )
    throw error
  }
  await job.write((system) =>
    changeLetter(system, letter.id, {
      state: 'sent',
      problem: null,
      letter_json: '{}',
      finished_at: system.now,
    }),
  )
  return true
}

/** Notifies the owner of a permanent failure, on the event if it still exists. */
async function markInvitationFailed(
  job: JobContext,
  { letter }: QueuedLetter,
  problem: string,
): Promise<false> {
  await job.write(async (system) => {
    await changeLetter(system, letter.id, {
      state: 'failed',
      problem: problem.slice(0, 300),
      letter_json: '{}',
      finished_at: system.now,
    })
    await system.as(letter.owner_id, async (ctx) => {
      const row = await event
        .visibleTo(ctx)
        .selectAll('events')
        .where('events.id', '=', letter.event_id as Row<'events'>['id'])
        .executeTakeFirst()
      if (row)
        ctx.notify(
          'automation',
          [letter.owner_id],
          'events',
          row,
          'A mail about an event could not be delivered to one of its attendees.',
        )
    })
  })
  job.log.warn('a mail about an event was not accepted', {
    letter: letter.id,
    why: problem.slice(0, 200),
  })
  return false
}

async function relayOf(job: JobContext, { account }: QueuedLetter): Promise<Relay> {
  const { settings, outbound, signal } = job
  if (account) {
    const smtp = serversOf(settings, account).smtp
    if (!smtp) throw new GiveUp('The account has no outgoing mail server.')
    const { user, ...login } = await signInto(job, account, { server: 'smtp' })
    const socket = await outbound.connect(smtp.host, smtp.port, {
      tls: smtp.tls === 'tls',
      purpose: 'mail',
      signal,
    })
    return {
      socket,
      host: smtp.host,
      tls: smtp.tls === 'tls' ? 'secured' : 'start',
      auth:
        'password' in login
          ? { user, pass: login.password }
          : { user, accessToken: login.accessToken },
    }
  }
  const relay = await instanceRelay(job)
  if (!relay) throw new GiveUp('This instance no longer has a mail server.')
  return relay
}

/** Requests jobs again for waiting mails after a server's outage; deletes long finished ones. */
export const wakeEventLetters: Tick = {
  name: 'wake_event_letters',
  async run(system) {
    await deleteOldLetters(system)
    const people = await peopleWithLetters(system, batchSize)
    for (const person of people) await system.as(person, (ctx) => requestSending(ctx))
    return false
  },
}
