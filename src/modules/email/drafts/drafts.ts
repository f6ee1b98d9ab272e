import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { freeObject, pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { account, mailAccount } from '../../accounts/access.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { email, emailDraft, emailTemplate, mailThread } from '../access.ts'
import { newMessageId } from '../outbox/access-addresses.ts'
import { fillTemplate } from './template-text.ts'
import {
  attach,
  requireDraftQuota,
  recipientColumns,
  replaceAttachments,
  sendDraft,
} from './changes.ts'
import { headerLine } from '../outbox/messages.ts'
import { type Answers, recipientsOfAnswer, subjectOfAnswer } from '../outbox/quotations.ts'
import { recipientsOfDraft, messageOfDraft, unfilledVariablesOf } from '../outbox/draft-messages.ts'
import { buildMessage, mailAccountOf } from '../outbox/composition.ts'
import { parseMailAddresses } from '../outbox/recipients.ts'
import {
  addresses,
  attachedFiles,
  bodyText,
  sendingAccount,
  subjectLine,
} from '../outbox/inputs.ts'
import { EmailDraft } from '../shapes.ts'
import { SentEmail, presentDrafts, presentOutgoing } from '../outbox/presenter.ts'

export const listEmailDrafts = operation({
  name: 'list_email_drafts',
  searchHint: 'unsent mails, half written',
  kind: 'read',
  rest: 'GET /api/email-drafts',
  about: 'Own drafts with recipients and body',
  on: { account: mailAccount.maybe, thread: mailThread.see.maybe },
  input: paging,
  output: pageOf(EmailDraft),
  async handle({ account, thread, limit, cursor }, ctx) {
    let query = emailDraft
      .visibleTo(ctx)
      .selectAll('email_drafts')
      .where('email_drafts.state', '<>', 'sent')
    if (account) query = query.where('email_drafts.account_id', '=', account.id)
    if (thread) query = query.where('email_drafts.thread_id', '=', thread.id)
    const page = await paged(
      query,
      [
        { by: 'email_drafts.updated_at', as: 'updated_at', dir: 'desc' },
        { by: 'email_drafts.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentDrafts(ctx, page.items))
  },
})

export const createEmailDraft = operation({
  name: 'create_email_draft',
  searchHint: 'prepare a reply, compose, write for review',
  kind: 'write',
  rest: 'POST /api/email-drafts',
  about: 'Prepare an email, or a reply inside a thread, for a person to review; nothing is sent',
  on: {
    account: sendingAccount,
    answered: email.see.maybe.named('reply_to_email_id').describe('the message that it answers'),
    files: attachedFiles,
    template: emailTemplate.see.maybe,
  },
  input: {
    to: addresses('default for a reply: its usual recipients').optional(),
    subject: subjectLine().optional(),
    body_markdown: bodyText().optional(),
    cc: addresses('as to').optional(),
    bcc: addresses('not shown to others').optional(),
    reply_all: z.boolean().default(false).describe('to all recipients, not only the sender'),
    quote: z
      .enum(['none', 'last', 'thread'])
      .default('last')
      .describe('of a reply: what to quote below it when sent'),
    variables: freeObject().optional().describe('values for {{variables}} of the template'),
  },
  output: EmailDraft,
  async handle(
    {
      account,
      answered,
      files = [],
      template,
      to,
      cc,
      bcc,
      subject,
      body_markdown,
      reply_all,
      quote,
      variables,
    },
    ctx,
  ) {
    if (!answered && reply_all)
      throw invalid('reply_all', 'no message to answer is given.', 'Send reply_to_email_id.')
    const from = await senderOf(ctx, answered, account)
    const answers: Answers | undefined = answered && {
      row: answered,
      as: reply_all ? 'reply_all' : 'reply',
      quote,
    }
    const defaultRecipients = answers ? await recipientsOfAnswer(ctx, answers) : { to: [], cc: [] }
    const text = fillTemplate(
      template,
      {
        subject:
          subject ?? (answers && !template ? subjectOfAnswer(answers.row.subject, answers.as) : ''),
        body: body_markdown ?? '',
      },
      variables,
    )
    await requireDraftQuota(ctx)
    const recipients = {
      to: to ? parseMailAddresses(to, 'to') : defaultRecipients.to,
      cc: cc || to ? parseMailAddresses(cc, 'cc') : defaultRecipients.cc,
      bcc: parseMailAddresses(bcc, 'bcc'),
    }
    await buildMessage(ctx, {
      account: from,
      ...recipients,
      subject: text.subject,
      body: text.body,
      files,
      attachments: [],
    }) // refuses now what could not be sent later
    const row = await ctx.add('email_drafts', {
      owner_id: ctx.actor.id,
      account_id: from.id,
      thread_id: answered?.thread_id ?? null,
      answers_id: answered?.id ?? null,
      answers_as: answers?.as ?? null,
      quote: answers ? quote : 'none',
      ...recipientColumns(recipients),
      subject: headerLine(text.subject),
      body_markdown: text.body,
      unfilled_json: JSON.stringify(text.unfilled),
      message_id: newMessageId(from),
      state: 'draft',
    })
    await attach(ctx, row, files)
    const shape = await presentDraft(ctx, row)
    return { ...shape, warnings: [...shape.warnings, ...(await earlierDrafts(ctx, row))] }
  },
})

/** Warnings about other drafts in the same conversation. */
async function earlierDrafts(ctx: ReadContext, row: Row<'email_drafts'>): Promise<string[]> {
  if (row.thread_id === null) return []
  const others = await emailDraft
    .visibleTo(ctx)
    .select(['email_drafts.id', 'email_drafts.state'])
    .where('email_drafts.thread_id', '=', row.thread_id)
    .where('email_drafts.state', '<>', 'sent')
    .where('email_drafts.id', '<>', row.id)
    .orderBy('email_drafts.id')
    .execute()
  return others.map(
    ({ id, state }) =>
      `This conversation has another ${state === 'scheduled' ? 'scheduled message' : 'draft'}: ${id}. update_email_draft changes a draft; delete_email_draft removes one.`,
  )
}

/**
 * The account that a draft is sent from: of a reply, the one that received the message.
 * @throws Refusal if another account is given for a reply
 */
async function senderOf(
  ctx: ReadContext,
  answered: Row<'emails'> | undefined,
  requestedAccount: Row<'accounts'> | undefined,
): Promise<Row<'accounts'>> {
  if (!answered) return mailAccountOf(ctx, requestedAccount)
  if (requestedAccount && requestedAccount.id !== answered.account_id)
    throw invalid(
      'account_id',
      'the message was received in another account.',
      'Omit account_id: a reply is sent from the account that received the message.',
    )
  return account.demand(ctx, answered.account_id, 'see', 'reply_to_email_id')
}

export const updateEmailDraft = operation({
  name: 'update_email_draft',
  searchHint: 'edit a draft, add a recipient, reword',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/email-drafts/{draft_id}',
  about: 'Change recipients, subject, body or attachments of a draft',
  on: { draft: emailDraft.edit, files: attachedFiles },
  input: {
    to: addresses('replaces those it has').optional(),
    cc: addresses('as to').optional(),
    bcc: addresses('as to').optional(),
    subject: subjectLine().optional(),
    body_markdown: bodyText().optional(),
  },
  revision: 'draft',
  output: EmailDraft,
  async handle({ draft, files, to, cc, bcc, subject, body_markdown }, ctx) {
    const current = recipientsOfDraft(draft)
    const boxes = {
      to: to ? parseMailAddresses(to, 'to') : current.to,
      cc: cc ? parseMailAddresses(cc, 'cc') : current.cc,
      bcc: bcc ? parseMailAddresses(bcc, 'bcc') : current.bcc,
    }
    const text = {
      subject: subject === undefined ? draft.subject : headerLine(subject),
      body_markdown: body_markdown ?? draft.body_markdown,
    }
    const row = await ctx.change('email_drafts', draft, {
      ...recipientColumns(boxes),
      ...text,
      unfilled_json: JSON.stringify(unfilledVariablesOf({ ...draft, ...text })),
    })
    if (files) await replaceAttachments(ctx, row, files)
    await messageOfDraft(ctx, row) // what could not be sent is refused now
    return presentDraft(ctx, await emailDraft.demand(ctx, row.id, 'see', 'draft_id'))
  },
})

export const deleteEmailDraft = operation({
  name: 'delete_email_draft',
  searchHint: 'throw a draft away, discard what I wrote',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/email-drafts/{draft_id}',
  about: 'Discard a draft',
  on: { draft: emailDraft.own },
  output: DeletedRef,
  async handle({ draft }, ctx) {
    await ctx.trash('email_drafts', draft)
    return deletedRef(ctx, emailDraft.ref(draft, ctx.baseUrl))
  },
})

export const sendEmailDraft = operation({
  name: 'send_email_draft',
  searchHint: 'send what I reviewed, approve a draft',
  kind: 'destructive',
  rest: 'POST /api/email-drafts/{draft_id}/send',
  creates: 'item',
  about: 'Send a reviewed draft now',
  on: { draft: emailDraft.edit },
  revision: 'draft',
  output: SentEmail,
  outbound: true,
  atomicUndo: true,
  dryRun: true,
  async handle({ draft }, ctx) {
    const { row, letter, warnings } = await sendDraft(ctx, draft)
    return presentOutgoing(ctx, row, letter, warnings)
  },
})

async function presentDraft(ctx: WriteContext, row: Row<'email_drafts'>) {
  return (await presentDrafts(ctx, [row]))[0]!
}
