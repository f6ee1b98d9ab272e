import { omitUndefined } from '../../../kernel/present.ts'
import { randomUUID } from 'node:crypto'
import type { WriteContext } from '../../../operations/context.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { askToFile, changeOutbox, findEmailDraft, scheduledOf, type QueuedEmail } from './access.ts'
import { changeEmail, emailNow } from './access-outcomes.ts'
import type { OutgoingMessage } from './messages.ts'

// Records the outcome of a letter with all its consequences. Success or failure is stored regardless of who may act by
// now.

/** The server has it. `refused`: those for whom it did not take it. */
export async function noteHanded(
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
  if (!isFiledByServer) await askToFile(system, email)
  const problem =
    refused.length === 0
      ? null
      : `The server did not accept it for ${refused.map((item) => `${item.address} (${item.problem})`).join(', ')}`.slice(
          0,
          1000,
        )
  await outcome(
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
      await settleScheduled(system, ctx, outbox.draft_id, { status: 'sent', problem: null })
    },
  )
}

/** It goes out no more. What it says becomes a draft again. */
export async function failLetter(
  system: TickContext,
  { email, outbox }: QueuedEmail,
  problem: string,
): Promise<void> {
  await changeOutbox(system, email.id, { state: 'failed', problem, letter_json: '{}' })
  await outcome(
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
        await keepAsDraft(
          system,
          ctx,
          row,
          outbox.draft_id,
          JSON.parse(outbox.letter_json) as OutgoingMessage,
        )
      await settleScheduled(system, ctx, outbox.draft_id, { status: 'failed', problem })
    },
  )
}

/** A server on the way says that it could not be delivered. */
export async function noteBounced(
  system: TickContext,
  email: Row<'emails'>,
  problem: string,
): Promise<void> {
  await outcome(
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

/** Why it is still on its way. */
export async function problemNow(
  system: TickContext,
  emailId: string,
  problem: string,
): Promise<void> {
  await changeEmail(system, emailId, { delivery_problem: problem.slice(0, 1000) })
}

async function outcome(
  system: TickContext,
  email: Row<'emails'>,
  patch: Pick<Row<'emails'>, 'delivery' | 'delivery_problem'>,
  more: (ctx: WriteContext, row: Row<'emails'>) => Promise<void>,
): Promise<void> {
  const now = await emailNow(system, email.id)
  if (!now) return
  if (!now.isActive) return changeEmail(system, email.id, patch)
  await system.as(email.owner_id, async (ctx) =>
    more(ctx, await ctx.change('emails', now.row, patch)),
  )
}

/** The draft that it was comes back; where it was none, one is made of it. */
async function keepAsDraft(
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
    message_id: anew(letter),
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

async function settleScheduled(
  system: TickContext,
  ctx: WriteContext,
  draftId: string | null,
  patch: Pick<Row<'scheduled_emails'>, 'status' | 'problem'>,
): Promise<void> {
  const row = draftId === null ? undefined : await scheduledOf(system, draftId)
  if (row) await ctx.change('scheduled_emails', row, patch)
}

/** New Message-ID for a resent message: the first attempt may have reached someone. */
function anew({ message_id }: OutgoingMessage): string {
  return `<${randomUUID()}${message_id.slice(message_id.lastIndexOf('@'))}`
}
