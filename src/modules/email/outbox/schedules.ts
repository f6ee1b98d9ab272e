import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, parseInstant } from '../../../kernel/time/times.ts'
import { account, mailAccount } from '../../accounts/access.ts'
import { emailDraft, scheduledEmail } from '../access.ts'
import { newMessageId } from './access-addresses.ts'
import { recipientColumns } from '../drafts/changes.ts'
import { headerLine } from './messages.ts'
import { recipientsOfDraft, messageOfDraft, unfilledVariablesOf } from './draft-messages.ts'
import { requireSendingAccount, mailAccountOf } from './composition.ts'
import { parseMailAddresses } from './recipients.ts'
import { addresses, bodyText, sendingAccount, subjectLine } from './inputs.ts'
import { EmailDraft, ScheduledEmail } from '../shapes.ts'
import { presentDrafts, presentScheduled } from './presenter.ts'

const maxDelay = 2 * 365 * dayLength

export const scheduleEmail = operation({
  name: 'schedule_email',
  searchHint: 'send later, send tomorrow, delayed mail, send on Monday',
  kind: 'write',
  rest: 'POST /api/scheduled-emails',
  creates: 'item',
  about: 'Queue an email or an existing draft for later; it can be cancelled until then',
  outboundLater: true,
  on: { draft: emailDraft.edit.maybe, account: sendingAccount },
  input: {
    send_at: datetime(),
    to: addresses('as in send_email; without draft_id').optional(),
    subject: subjectLine().optional(),
    body_markdown: bodyText().optional(),
    cc: addresses('as to').optional(),
    bcc: addresses('not shown to others').optional(),
    cancel_if_replied: z.boolean().default(false).describe('do not send if someone replies first'),
  },
  output: ScheduledEmail,
  async handle(
    {
      draft: draftRow,
      account: requestedAccount,
      send_at,
      to,
      subject,
      body_markdown,
      cc,
      bcc,
      cancel_if_replied,
    },
    ctx,
  ) {
    const at = parseInstant(send_at, ctx.actor.timezone, 'start', 'send_at')
    if (at <= ctx.now)
      throw invalid('send_at', 'this time has passed.', 'send_email and send_email_draft send now.')
    if (at > ctx.now + maxDelay) throw invalid('send_at', 'must be within two years.')
    if (
      draftRow &&
      [requestedAccount, to, subject, body_markdown, cc, bcc].some((item) => item !== undefined)
    )
      throw invalid(
        'draft_id',
        'a draft already contains all that is sent.',
        'Change it with update_email_draft first.',
      )
    const from = draftRow
      ? await account.demand(ctx, draftRow.account_id, 'see', 'draft_id')
      : await mailAccountOf(ctx, requestedAccount)
    requireSendingAccount(from)
    const recipients = {
      to: parseMailAddresses(to, 'to'),
      cc: parseMailAddresses(cc, 'cc'),
      bcc: parseMailAddresses(bcc, 'bcc'),
    }
    const draft =
      draftRow ??
      (await ctx.add('email_drafts', {
        owner_id: ctx.actor.id,
        account_id: from.id,
        quote: 'none',
        ...recipientColumns(recipients),
        subject: headerLine(subject ?? ''),
        body_markdown: body_markdown ?? '',
        unfilled_json: '[]',
        message_id: newMessageId(from),
        state: 'draft',
      }))
    await requireSendable(ctx, draft)
    await ctx.change('email_drafts', draft, { state: 'scheduled' })
    const isApproved = ctx.actor.key?.hold_outbound === true // a holding key gets here only after its owner approved the call
    const row = await ctx.add('scheduled_emails', {
      owner_id: ctx.actor.id,
      account_id: from.id,
      draft_id: draft.id,
      send_at: at,
      cancel_if_replied: cancel_if_replied ? 1 : 0,
      status: 'queued',
      key_id: isApproved ? null : (ctx.actor.key?.id ?? null),
    })
    return (await presentScheduled(ctx, [row]))[0]!
  },
})

export const listScheduledEmails = operation({
  name: 'list_scheduled_emails',
  searchHint: 'outbox, mails that go out later, queue',
  kind: 'read',
  rest: 'GET /api/scheduled-emails',
  about: 'Emails waiting to be sent',
  on: { account: mailAccount.maybe },
  input: { before: datetime().optional().describe('sent before then'), ...paging },
  output: pageOf(ScheduledEmail),
  async handle({ account, before, limit, cursor }, ctx) {
    let query = scheduledEmail
      .visibleTo(ctx)
      .selectAll('scheduled_emails')
      .where('scheduled_emails.status', 'in', ['queued', 'sending'])
    if (account) query = query.where('scheduled_emails.account_id', '=', account.id)
    if (before !== undefined)
      query = query.where(
        'scheduled_emails.send_at',
        '<=',
        parseInstant(before, ctx.actor.timezone, 'end', 'before'),
      )
    const page = await paged(
      query,
      [
        { by: 'scheduled_emails.send_at', as: 'send_at', dir: 'asc' },
        { by: 'scheduled_emails.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentScheduled(ctx, page.items))
  },
})

export const cancelScheduledEmail = operation({
  name: 'cancel_scheduled_email',
  searchHint: 'stop a mail, do not send after all, unsend',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/scheduled-emails/{scheduled_id}',
  about: 'Cancel a queued email and keep it as a draft',
  on: { scheduled: scheduledEmail.own },
  output: EmailDraft,
  async handle({ scheduled }, ctx) {
    await ctx.change('scheduled_emails', scheduled, { status: 'cancelled' })
    const draft = await emailDraft.demand(ctx, scheduled.draft_id, 'see', 'scheduled_id')
    return (
      await presentDrafts(ctx, [await ctx.change('email_drafts', draft, { state: 'draft' })])
    )[0]!
  },
})

/** Refuses a draft now that could not be sent later. @throws Refusal */
async function requireSendable(ctx: ReadContext, draft: Row<'email_drafts'>): Promise<void> {
  const { to, cc, bcc } = recipientsOfDraft(draft)
  if (to.length + cc.length + bcc.length === 0) throw invalid('to', 'it has no recipients.')
  const unfilled = unfilledVariablesOf(draft)
  if (unfilled.length > 0)
    throw invalid(
      'draft_id',
      `variables without a value: ${unfilled.join(', ')}.`,
      'Fill them in with update_email_draft.',
    )
  await messageOfDraft(ctx, draft)
}
