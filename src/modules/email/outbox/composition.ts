import { present } from '../../../kernel/present.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { account } from '../../accounts/access.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { person } from '../../directory/access.ts'
import { addOutgoing, bodiesOf, myAddresses, newMessageId, sentLately } from './access-addresses.ts'
import { email, emailAttachment, emailDraftFile } from '../access.ts'
import {
  forwardIntro,
  introOf,
  headerLine,
  type Box,
  type OutgoingMessage,
  type LetterFile,
  type Quoted,
} from './messages.ts'
import { mostRecipients, once, repliedTo } from './recipients.ts'
import { baseSubject } from '../messages/subjects.ts'
import { openVariables } from '../drafts/variables.ts'
import { warningsOf } from '../messages/warnings.ts'

/** Of all that goes along with one message, before it is encoded. */
const mostAttached = 25 * 2 ** 20
const mostFiles = 50
const mostReferences = 20
const mostQuoted = 30

type Addresses = Record<'to' | 'cc' | 'bcc' | 'reply_to', Box[]>
export type Answers = {
  row: Row<'emails'>
  as: 'reply' | 'reply_all' | 'forward'
  quote: 'none' | 'last' | 'thread'
}

/** What somebody wants to send, checked, before it is a letter. */
export interface OutgoingInput {
  account: Row<'accounts'>
  to: Box[]
  cc: Box[]
  bcc: Box[]
  subject: string
  body: string
  files: Row<'files'>[]
  attachments: Row<'email_attachments'>[]
  answers?: Answers | undefined
  messageId?: string | undefined
}

/** Who wrote a message, and to whom. */
function boxesOf(row: Row<'emails'>): Addresses & { from: Box } {
  const {
    to = [],
    cc = [],
    bcc = [],
    reply_to = [],
  } = JSON.parse(row.addresses_json) as Partial<Addresses>
  return {
    to,
    cc,
    bcc,
    reply_to,
    from: present({ name: row.from_name ? row.from_name : undefined, email: row.from_email }),
  }
}

