import { omitUndefined } from '../../../kernel/present.ts'
import { randomUUID } from 'node:crypto'
import type { WriteContext } from '../../../operations/context.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import {
  queueSentCopy,
  changeOutbox,
  findEmailDraft,
  sendingScheduleOf,
  type QueuedEmail,
} from './access.ts'
import { setDelivery, currentEmail } from './access-outcomes.ts'
import type { OutgoingMessage } from './messages.ts'

// Records the outcome of a message with all its consequences, even if its owner has been deactivated in the
// meantime.

/** Records that the server accepted a message. `refused`: recipients that it did not accept. */
export async function recordHandOver(
  system: TickContext,
  queued: QueuedEmail,
  refused: readonly { address: string; problem: string }[],
): Promise<void> {
  const { email, account, outbox } = queued
  const isFiledByServer = account === undefined || account.provider === 'google'
  await changeOutbox(
    system,
    email.id,
    omitUndefined({
      state: isFiledByServer ? 'filed' : 'handed',
      handed_at: system.now,
      problem: null,
      letter_json: isFiledByServer ? '{}' : undefined,
    }),
  )
  if (!isFiledByServer) await queueSentCopy(system, email)
  const problem =
    refused.length === 0
      ? null
      : `The server did not accept it for ${refused.map((item) => `${item.address} (${item.problem})`).join(', ')}`.slice(
          0,
          1000,
        )
  await recordOutcome(
    system,
    email,
    { delivery: 'sent', delivery_problem: problem },
    async (ctx, row) => {
      ctx.event('email.sent', 'emails', row, email.owner_id)
      if (problem !== null)
        ctx.notify(
          'reminder',
          [email.owner_id],
          'emails',
          row,
          'A message that you sent did not reach all of its recipients.',
        )
      await updateScheduled(system, ctx, outbox.draft_id, { status: 'sent', problem: null })
    },
  )
}

/** Records a permanent failure: the message becomes a draft again. */
export async function recordFailure(
  system: TickContext,
  { email, outbox }: QueuedEmail,
  problem: string,
): Promise<void> {
  await changeOutbox(system, email.id, { state: 'failed', problem, letter_json: '{}' })
  await recordOutcome(
    system,
    email,
    { delivery: 'failed', delivery_problem: problem.slice(0, 1000) },
    async (ctx, row) => {
      ctx.event('email.send_failed', 'emails', row, email.owner_id)
      ctx.notify(
        'reminder',
        [email.owner_id],
        'emails',
        row,
        'A message could not be sent; it is kept as a draft.',
      )
      if (outbox.letter_json !== '{}')
        await restoreDraft(
          system,
          ctx,
          row,
          outbox.draft_id,
          JSON.parse(outbox.letter_json) as OutgoingMessage,
        )
      await updateScheduled(system, ctx, outbox.draft_id, { status: 'failed', problem })
    },
  )
}

/** Records a bounce. */
export async function recordBounce(
  system: TickContext,
  email: Row<'emails'>,
  problem: string,
): Promise<void> {
  await recordOutcome(
    system,
    email,
    { delivery: 'failed', delivery_problem: problem.slice(0, 1000) },
    async (ctx, row) => {
      ctx.event('email.send_failed', 'emails', row, email.owner_id)
      ctx.notify(
        'reminder',
        [email.owner_id],
        'emails',
        row,
        'A message that you sent bounced: it could not be delivered.',
      )
    },
  )
}

/** Stores the reason why a message has not been sent yet. */
export async function recordProblem(
  system: TickContext,
  emailId: string,
  problem: string,
): Promise<void> {
  await setDelivery(system, emailId, { delivery_problem: problem.slice(0, 1000) })
}

async function recordOutcome(
  system: TickContext,
  email: Row<'emails'>,
  patch: Pick<Row<'emails'>, 'delivery' | 'delivery_problem'>,
  more: (ctx: WriteContext, row: Row<'emails'>) => Promise<void>,
): Promise<void> {
  const current = await currentEmail(system, email.id)
  if (!current) return
  if (!current.isActive) return setDelivery(system, email.id, patch)
  await system.as(email.owner_id, async (ctx) =>
    more(ctx, await ctx.change('emails', current.row, patch)),
  )
}

/** Restores the message's draft, or creates one from the message. */
async function restoreDraft(
  system: TickContext,
  ctx: WriteContext,
  email: Row<'emails'>,
  draftId: string | null,
  letter: OutgoingMessage,
): Promise<void> {
  const draft = draftId === null ? undefined : await findEmailDraft(system, draftId)
  if (draft) {
    await ctx.change('email_drafts', draft, { state: 'draft', email_id: null })
    return
  }
  const draftRow = await ctx.add('email_drafts', {
    owner_id: email.owner_id,
    account_id: email.account_id,
    thread_id: letter.answers === null ? null : email.thread_id,
    answers_id: letter.answers?.email_id ?? null,
    answers_as: letter.answers?.as ?? null,
    quote: letter.answers?.quote ?? 'none',
    to_json: JSON.stringify(letter.to),
    cc_json: JSON.stringify(letter.cc),
    bcc_json: JSON.stringify(letter.bcc),
    subject: letter.subject,
    body_markdown: letter.body_markdown,
    unfilled_json: '[]',
    message_id: newMessageIdFor(letter),
    state: 'draft',
  })
  for (const [position, { file_id, attachment_id }] of letter.files.entries())
    await ctx.add('email_draft_files', {
      draft_id: draftRow.id,
      source_id: (file_id ?? attachment_id)!,
      position,
      file_id: file_id ?? null,
      attachment_id: attachment_id ?? null,
    })
}

async function updateScheduled(
  system: TickContext,
  ctx: WriteContext,
  draftId: string | null,
  patch: Pick<Row<'scheduled_emails'>, 'status' | 'problem'>,
): Promise<void> {
  const row = draftId === null ? undefined : await sendingScheduleOf(system, draftId)
  if (row) await ctx.change('scheduled_emails', row, patch)
}

/** New Message-ID for a resent message: the first attempt may have reached someone. */
function newMessageIdFor({ message_id }: OutgoingMessage): string {
  return `<${randomUUID()}${message_id.slice(message_id.lastIndexOf('@'))}`
}
