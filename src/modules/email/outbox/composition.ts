import { omitNullish } from '../../../kernel/present.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { account } from '../../accounts/access.ts'
import { person } from '../../directory/access.ts'
import { bytesOf } from '../../drive/access.ts'
import { warningsOf } from '../messages/warnings.ts'
import { addOutgoing, newMessageId, sentToday } from './access-addresses.ts'
import { type NamedAddress, type LetterFile, type OutgoingMessage, headerLine } from './messages.ts'
import { type Answers, quoteOf, threadingHeaders } from './quotations.ts'
import { maxRecipients, withoutDuplicates } from './recipients.ts'

/** Maximum total size of the attachments of one message, before encoding. */
const maxAttachmentBytes = 25 * 2 ** 20
const maxFiles = 50

/** Validated input of a message, before it is composed. */
export interface OutgoingInput {
  account: Row<'accounts'>
  to: NamedAddress[]
  cc: NamedAddress[]
  bcc: NamedAddress[]
  subject: string
  body: string
  files: Row<'files'>[]
  attachments: Row<'email_attachments'>[]
  answers?: Answers | undefined
  messageId?: string | undefined
}

/** The sending account: the requested one, else the default, else any; disabled ones last. @throws Refusal not_connected if there is none */
export async function mailAccountOf(
  ctx: ReadContext,
  requestedAccount: Row<'accounts'> | undefined,
): Promise<Row<'accounts'>> {
  const row =
    requestedAccount ??
    (await account
      .visibleTo(ctx)
      .selectAll('accounts')
      .where('accounts.has_mail', '=', 1)
      .orderBy((eb) => eb('accounts.status', '=', 'disabled'))
      .orderBy('accounts.is_default', 'desc')
      .orderBy('accounts.id')
      .limit(1)
      .executeTakeFirst())
  if (!row)
    throw new Refusal(
      'not_connected',
      'You have no mail account here.',
      'Connect one in the web app, under Settings, Accounts.',
    )
  if (row.has_mail === 0)
    throw invalid(
      'account_id',
      `${row.address} is not used for mail.`,
      'Use one from list_email_accounts.',
    )
  return row
}

/** @throws Refusal not_connected if the account cannot send until its owner enables it or signs in */
export function requireSendingAccount({ address, status, problem }: Row<'accounts'>): void {
  if (status === 'disabled')
    throw new Refusal(
      'not_connected',
      `${address} is switched off.`,
      'Its owner can switch it on in the web app, under Settings, Accounts. list_email_accounts shows the other accounts.',
    )
  if (status === 'reauth_required')
    throw new Refusal(
      'not_connected',
      `${address} needs its owner to sign in again${problem === null ? '' : ` (${problem})`}.`,
      'They can do so in the web app, under Settings, Accounts. create_email_draft keeps the text until then.',
    )
}

/** Builds a message from its input. @throws Refusal */
export async function buildMessage(
  ctx: ReadContext,
  input: OutgoingInput,
): Promise<OutgoingMessage> {
  const { account: from, answers } = input
  const to = withoutDuplicates(input.to)
  const cc = withoutDuplicates(input.cc, to)
  const bcc = withoutDuplicates(input.bcc, [...to, ...cc])
  if (to.length + cc.length + bcc.length > maxRecipients)
    throw new Refusal(
      'too_large',
      `${to.length + cc.length + bcc.length} recipients: a message can have at most ${maxRecipients}.`,
      'Split it into several messages.',
    )
  return {
    message_id: input.messageId ?? newMessageId(from),
    date: ctx.now,
    from: omitNullish({
      name: from.display_name === '' ? undefined : headerLine(from.display_name, 200),
      email: from.address,
    }),
    to,
    cc,
    bcc,
    subject: headerLine(input.subject),
    ...threadingHeaders(answers),
    body_markdown: input.body,
    signature_markdown: from.signature_markdown,
    quote: answers ? await quoteOf(ctx, answers) : null,
    files: messageFiles(ctx, input),
    answers: answers ? { email_id: answers.row.id, as: answers.as, quote: answers.quote } : null,
  }
}

