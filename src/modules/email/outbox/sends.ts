import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { freeObject, markdown } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { account } from '../../accounts/access.ts'
import { email, emailAttachment, emailTemplate } from '../access.ts'
import { fillTemplate } from '../drafts/template-text.ts'
import { type Answers, recipientsOfAnswer, subjectOfAnswer } from './quotations.ts'
import {
  type OutgoingInput,
  buildMessage,
  mailAccountOf,
  queueOutgoing,
  warningsFor,
} from './composition.ts'
import { withoutDuplicates, parseMailAddresses } from './recipients.ts'
import { addresses, attachedFiles, bodyText, sendingAccount, subjectLine } from './inputs.ts'
import { SentEmail, presentOutgoing } from './presenter.ts'

export const sendEmail = operation({
  name: 'send_email',
  searchHint: 'write to, mail someone, message a customer, send the customer something',
  kind: 'destructive',
  rest: 'POST /api/emails',
  creates: 'item',
  about:
    'Send a new email now from your account; it cannot be recalled; use create_email_draft to have it reviewed',
  on: { account: sendingAccount, files: attachedFiles, template: emailTemplate.see.maybe },
  input: {
    to: addresses('ann@example.com, or Ann Doe <ann@example.com>'),
    subject: subjectLine().describe('empty with template_id: the template’s'),
    body_markdown: bodyText().describe('Markdown; empty with template_id: the template’s'),
    cc: addresses('as to').optional(),
    bcc: addresses('not shown to others').optional(),
    variables: freeObject().optional().describe('values for {{variables}} of the template'),
  },
  output: SentEmail,
  outbound: true,
  dryRun: true,
  atomicUndo: true,
  async handle(
    { account, files = [], template, to, cc, bcc, subject, body_markdown, variables },
    ctx,
  ) {
    const from = await mailAccountOf(ctx, account)
    const text = fillTemplate(template, { subject, body: body_markdown }, variables)
    const input: OutgoingInput = {
      account: from,
      to: parseMailAddresses(to, 'to'),
      cc: parseMailAddresses(cc, 'cc'),
      bcc: parseMailAddresses(bcc, 'bcc'),
      subject: text.subject,
      body: text.body,
      files,
      attachments: [],
    }
    return sendAndPresent(ctx, input, text.unfilled)
  },
})

export const replyToEmail = operation({
  name: 'reply_to_email',
  searchHint: 'respond, answer a mail, write back',
  kind: 'destructive',
  rest: 'POST /api/emails/{email_id}/reply',
  creates: 'item',
  about: 'Answer a message in its thread with correct threading headers and computed recipients',
  on: { email: email.see, files: attachedFiles },
  input: {
    body_markdown: bodyText(),
    reply_all: z.boolean().default(false).describe('reply to all recipients'),
    add_cc: addresses('as in send_email').optional(),
    quote: z
      .enum(['none', 'last', 'thread'])
      .default('last')
      .describe('what to quote below the answer: nothing, the message, the whole conversation'),
  },
  output: SentEmail,
  outbound: true,
  dryRun: true,
  atomicUndo: true,
  async handle({ email: answered, files = [], body_markdown, reply_all, add_cc, quote }, ctx) {
    const from = await account.demand(ctx, answered.account_id, 'see', 'email_id')
    const answers: Answers = { row: answered, as: reply_all ? 'reply_all' : 'reply', quote }
    const { to, cc } = await recipientsOfAnswer(ctx, answers)
    return sendAndPresent(ctx, {
      account: from,
      to,
      cc: withoutDuplicates([...cc, ...parseMailAddresses(add_cc, 'add_cc')], to),
      bcc: [],
      subject: subjectOfAnswer(answered.subject, answers.as),
      body: body_markdown,
      files,
      attachments: [],
      answers,
    })
  },
})

export const forwardEmail = operation({
  name: 'forward_email',
  searchHint: 'pass on, send on to',
  kind: 'destructive',
  rest: 'POST /api/emails/{email_id}/forward',
  creates: 'item',
  about: 'Forward a message with or without its attachments',
  on: { email: email.see },
  input: {
    to: addresses('ann@example.com, or Ann Doe <ann@example.com>'),
    cc: addresses('as to').optional(),
    note_markdown: markdown().optional().describe('text above it'),
    include_attachments: z.boolean().default(true).describe('false leaves them out'),
  },
  output: SentEmail,
  outbound: true,
  dryRun: true,
  atomicUndo: true,
  async handle({ email: answered, to, cc, note_markdown = '', include_attachments }, ctx) {
    const from = await account.demand(ctx, answered.account_id, 'see', 'email_id')
    const attachments = include_attachments
      ? await emailAttachment
          .of(ctx, [answered.id])
          .selectAll()
          .where('is_inline', '=', 0)
          .orderBy('position')
          .execute()
      : []
    const answers: Answers = { row: answered, as: 'forward', quote: 'last' }
    return sendAndPresent(ctx, {
      account: from,
      to: parseMailAddresses(to, 'to'),
      cc: parseMailAddresses(cc, 'cc'),
      bcc: [],
      subject: subjectOfAnswer(answered.subject, 'forward'),
      body: note_markdown,
      files: [],
      attachments: attachments as Row<'email_attachments'>[],
      answers,
    })
  },
})

async function sendAndPresent(
  ctx: WriteContext,
  input: OutgoingInput,
  unfilled: readonly string[] = [],
) {
  const letter = await buildMessage(ctx, input)
  const warnings = await warningsFor(ctx, letter, input.answers?.row)
  const row = await queueOutgoing(ctx, input.account, letter, {
    answered: input.answers?.row,
    unfilled,
  })
  return presentOutgoing(ctx, row, letter, warnings)
}