/** The account that mail goes out from: the one that was named, else the default one, and one that is switched off only where there is no other. @throws Refusal not_connected where there is none */
export async function mailAccountOf(
  ctx: ReadContext,
  named: Row<'accounts'> | undefined,
): Promise<Row<'accounts'>> {
  const row =
    named ??
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

/** @throws Refusal not_connected where nothing can go out from an account until its owner does something */
export function checkSends({ address, status, problem }: Row<'accounts'>): void {
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

/** The letter that becomes of it. @throws Refusal */
export async function letterOf(ctx: ReadContext, wanted: OutgoingInput): Promise<OutgoingMessage> {
  const { account: from, answers } = wanted
  const to = once(wanted.to)
  const cc = once(wanted.cc, to)
  const bcc = once(wanted.bcc, [...to, ...cc])
  if (to.length + cc.length + bcc.length > mostRecipients)
    throw new Refusal(
      'too_large',
      `${to.length + cc.length + bcc.length} recipients: a message can have at most ${mostRecipients}.`,
      'Split it into several messages.',
    )
  return {
    message_id: wanted.messageId ?? newMessageId(from),
    date: ctx.now,
    from: present({
      name: from.display_name === '' ? undefined : headerLine(from.display_name, 200),
      email: from.address,
    }),
    to,
    cc,
    bcc,
    subject: headerLine(wanted.subject),
    ...threading(answers),
    body_markdown: wanted.body,
    signature_markdown: from.signature_markdown,
    quote: answers ? await quoteOf(ctx, answers) : null,
    files: lettersFiles(ctx, wanted),
    answers: answers ? { email_id: answers.row.id, as: answers.as, quote: answers.quote } : null,
  }
}

/** The headers by which readers' programs know what it answers. Of a long conversation the beginning and the nearest ones are named. */
function threading(
  answers: Answers | undefined,
): Pick<OutgoingMessage, 'in_reply_to' | 'references'> {
  if (!answers || answers.as === 'forward') return { in_reply_to: null, references: [] }
  const { message_id, references_json, in_reply_to } = answers.row
  const before = JSON.parse(references_json) as string[]
  const all = [
    ...new Set([
      ...(before.length === 0 && in_reply_to !== null ? [in_reply_to] : before),
      message_id,
    ]),
  ]
  return {
    in_reply_to: message_id,
    references: all.length <= mostReferences ? all : [all[0]!, ...all.slice(1 - mostReferences)],
  }
}

async function quoteOf(
  ctx: ReadContext,
  { row, as, quote }: Answers,
): Promise<OutgoingMessage['quote']> {
  if (as === 'forward') return { as, messages: [await forwarded(ctx, row)] }
  if (quote === 'none') return null
  const rows = quote === 'last' ? [row] : await conversationBefore(ctx, row)
  const bodies = await bodiesOf(ctx, rows)
  const messages = rows.flatMap((item): Quoted[] => {
    const body = bodies.get(item.id)
    return body
      ? [
          {
            intro: introOf({ from: boxesOf(item).from, sent_at: item.sent_at }, ctx.actor.timezone),
            markdown: body.own_markdown,
          },
        ]
      : []
  })
  return messages.length === 0 ? null : { as: 'reply', messages }
}

function conversationBefore(ctx: ReadContext, row: Row<'emails'>): Promise<Row<'emails'>[]> {
  const earlier = email
    .visibleTo(ctx)
    .selectAll('emails')
    .where('emails.thread_id', '=', row.thread_id as never)
    .where('emails.sent_at', '<=', row.sent_at)
    .where('emails.place', 'not in', ['drafts', 'spam', 'trash'])
  return earlier
    .orderBy('emails.sent_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(mostQuoted)
    .execute()
}

async function forwarded(ctx: ReadContext, row: Row<'emails'>): Promise<Quoted> {
  const body = (await bodiesOf(ctx, [row])).get(row.id)
  if (!body)
    throw new Refusal('unavailable', 'The text of this message has not been fetched yet.', {
      hint: 'get_email fetches it; try again in a moment.',
      retry_after_seconds: 5,
      next: { tool: 'get_email', arguments: { email_id: row.id } },
    })
  const { from, to, cc } = boxesOf(row)
  const text = [
    body.own_markdown,
    body.signature === '' ? '' : `-- \n${body.signature}`,
    body.quoted_markdown,
  ]
    .filter((name) => name.trim() !== '')
    .join('\n\n')
  return {
    intro: forwardIntro(
      { from, sent_at: row.sent_at, subject: row.subject, to, cc },
      ctx.actor.timezone,
    ),
    markdown: text,
  }
}

function lettersFiles(ctx: ReadContext, { files, attachments }: OutgoingInput): LetterFile[] {
  if (files.length + attachments.length > mostFiles)
    throw new Refusal(
      'too_large',
      `${files.length + attachments.length} files: a message can have at most ${mostFiles}.`,
    )
  const size = [...files, ...attachments].reduce((sum, item) => sum + item.size_bytes, 0)
  if (size > mostAttached)
    throw new Refusal(
      'too_large',
      `The attachments total ${Math.ceil(size / 2 ** 20)} MB; mail servers accept ${mostAttached / 2 ** 20} MB.`,
      'Send a link instead: create_share_link makes one for a file.',
    )
  return [
    ...files.map((row) => {
      bytesOf(ctx, row, mostAttached) // a folder, or a content that is not here, is refused now rather than when it goes out
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

/** Whom an answer goes to. */
export async function answerTo(
  ctx: ReadContext,
  { row, as }: Answers,
): Promise<{ to: Box[]; cc: Box[] }> {
  return repliedTo(
    { ...boxesOf(row), is_own: row.is_own },
    as === 'reply_all',
    await myAddresses(ctx),
  )
}

/** The subject of an answer: Re: or Fwd:, once. */
export function answeringSubject(subject: string, as: Answers['as']): string {
  if (as !== 'forward') return `Re: ${baseSubject(subject).subject}`.trim()
  return /^\s*fwd?\s*:/i.test(subject) ? headerLine(subject) : headerLine(`Fwd: ${subject}`)
}

/** What somebody would want to know before it goes out. */
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
    answersBulk: answered?.is_bulk === 1,
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
 * Puts a letter on its way: it stands in the mailbox at once, and leaves as soon as the server takes it.
 * @throws Refusal where it has no recipients, where something of it is not filled in, or where its sender has sent too many today
 */
export async function send(
  ctx: WriteContext,
  account: Row<'accounts'>,
  letter: OutgoingMessage,
  more: {
    draft?: Row<'email_drafts'> | undefined
    answered?: Row<'emails'> | undefined
    unfilled?: readonly string[]
  } = {},
): Promise<Row<'emails'>> {
  checkSends(account)
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
  const most = ctx.settings.mail_daily_limit
  if (most === 0) return
  const { count, first } = await sentLately(ctx)
  if (count < most) return
  const seconds = Math.max(60, Math.ceil((first + dayLength - ctx.now) / 1000))
  throw new Refusal(
    'rate_limited',
    `You have sent ${count} messages within a day, the maximum per person.`,
    {
      hint: 'Save drafts until then; the operator of this instance can set --mail-daily-limit.',
      retry_after_seconds: seconds,
    },
  )
}

/** Whom a draft is to go to. */
export function boxesOfDraft({
  to_json,
  cc_json,
  bcc_json,
}: Row<'email_drafts'>): Record<'to' | 'cc' | 'bcc', Box[]> {
  return {
    to: JSON.parse(to_json) as Box[],
    cc: JSON.parse(cc_json) as Box[],
    bcc: JSON.parse(bcc_json) as Box[],
  }
}

/** A letter from a draft, as it would go out now. */
export async function letterOfDraft(
  ctx: ReadContext,
  row: Row<'email_drafts'>,
): Promise<{
  letter: OutgoingMessage
  account: Row<'accounts'>
  answered: Row<'emails'> | undefined
}> {
  const from = await account.demand(ctx, row.account_id, 'see', 'account_id')
  const answered = row.answers_id === null ? undefined : await email.find(ctx, row.answers_id)
  const { files, attachments } = await enclosedIn(ctx, [row]).then((found) => found.get(row.id)!)
  const answers =
    answered && row.answers_as !== null
      ? { row: answered, as: row.answers_as, quote: row.quote }
      : undefined
  const boxes = boxesOfDraft(row)
  const letter = await letterOf(ctx, {
    account: from,
    ...boxes,
    subject: row.subject,
    body: row.body_markdown,
    files,
    attachments,
    answers,
    messageId: row.message_id,
  })
  return { letter, account: from, answered }
}

/** Variables of the template of a draft that are still to be filled in. */
export function unfilledIn({
  subject,
  body_markdown,
  unfilled_json,
}: Row<'email_drafts'>): string[] {
  const open = openVariables(subject, body_markdown)
  return (JSON.parse(unfilled_json) as string[]).filter((name) => open.includes(name))
}

export interface Enclosed {
  files: Row<'files'>[]
  attachments: Row<'email_attachments'>[]
}

/** What goes along with drafts, in its order; what is gone, or out of sight by now, is missing. */
export async function enclosedIn(
  ctx: ReadContext,
  drafts: readonly Row<'email_drafts'>[],
): Promise<Map<string, Enclosed>> {
  const found = new Map<string, Enclosed>(
    drafts.map((row) => [row.id, { files: [], attachments: [] }]),
  )
  if (drafts.length === 0) return found
  const rows = await emailDraftFile
    .of(
      ctx,
      drafts.map((row) => row.id),
    )
    .selectAll()
    .orderBy('position')
    .execute()
  const files = await file.among(
    ctx,
    rows.flatMap((row) => row.file_id ?? []),
  )
  const attachments = await emailAttachment.among(
    ctx,
    rows.flatMap((row) => row.attachment_id ?? []),
  )
  for (const row of rows) {
    const enclosed = found.get(row.draft_id)!
    const item = row.file_id === null ? undefined : files.get(row.file_id)
    const other = row.attachment_id === null ? undefined : attachments.get(row.attachment_id)
    if (item) enclosed.files.push(item)
    if (other) enclosed.attachments.push(other)
  }
  return found
}