function messageFiles(ctx: ReadContext, { files, attachments }: OutgoingInput): LetterFile[] {
  if (files.length + attachments.length > maxFiles)
    throw new Refusal(
      'too_large',
      `${files.length + attachments.length} files: a message can have at most ${maxFiles}.`,
    )
  const size = [...files, ...attachments].reduce((sum, item) => sum + item.size_bytes, 0)
  if (size > maxAttachmentBytes)
    throw new Refusal(
      'too_large',
      `The attachments total ${Math.ceil(size / 2 ** 20)} MB; mail servers accept ${maxAttachmentBytes / 2 ** 20} MB.`,
      'Send a link instead: create_share_link makes one for a file.',
    )
  return [
    ...files.map((row) => {
      bytesOf(ctx, row, maxAttachmentBytes) // refuses folders and missing content now rather than when sending
      return {
        name: row.name,
        mime_type: row.mime_type,
        size_bytes: row.size_bytes,
        file_id: row.id,
        sha256: row.sha256,
      }
    }),
    ...attachments.map(({ id, name, mime_type, size_bytes }) => ({
      name,
      mime_type,
      size_bytes,
      attachment_id: id,
    })),
  ]
}

/** Warnings for the sender before the message goes out. */
export async function warningsFor(
  ctx: ReadContext,
  letter: Pick<
    OutgoingMessage,
    'to' | 'cc' | 'bcc' | 'subject' | 'body_markdown' | 'files' | 'answers' | 'quote'
  >,
  answered: Row<'emails'> | undefined,
): Promise<string[]> {
  const people = await person
    .visibleTo(ctx)
    .select('users.email')
    .where('users.status', '<>', 'deactivated')
    .execute()
  const warnings = warningsOf(letter, {
    people: people.map((row) => row.email),
    isAnsweringBulk: answered?.is_bulk === 1,
  })
  const isQuoteMissing =
    letter.answers !== null &&
    letter.answers.as !== 'forward' &&
    letter.answers.quote !== 'none' &&
    letter.quote === null
  return isQuoteMissing
    ? [...warnings, 'The message it answers has not been fetched yet, so it is not quoted.']
    : warnings
}

/**
 * Queues a message for sending: it is in the mailbox at once, and is delivered as soon as the server accepts it.
 * @throws Refusal if it has no recipients or unfilled variables, or the sender's daily limit is reached
 */
export async function queueOutgoing(
  ctx: WriteContext,
  account: Row<'accounts'>,
  letter: OutgoingMessage,
  more: {
    draft?: Row<'email_drafts'> | undefined
    answered?: Row<'emails'> | undefined
    unfilled?: readonly string[]
  } = {},
): Promise<Row<'emails'>> {
  requireSendingAccount(account)
  if (letter.to.length + letter.cc.length + letter.bcc.length === 0)
    throw invalid('to', 'it has no recipients.')
  if (more.unfilled && more.unfilled.length > 0)
    throw invalid(
      'variables',
      `without a value: ${more.unfilled.join(', ')}.`,
      'Send a value for each of them, or remove them from the text.',
    )
  await checkQuota(ctx)
  const row = await addOutgoing(ctx, { account, letter, draftId: more.draft?.id ?? null })
  if (more.answered && letter.answers?.as !== 'forward')
    await ctx.change('emails', more.answered, { answered: 1 })
  if (more.draft) await ctx.change('email_drafts', more.draft, { state: 'sent', email_id: row.id })
  return row
}

async function checkQuota(ctx: WriteContext): Promise<void> {
  const maxPerDay = ctx.settings.mail_daily_limit
  if (maxPerDay === 0) return
  const { count, firstSentAt } = await sentToday(ctx)
  if (count < maxPerDay) return
  const seconds = Math.max(60, Math.ceil((firstSentAt + dayLength - ctx.now) / 1000))
  throw new Refusal(
    'rate_limited',
    `You have sent ${count} messages within a day, the maximum per person.`,
    {
      hint: 'Save drafts until then; the operator of this instance can set --mail-daily-limit.',
      retry_after_seconds: seconds,
    },
  )
}
